import { checkFields } from './given.js';
import { checkPeriod } from './period.js';

/** What a vwap reads of a trade; every `Trade` has it. */
export interface Print {
  /** Venue ms. */
  readonly time: number;
  readonly price: number;
  readonly quantity: number;
}

export interface Vwap {
  next(trade: Print): number;
}

const DAY_MS = 86_400_000;

/**
 * Volume-weighted average price of the trades since the last multiple of `everyMs` (UTC; default a day), where it begins
 * anew. Of a bar: `next({ time: bar.openTime, price: typicalPrice(bar), quantity: bar.volume })`.
 */
export function vwap(everyMs: number = DAY_MS): Vwap {
  checkPeriod('a vwap, in ms,', everyMs);
  let ends = Number.NEGATIVE_INFINITY;
  // Of what each price is above the first one: a price that stands still is its own average to the last digit.
  let base = Number.NaN;
  let turnover = 0;
  let volume = 0;
  return {
    next(trade) {
      const { time, price, quantity } = trade;
      if (time >= ends) {
        ends = (Math.floor(time / everyMs) + 1) * everyMs;
        base = Number.NaN;
        turnover = 0;
        volume = 0;
      }
      if (Number.isFinite(price * quantity)) {
        if (Number.isNaN(base)) base = price;
        turnover += (price - base) * quantity;
        volume += quantity;
      } else checkFields('trade', trade, ['time', 'price', 'quantity']);
      return volume === 0 ? Number.NaN : base + turnover / volume;
    },
  };
}
