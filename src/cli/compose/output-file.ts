import { dirname, resolve } from 'node:path';
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';

/**
 * Looks, before the work is done, whether there is a place for its file. Whether that may be written (permissions, room)
 * shows only when it is. `flag`: what named the path.
 *
 * @throws UsageError unless the folder is there and the path is a file or free.
 */
export async function checkOutputFile(files: Files, flag: string, path: string): Promise<void> {
  const whole = resolve(path);
  const parent = await files.stat(dirname(whole));
  if (parent?.kind !== 'directory') {
    throw new UsageError(
      'TICKWRIGHT_E_OUTPUT',
      `${flag} must be in a folder that is there, received ${path}`,
    );
  }
  const entry = await files.stat(whole);
  if (entry !== undefined && entry.kind !== 'file') {
    throw new UsageError(
      'TICKWRIGHT_E_OUTPUT',
      `${flag} must name a file, received the ${entry.kind} ${path}`,
    );
  }
}

/** @throws UsageError when two of the flags name one file: the later one would be written over the other. */
export function demandDifferentFiles(outputs: readonly (readonly [flag: string, path: string])[]): void {
  const flags = new Map<string, string>();
  for (const [flag, path] of outputs) {
    const other = flags.get(resolve(path));
    if (other !== undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_OUTPUT',
        `${flag} must name another file than ${other}, received ${path}`,
      );
    }
    flags.set(resolve(path), flag);
  }
}
