import { checkValue } from './given.js';

/** As of an sma: a month and a half of seconds. Without a bound a slip of the pen asks for more memory than there is. */
const MOST = 2 ** 22 - 1;

/** The last `length` values of a series. */
export class Window {
  readonly #values: Float64Array;
  #at = 0;
  #count = 0;

  /** @throws RangeError for more than it keeps */
  constructor(length: number) {
    if (length > MOST)
      throw new RangeError(`an indicator must look back over at most ${MOST} values, received ${length}`);
    this.#values = new Float64Array(length);
  }

  get isFull(): boolean {
    return this.#count === this.#values.length;
  }

  /** Gives the value that had to go, NaN while there was room. @throws TypeError for what is no number */
  push(value: number): number {
    if (typeof value !== 'number') checkValue(value);
    const gone = this.isFull ? (this.#values[this.#at] as number) : Number.NaN;
    this.#values[this.#at] = value;
    this.#at = this.#at + 1 === this.#values.length ? 0 : this.#at + 1;
    if (!this.isFull) this.#count++;
    return gone;
  }

  /** From the oldest, 0, to the newest; of a full window. */
  at(index: number): number {
    const { length } = this.#values;
    const place = this.#at + index;
    return this.#values[place < length ? place : place - length] as number;
  }

  /**
   * The sum of what each value is above `base`, made anew each time, so that no rounding is carried along. Above one of the
   * values it is exactly 0 where all are the same.
   */
  sumAbove(base: number): number {
    let sum = 0;
    for (let i = 0; i < this.#values.length; i++) sum += this.at(i) - base;
    return sum;
  }

  /** Of a full window; NaN before. */
  mean(): number {
    if (!this.isFull) return Number.NaN;
    const base = this.at(0);
    return base + this.sumAbove(base) / this.#values.length;
  }
}
