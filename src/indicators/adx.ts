import { trueRange } from './atr.js';
import { type Candle, isCandle } from './indicator.js';
import { checkPeriod } from './period.js';
import { wilder } from './ema.js';

export interface AdxValue {
  /** How strong a trend is, whichever its direction: 0 to 100. NaN until 2 × `period` bars. */
  readonly adx: number;
  /** How much of the true range went up, and down: 0 to 100. NaN until `period` bars have followed the first one. */
  readonly plusDi: number;
  readonly minusDi: number;
}

export interface Adx {
  next(bar: Candle): AdxValue;
}

/**
 * Average directional index, with its directional indicators (Wilder). Bars over which nothing has moved at all have no
 * direction: the average stays, and before it has begun they count as 0.
 */
export function adx(period = 14): Adx {
  checkPeriod('an adx', period, 2);
  const plus = new WilderSum(period);
  const minus = new WilderSum(period);
  const range = new WilderSum(period);
  const average = wilder(period);
  let last: Candle | undefined;
  let value: AdxValue = { adx: Number.NaN, plusDi: Number.NaN, minusDi: Number.NaN };
  return {
    next(bar) {
      if (!isCandle(bar)) return value;
      const { high, low, close } = bar;
      if (last !== undefined) {
        const up = high - last.high;
        const down = last.low - low;
        const ups = plus.next(up > 0 && up > down ? up : 0);
        const downs = minus.next(down > 0 && down > up ? down : 0);
        const ranges = range.next(trueRange(bar, last.close));
        const plusDi = ranges === 0 ? 0 : (100 * ups) / ranges;
        const minusDi = ranges === 0 ? 0 : (100 * downs) / ranges;
        const both = plusDi + minusDi;
        // Before the average has begun such a bar counts as 0, as in TA-Lib.
        const isBegun = !Number.isNaN(value.adx);
        const directional = both === 0 && !isBegun ? 0 : (100 * Math.abs(plusDi - minusDi)) / both;
        value = { adx: average.next(directional), plusDi, minusDi };
      }
      // The bar may be an object that is used again.
      last = { high, low, close };
      return value;
    },
  };
}

/** Wilder's running sum: of the first `period` − 1 values, and then each time a `period`th less, and the new one. */
class WilderSum {
  readonly #period: number;
  #seen = 0;
  #sum = 0;

  constructor(period: number) {
    this.#period = period;
  }

  next(value: number): number {
    this.#seen++;
    if (this.#seen < this.#period) {
      this.#sum += value;
      return Number.NaN;
    }
    this.#sum += value - this.#sum / this.#period;
    return this.#sum;
  }
}
