import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AppendFile } from '../ports/files.js';
import { openAppend, syncDirectory } from './append-file.js';
import { atPath } from './at-path.js';

/**
 * A file that is written piece by piece and then takes its place in one step: until then, whatever happens, what was
 * there before is there. What a process that was killed leaves is called `.NAME.partial`, and gone after the next one.
 */
export async function replaceFile<T>(path: string, write: (file: AppendFile) => Promise<T>): Promise<T> {
  const directory = dirname(path);
  const partial = join(directory, `.${basename(path)}.partial`);
  try {
    await rm(partial, { force: true });
    const file = await openAppend(partial);
    let result: T;
    try {
      result = await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    await syncDirectory(directory);
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof Error && (error as NodeJS.ErrnoException).path === partial) {
      (error as NodeJS.ErrnoException).path = path;
    }
    throw atPath(error, path);
  }
}
