import { checkValue } from './given.js';
import { checkPeriod } from './period.js';

const MAX_SCALE = 1e9;
/** As many whole numbers of 32 bits have a sum that is a safe integer. */
const MAX_PERIOD = 2 ** 22 - 1;

/**
 * Simple moving average over the last `period` values, O(1) a value.
 *
 * Exact where the inputs are decimals, as prices are: the window's sum is kept in whole multiples of the inputs'
 * common 10^-n, so that equal averages compare equal and a crossing never depends on the rounding of a running
 * float sum (which changes the number of crossings on a real tape). Inputs that are no short decimals fall back to
 * a float sum, made anew once a window.
 */
export interface MovingAverage {
  /**
   * The average including `value`; NaN until `period` values came in. NaN, as of another average that is not warm yet, is
   * no value: an sma is NaN as long as one is in its window, an ema passes it over.
   */
  next(value: number): number;
}

export function sma(period: number): MovingAverage {
  checkPeriod('an sma', period, 1, MAX_PERIOD);
  return new Sma(period);
}

class Sma implements MovingAverage {
  readonly #window: Float64Array;
  readonly #given = new Float64Array(1);
  /** Where to look up: the end of the window, or what comes first of it that is no number. */
  #last: number;
  /** Largest |multiple| whose window sum is still a safe integer. */
  readonly #largest: number;
  /** NaN once exactness is given up, so that no value is a multiple of anything: one check decides both. */
  #scale = 1;
  /** NaN until the window is full, and so is the average then. */
  #divisor = Number.NaN;
  #sum = 0;
  #at = 0;

  constructor(period: number) {
    this.#window = new Float64Array(period);
    this.#last = period - 1;
    this.#largest = Math.floor(Number.MAX_SAFE_INTEGER / period);
  }

  // Short, so that V8 inlines it wherever it is called: a call that is not costs more than what it does. Nearly all values
  // take the first way, which looks up each field but once.
  next(value: number): number {
    const at = this.#at;
    const scaled = value * this.#scale;
    // A product that is a whole number of 32 bits, as nearly all are, is known for one in a single step.
    if ((scaled | 0) === scaled && typeof value === 'number') {
      const window = this.#window;
      const sum = this.#sum + (scaled - (window[at] as number));
      window[at] = scaled;
      this.#sum = sum;
      if (at !== this.#last) {
        this.#at = at + 1;
        return sum / this.#divisor;
      }
      this.#turn();
    } else {
      if (typeof value !== 'number') checkValue(value);
      // Handed over in memory: as an argument V8 would wrap it up in an object, and before it knows that it has to.
      this.#given[0] = value;
      this.#put();
    }
    return this.#sum / this.#divisor;
  }

  /** What was given takes its place. */
  #put(): void {
    const value = this.#given[0] as number;
    const item = Number.isFinite(value) ? this.#multipleOf(value, value * this.#scale) : Number.NaN;
    const at = this.#at;
    this.#sum += item - (this.#window[at] as number);
    this.#window[at] = item;
    if (at === this.#last) this.#turn();
    else this.#at = at + 1;
  }

  /**
   * The multiple that a value is. A product that is whole saves the division: its value is the multiple or the double
   * beside it.
   */
  #multipleOf(value: number, scaled: number): number {
    const item = Math.round(scaled);
    const isMultiple = item === scaled || item / this.#scale === value;
    return isMultiple && Math.abs(item) <= this.#largest ? item : this.#refine(value);
  }

  /** The window is full, and the next value goes to its start; or what was no number is out of it. */
  #turn(): void {
    const window = this.#window;
    const { length } = window;
    const isEnd = this.#at === length - 1;
    this.#at = isEnd ? 0 : this.#at + 1;
    if (isEnd) this.#divisor = Number.isNaN(this.#scale) ? length : length * this.#scale;
    if (Number.isNaN(this.#scale) || Number.isNaN(this.#sum)) {
      this.#sum = window.reduce((sum, item) => sum + item, 0);
      const next = window.subarray(this.#at).findIndex(Number.isNaN);
      this.#last = next < 0 ? length - 1 : this.#at + next;
    }
  }

  /** Finds the next power of ten on which `value` and the whole window lie, or gives exactness up. */
  #refine(value: number): number {
    const window = this.#window;
    const before = this.#scale;
    if (Number.isNaN(before)) return value;
    for (let scale = before * 10; scale <= MAX_SCALE; scale *= 10) {
      const multiple = Math.round(value * scale);
      if (multiple / scale !== value) continue;
      const factor = scale / before;
      if (
        Math.abs(multiple) > this.#largest ||
        window.some((held) => Math.abs(held * factor) > this.#largest)
      )
        break;
      for (let i = 0; i < window.length; i++) window[i] = (window[i] as number) * factor;
      this.#sum *= factor;
      this.#scale = scale;
      this.#divisor *= factor;
      return multiple;
    }
    for (let i = 0; i < window.length; i++) window[i] = (window[i] as number) / before;
    this.#scale = Number.NaN;
    this.#divisor /= before;
    this.#sum = window.reduce((sum, item) => sum + item, 0);
    return value;
  }
}
