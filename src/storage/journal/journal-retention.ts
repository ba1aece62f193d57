import type { Files } from '../../ports/files.js';
import { journalFolder, PRIVATE_FILE, SNAPSHOTS_KEPT, snapshotPath } from './journal-layout.js';

export interface SealedSnapshot {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  /** Segments that were last written before this need not be kept; ms of our own clock. */
  readonly before: number;
}

/** Writes a snapshot, and removes files that nobody needs after it. */
export async function saveSnapshot(files: Files, directory: string, snapshot: SealedSnapshot): Promise<void> {
  await files.writeAtomic(snapshotPath(directory, snapshot.sequence), snapshot.bytes, PRIVATE_FILE);
  await removeCovered(files, directory, snapshot.before);
}

/**
 * Removes all but the newest snapshots, and segments that were last written before `before` (ms of our own clock) and
 * whose records the oldest kept snapshot includes. So the loss of any single snapshot loses no record.
 */
async function removeCovered(files: Files, directory: string, before: number): Promise<void> {
  const { segments, snapshots } = await journalFolder(files, directory);
  for (const { path } of snapshots.slice(SNAPSHOTS_KEPT)) await files.remove(path);
  const oldestKept = snapshots[SNAPSHOTS_KEPT - 1];
  if (oldestKept === undefined) return;
  for (const [index, { path, modifiedMs }] of segments.entries()) {
    const following = segments[index + 1];
    // Only a run of the oldest segments is removed, so the remaining records have no gap.
    if (following === undefined || following.first > oldestKept.sequence + 1 || modifiedMs >= before) return;
    await files.remove(path);
  }
}
