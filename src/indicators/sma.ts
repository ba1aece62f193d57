const MAX_SCALE = 1e9;

/**
 * Simple moving average over the last `period` values, O(1) a value.
 *
 * Exact where the inputs are decimals, as prices are: the window's sum is kept in whole multiples of the inputs'
 * common 10^-n, so that equal averages compare equal and a crossing never depends on the rounding of a running
 * float sum (which changes the number of crossings on a real tape). Inputs that are no short decimals fall back to
 * a float sum, made anew once a window.
 */
export interface MovingAverage {
  /** The average including `value`; NaN until `period` values came in. */
  next(value: number): number;
}

export function sma(period: number): MovingAverage {
  if (!Number.isInteger(period) || period < 1) {
    throw new RangeError(`the period of an sma must be a whole number above 0, received ${period}`);
  }
  return new Sma(period);
}

class Sma implements MovingAverage {
  readonly #period: number;
  readonly #window: Float64Array;
  /** Largest |multiple| whose window sum is still a safe integer. */
  readonly #largest: number;
  #exact = true;
  #scale = 1;
  #divisor: number;
  #sum = 0;
  #next = 0;
  #seen = 0;

  constructor(period: number) {
    this.#period = period;
    this.#window = new Float64Array(period);
    this.#largest = Math.floor(Number.MAX_SAFE_INTEGER / period);
    this.#divisor = period;
  }

  next(value: number): number {
    let multiple = value;
    if (this.#exact) {
      multiple = Math.round(value * this.#scale);
      if (multiple / this.#scale !== value || multiple > this.#largest || multiple < -this.#largest) {
        multiple = this.#refine(value);
      }
    }
    this.#sum += multiple - (this.#window[this.#next] as number);
    this.#window[this.#next] = multiple;
    this.#next++;
    if (this.#next === this.#period) {
      this.#next = 0;
      if (!this.#exact) this.#sum = this.#window.reduce((sum, item) => sum + item, 0);
    }
    if (this.#seen < this.#period) this.#seen++;
    return this.#seen < this.#period ? Number.NaN : this.#sum / this.#divisor;
  }

  /** Finds the next power of ten on which `value` and the whole window lie, or gives exactness up. */
  #refine(value: number): number {
    for (let scale = this.#scale * 10; scale <= MAX_SCALE; scale *= 10) {
      const multiple = Math.round(value * scale);
      if (multiple / scale !== value) continue;
      const factor = scale / this.#scale;
      if (
        Math.abs(multiple) > this.#largest ||
        this.#window.some((held) => Math.abs(held * factor) > this.#largest)
      )
        break;
      for (let i = 0; i < this.#period; i++) this.#window[i] = (this.#window[i] as number) * factor;
      this.#sum *= factor;
      this.#scale = scale;
      this.#divisor = this.#period * scale;
      return multiple;
    }
    for (let i = 0; i < this.#period; i++) this.#window[i] = (this.#window[i] as number) / this.#scale;
    this.#exact = false;
    this.#divisor = this.#period;
    this.#sum = this.#window.reduce((sum, item) => sum + item, 0);
    return value;
  }
}
