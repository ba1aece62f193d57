import type { Files } from '../../ports/files.js';
import { journalFolder, PRIVATE_FILE, SNAPSHOTS_KEPT, snapshotPath } from './journal-layout.js';

export interface SealedSnapshot {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  /** Segments last written before this (wall ms) need not be kept. */
  readonly before: number;
}

/** Writes a snapshot, and lets go of what nobody needs any more. */
export async function saveSnapshot(files: Files, directory: string, snapshot: SealedSnapshot): Promise<void> {
  await files.writeAtomic(snapshotPath(directory, snapshot.sequence), snapshot.bytes, PRIVATE_FILE);
  await removeCovered(files, directory, snapshot.before);
}

/**
 * Removes snapshots but the newest, and segments that were last written before `before` (wall ms) whose records the
 * oldest snapshot kept holds: any one snapshot may be lost, and no record with it.
 */
async function removeCovered(files: Files, directory: string, before: number): Promise<void> {
  const { segments, snapshots } = await journalFolder(files, directory);
  for (const { path } of snapshots.slice(SNAPSHOTS_KEPT)) await files.remove(path);
  const oldestKept = snapshots[SNAPSHOTS_KEPT - 1];
  if (oldestKept === undefined) return;
  for (const [index, { path, modifiedMs }] of segments.entries()) {
    const following = segments[index + 1];
    // Oldest first, and none is left out: what remains is always one unbroken story.
    if (following === undefined || following.first > oldestKept.sequence + 1 || modifiedMs >= before) return;
    await files.remove(path);
  }
}
