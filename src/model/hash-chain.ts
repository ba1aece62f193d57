import { createHash } from 'node:crypto';

const CAPACITY = 8_192;

/**
 * SHA-256 over a sequence of numbers and texts, fed a few at a time and cheaply: numbers are collected as
 * little-endian doubles and hashed in blocks, so that a record costs nanoseconds. Equal sequences, and only those,
 * give equal digests; texts are framed by their length.
 */
export class HashChain {
  readonly #hash = createHash('sha256');
  readonly #block = new Float64Array(CAPACITY);
  readonly #bytes = Buffer.from(this.#block.buffer);
  #used = 0;

  number(value: number): this {
    if (this.#used === CAPACITY) this.#flush();
    this.#block[this.#used++] = value;
    return this;
  }

  text(value: string): this {
    this.number(value.length);
    this.#flush();
    this.#hash.update(value, 'utf8');
    return this;
  }

  /** Lower-case hex of everything so far; the chain goes on. */
  digest(): string {
    this.#flush();
    return this.#hash.copy().digest('hex');
  }

  #flush(): void {
    if (this.#used === 0) return;
    this.#hash.update(this.#bytes.subarray(0, this.#used * 8));
    this.#used = 0;
  }
}
