import type { Files } from '../../ports/files.js';
import { ballastPath, PRIVATE_FILE } from './journal-layout.js';

/** A file of worthless bytes. Deleting them frees room for the record of a halt when the disk is full. */
export class Ballast {
  readonly #files: Files;
  readonly #path: string;
  readonly #bytes: number;

  constructor(files: Files, directory: string, bytes: number) {
    this.#files = files;
    this.#path = ballastPath(directory);
    this.#bytes = bytes;
  }

  /** Writes the ballast, unless it exists already. */
  async fill(): Promise<void> {
    if (this.#bytes === 0 || (await this.#files.stat(this.#path))?.size === this.#bytes) return;
    await this.#files.writeAtomic(this.#path, incompressible(this.#bytes), PRIVATE_FILE);
  }

  /** Frees the room. An error is ignored here; if there is still no room, the append that follows fails. */
  release(): void {
    if (this.#bytes === 0) return;
    try {
      const file = this.#files.openAppendSync(this.#path);
      try {
        file.truncate(0);
      } finally {
        file.close();
      }
    } catch {
      // The disk may have room even so.
    }
  }
}

/**
 * A file system that compresses its blocks would give zeros no room, so these bytes are random (Marsaglia's xorshift32).
 */
function incompressible(bytes: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(bytes / 4));
  let state = 0x9e3779b9;
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer, 0, bytes);
}
