import type { Files } from '../../ports/files.js';
import { type JournalLock, lockRecording } from '../../storage/journal-lock.js';
import { pairDirectory } from '../../storage/layout.js';
import type { Machine } from '../machine.js';

/**
 * Does what writes the recordings of these pairs, while no other process does. A folder that is made for it and stays empty
 * is removed.
 *
 * @throws JournalHeld when one does, before anything is written
 */
export async function asOnlyWriter<T>(
  { files, processes }: Pick<Machine, 'files' | 'processes'>,
  directory: string,
  pairs: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const folders = pairs.map((pair) => pairDirectory(directory, pair));
  const made: string[] = [];
  for (const folder of [...folders, directory]) {
    if ((await files.stat(folder)) === undefined) made.push(folder);
  }
  const locks: JournalLock[] = [];
  try {
    for (const folder of folders) locks.push(await lockRecording(files, processes, folder));
    return await work();
  } finally {
    for (const lock of locks) await lock.release();
    for (const folder of made) await removeEmpty(files, folder).catch(() => undefined);
  }
}

async function removeEmpty(files: Files, folder: string): Promise<void> {
  if ((await files.list(folder)).length === 0) await files.remove(folder);
}
