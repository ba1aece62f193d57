import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './append-file.js';
import { atPath } from './at-path.js';

/**
 * The kernel finds the end and writes there in one step (O_APPEND, open(2)): an offset that is looked up first is that of
 * everybody else who looks up then, and the last of them writes over the others. What fails half way is left: cutting it
 * off would take with it what others have written since.
 */
export async function appendShared(path: string, bytes: Uint8Array): Promise<void> {
  try {
    const handle = await open(path, 'a', 0o644);
    try {
      let written = 0;
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw atPath(error, path);
  }
  await syncDirectory(dirname(path));
}
