import type { Amount, Money } from '../model/money.js';

const BLOCK_ROWS = 1_024;
const NOTHING = new Float64Array(0);

/**
 * A growing table of numbers outside the garbage-collected heap. The numbers of a row lie side by side, so that a new
 * one is one place in memory and not as many as it has numbers; blocks are never moved.
 */
export class NumberTable {
  readonly #width: number;
  readonly #blocks: Float64Array[] = [];
  /** Amounts that are no exact doubles, by row × width + column. */
  readonly #large = new Map<number, Money>();
  #newest = NOTHING;
  #at = 0;
  #length = 0;

  /** `width`: numbers a row. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Rows. */
  get length(): number {
    return this.#length;
  }

  /** A row more, of zeros so far. */
  add(): void {
    this.#at += this.#width;
    if (this.#at >= this.#newest.length) {
      this.#newest = new Float64Array(BLOCK_ROWS * this.#width);
      this.#blocks.push(this.#newest);
      this.#at = 0;
    }
    this.#length++;
  }

  /** Of the newest row. */
  put(column: number, value: number): void {
    this.#newest[this.#at + column] = value;
  }

  /** Of the newest row, exactly. */
  putMoney(column: number, amount: Amount): void {
    const double = Number(amount);
    this.put(column, double);
    if (typeof amount === 'bigint' && !Number.isSafeInteger(double)) {
      this.#large.set((this.#length - 1) * this.#width + column, amount);
    }
  }

  /** NaN where there is nothing. */
  at(row: number, column: number): number {
    const block = this.#blocks[Math.floor(row / BLOCK_ROWS)];
    return row < this.#length
      ? (block?.[(row % BLOCK_ROWS) * this.#width + column] ?? Number.NaN)
      : Number.NaN;
  }

  /** What `putMoney` was given. */
  moneyAt(row: number, column: number): Money {
    return this.#large.get(row * this.#width + column) ?? BigInt(this.at(row, column));
  }
}
