import { type JournalLock, lockRecording } from '../../storage/journal/journal-lock.js';
import { pairDirectory } from '../../storage/rows/layout.js';
import type { Machine } from '../machine.js';

/**
 * Runs work that writes the recordings of these pairs while no other process does.
 *
 * @throws JournalHeld when another process writes one of them, before anything is written
 */
export async function asOnlyWriter<T>(
  { files, processes }: Pick<Machine, 'files' | 'processes'>,
  directory: string,
  pairs: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const folders = pairs.map((pair) => pairDirectory(directory, pair));
  const locks: JournalLock[] = [];
  try {
    for (const folder of folders) locks.push(await lockRecording(files, processes, folder));
    return await work();
  } finally {
    for (const lock of locks) await lock.release();
  }
}
