import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TickwrightError } from '../model/errors.js';
import type { AppendFile } from '../ports/files.js';
import { atPath } from './at-path.js';

/**
 * Opens for appending. The offset is kept here and every write names it, so that `size()` is what was really
 * written: an append that fails half way is cut off again, and calls that overlap are taken in their order.
 */
export async function openAppend(path: string): Promise<AppendFile> {
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o644);
  const { size } = await handle.stat();
  return new NodeAppendFile(handle, path, size);
}

/** Makes a new or renamed name in a directory survive a power loss. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class NodeAppendFile implements AppendFile {
  readonly #handle: FileHandle;
  readonly #path: string;
  #size: number;
  #nameIsDurable = false;
  #last: Promise<unknown> = Promise.resolve();
  #broken: Error | undefined;

  constructor(handle: FileHandle, path: string, size: number) {
    this.#handle = handle;
    this.#path = path;
    this.#size = size;
  }

  size(): number {
    return this.#size;
  }

  append(bytes: Uint8Array): Promise<void> {
    return this.#inTurn(async () => {
      let written = 0;
      try {
        while (written < bytes.length) {
          const at = this.#size + written;
          const { bytesWritten } = await this.#handle.write(bytes, written, bytes.length - written, at);
          written += bytesWritten;
        }
      } catch (error) {
        await this.#cutBack(error as Error);
        throw atPath(error, this.#path);
      }
      this.#size += bytes.length;
    });
  }

  sync(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#handle.datasync();
        if (!this.#nameIsDurable) await syncDirectory(dirname(this.#path));
        this.#nameIsDurable = true;
      } catch (error) {
        // After a failed fsync the kernel may have dropped the pages: a second sync would succeed without writing them.
        this.#broken = error as Error;
        throw atPath(error, this.#path);
      }
    });
  }

  truncate(size: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#handle.truncate(size);
      this.#size = size;
    });
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#handle.close();
  }

  async #cutBack(cause: Error): Promise<void> {
    try {
      await this.#handle.truncate(this.#size);
    } catch {
      this.#broken = cause;
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(() => {
      if (this.#broken !== undefined) {
        // Without its cause: callers who wait for a full disk to have room again would wait for ever.
        throw new TickwrightError(
          'TICKWRIGHT_E_FILE_BROKEN',
          `${this.#path} must be opened anew after a failed write, received another (${this.#broken.message})`,
        );
      }
      return work();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
