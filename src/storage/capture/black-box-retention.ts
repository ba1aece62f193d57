import type { Files } from '../../ports/files.js';
import { type BlackBoxSegment, blackBoxFolders, blackBoxSegments } from './black-box-layout.js';

export interface BlackBoxRetention {
  /** The folder of the black boxes of all sessions. */
  readonly root: string;
  /** Path of the segment that is being written, which is never removed. */
  readonly open: string;
  /** Segments that were last written before this time (wall ms) are removed. */
  readonly before: number;
  /** The most bytes that all segments together may take. */
  readonly keepBytes: number;
  /** The least number of bytes to remove, e.g. to free the disk; default 0. */
  readonly freeBytes?: number;
}

/** Removes the oldest segments. Returns whether the limits could be met without the open segment. */
export async function dropBlackBoxes(files: Files, options: BlackBoxRetention): Promise<boolean> {
  const { root, open, before, keepBytes, freeBytes = 0 } = options;
  const segments: BlackBoxSegment[] = [];
  for (const folder of await blackBoxFolders(files, root))
    segments.push(...(await blackBoxSegments(files, folder)));
  // File times may be equal. Segments of one session must still go in the order of their numbers, so that no gap
  // arises.
  segments.sort((a, b) => a.modifiedMs - b.modifiedMs || a.number - b.number || (a.path < b.path ? -1 : 1));
  const total = segments.reduce((sum, { size }) => sum + size, 0);
  let left = total;
  for (const { path, size, modifiedMs } of segments) {
    if (path === open) continue;
    if (modifiedMs >= before && left <= keepBytes && total - left >= freeBytes) break;
    await files.remove(path);
    left -= size;
  }
  for (const folder of await blackBoxFolders(files, root)) {
    const isEmpty = (await files.list(folder)).length === 0;
    if (isEmpty && !open.startsWith(`${folder}/`)) await files.remove(folder);
  }
  return left <= keepBytes && total - left >= freeBytes;
}
