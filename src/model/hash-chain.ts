import { createHash } from 'node:crypto';

/** Size of the block, in words of 32 bits. */
const CAPACITY = 16_384;
/** Marker word: the two words after it are a double. */
const DOUBLE = -(2 ** 31);

/**
 * SHA-256 over a sequence of numbers and texts. Values are collected as 32-bit words or little-endian doubles and hashed
 * a block at a time, so that a record costs nanoseconds. Equal sequences give equal digests and different ones do not:
 * texts are framed by their length, and a double among integers by a marker.
 */
export class HashChain {
  readonly #hash = createHash('sha256');
  readonly #block = new Int32Array(CAPACITY);
  readonly #bytes = Buffer.from(this.#block.buffer);
  readonly #double = new Float64Array(1);
  readonly #words = new Int32Array(this.#double.buffer);
  #used = 0;

  number(value: number): this {
    if (this.#used + 2 > CAPACITY) this.#flush();
    this.#double[0] = value;
    this.#block[this.#used++] = this.#words[0] as number;
    this.#block[this.#used++] = this.#words[1] as number;
    return this;
  }

  /**
   * Feeds a number in one word where it is a 32-bit integer, as most are, else as a marker and a double. A reader cannot
   * tell a word of `integer` from half a double of `number`, so the record's layout must fix which of the two was called.
   */
  integer(value: number): this {
    if (this.#used + 3 > CAPACITY) this.#flush();
    const word = value | 0;
    if (word === value && word !== DOUBLE) {
      this.#block[this.#used++] = word;
      return this;
    }
    this.#block[this.#used++] = DOUBLE;
    return this.number(value);
  }

  text(value: string): this {
    this.number(value.length);
    this.#flush();
    this.#hash.update(value, 'utf8');
    return this;
  }

  /** Lower-case hex of everything fed so far; the chain can be continued. */
  digest(): string {
    this.#flush();
    return this.#hash.copy().digest('hex');
  }

  #flush(): void {
    if (this.#used === 0) return;
    this.#hash.update(this.#bytes.subarray(0, this.#used * 4));
    this.#used = 0;
  }
}
