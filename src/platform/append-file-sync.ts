import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { SyncAppendFile } from '../ports/files.js';

/** Opens for appending with calls that block. Every write names its offset, so that `size()` is what was really written. */
export function openAppendSync(path: string): SyncAppendFile {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    return new NodeSyncAppendFile(descriptor, dirname(path), fstatSync(descriptor).size);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

class NodeSyncAppendFile implements SyncAppendFile {
  readonly #descriptor: number;
  readonly #directory: string;
  #size: number;
  /** Length of the file, including the allocated room. */
  #length: number;
  #nameIsDurable = false;
  #broken: Error | undefined;

  constructor(descriptor: number, directory: string, size: number) {
    this.#descriptor = descriptor;
    this.#directory = directory;
    this.#size = size;
    this.#length = size;
  }

  size(): number {
    return this.#size;
  }

  append(bytes: Uint8Array): void {
    if (this.#broken !== undefined) throw this.#broken;
    this.#writeAt(this.#size, bytes);
    this.#size += bytes.length;
    this.#length = Math.max(this.#length, this.#size);
  }

  reserve(bytes: number): void {
    if (this.#broken !== undefined) throw this.#broken;
    const missing = this.#size + bytes - this.#length;
    if (missing <= 0) return;
    try {
      this.#writeAt(this.#length, new Uint8Array(missing));
    } catch (error) {
      this.truncate(this.#size);
      throw error;
    }
    this.#length += missing;
  }

  sync(): void {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      fdatasyncSync(this.#descriptor);
      if (!this.#nameIsDurable) syncDirectorySync(this.#directory);
      this.#nameIsDurable = true;
    } catch (error) {
      // After a failed fsync the kernel may have dropped the pages: a second sync would succeed without writing them.
      this.#broken = error as Error;
      throw error;
    }
  }

  truncate(size: number): void {
    ftruncateSync(this.#descriptor, size);
    this.#size = size;
    this.#length = size;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #writeAt(offset: number, bytes: Uint8Array): void {
    let written = 0;
    while (written < bytes.length) {
      const count = writeSync(this.#descriptor, bytes, written, bytes.length - written, offset + written);
      if (count === 0) {
        throw new Error(`a write must make progress, wrote 0 of ${bytes.length - written} bytes`);
      }
      written += count;
    }
  }
}

function syncDirectorySync(path: string): void {
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
