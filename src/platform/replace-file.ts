import { chmod, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppendFile } from '../ports/files.js';
import { openAppend, syncDirectory } from './append-file.js';
import { atPathOf } from './at-path.js';
import { temporaryBeside } from './temporary-beside.js';

/**
 * A file that is written piece by piece and then takes its place in one step: until then, whatever happens, what was
 * there before is there. It keeps the permissions of that.
 */
export async function replaceFile<T>(path: string, write: (file: AppendFile) => Promise<T>): Promise<T> {
  const temporary = temporaryBeside(path);
  try {
    const before = await stat(path).catch(() => undefined);
    const file = await openAppend(temporary);
    let result: T;
    try {
      if (before !== undefined) await chmod(temporary, before.mode & 0o777);
      result = await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw atPathOf(error, temporary, path);
  }
}
