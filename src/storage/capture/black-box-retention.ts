import type { Files } from '../../ports/files.js';
import { type BlackBoxSegment, blackBoxFolders, blackBoxSegments } from './black-box-layout.js';

export interface BlackBoxRetention {
  /** The folder of all sessions. */
  readonly root: string;
  /** The segment that is being written, which stays. */
  readonly open: string;
  /** Segments last written before this are dropped, wall ms. */
  readonly before: number;
  /** What all segments together may take. */
  readonly keepBytes: number;
  /** At least so many bytes are to go besides, as far as there are any. */
  readonly freeBytes?: number;
}

/** Drops the oldest segments; true when as many could be dropped as were to go. */
export async function dropBlackBoxes(files: Files, options: BlackBoxRetention): Promise<boolean> {
  const { root, open, before, keepBytes, freeBytes = 0 } = options;
  const segments: BlackBoxSegment[] = [];
  for (const folder of await blackBoxFolders(files, root))
    segments.push(...(await blackBoxSegments(files, folder)));
  // Of one session always the first ones: a file system may give several the same time.
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
