import { createHash } from 'node:crypto';

/** 32-bit words. */
const CAPACITY = 16_384;
/** Says that the two words after it are a double. */
const DOUBLE = -(2 ** 31);

/**
 * SHA-256 over a sequence of numbers and texts, fed a few at a time and cheaply: numbers are collected as little-endian
 * doubles, or words of 32 bits, and hashed in blocks, so that a record costs nanoseconds. Equal sequences, and only those,
 * give equal digests; texts are framed by their length.
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
   * The same in half the room where the number is whole and has 32 bits, as most have. Whoever reads the sequence has to
   * know from what came before in which of both ways a number was fed.
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

  /** Lower-case hex of everything so far; the chain goes on. */
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
