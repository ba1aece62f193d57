import type { Files } from '../../ports/files.js';

/**
 * What an earlier life wrote is about to be built upon, and its last sync may have failed: the kernel then shows pages
 * that it takes for written and that never reach the disk. Only new pages can be trusted.
 */
export async function writeAnew(files: Files, path: string, end: number): Promise<Error | undefined> {
  try {
    await files.writeAtomic(path, (await files.read(path)).subarray(0, end));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
