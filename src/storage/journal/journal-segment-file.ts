import type { Files } from '../../ports/files.js';

/**
 * Rewrites a segment of an earlier life before records are appended to it. The last sync of that life may have failed,
 * and then the kernel shows pages as written that will never reach the disk. Only newly written pages can be trusted.
 */
export async function writeAnew(files: Files, path: string, end: number): Promise<Error | undefined> {
  try {
    await files.writeAtomic(path, (await files.read(path)).subarray(0, end));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
