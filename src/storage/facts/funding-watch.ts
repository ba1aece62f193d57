import { Decimal } from '../../model/decimal.js';
import type { TickerRow } from './fact-table.js';
import type { DatedRate } from './rare-facts.js';

/**
 * The rate moves with every index update until it is paid, so a rate that was seen longer before tells nothing
 * reliable.
 */
const MOST_AGE_MS = 120_000;

/**
 * Infers from tickers which funding was paid. A ticker states the next funding time and the current rate, so the last
 * ticker before that time had the rate that was paid, or nearly so.
 */
export class FundingWatch {
  #last: { readonly seenAt: number; readonly due: number; readonly rate: number } | undefined;

  /** `before`: the newest ticker of the previous run, so that funding between the two runs is not lost. */
  constructor(before?: TickerRow) {
    if (before !== undefined) this.next(before);
  }

  /**
   * Takes a ticker. Returns the funding that was paid since the ticker before, or `undefined` if this one does not
   * prove any.
   */
  next({ ticker, fundingRate, nextFundingTime }: TickerRow): DatedRate | undefined {
    const last = this.#last;
    this.#last =
      fundingRate === undefined || nextFundingTime === undefined
        ? undefined
        : { seenAt: ticker.time, due: nextFundingTime, rate: fundingRate };
    if (last === undefined || ticker.time < last.due || last.due - last.seenAt > MOST_AGE_MS)
      return undefined;
    return { time: last.due, rate: new Decimal(last.rate).toFixed() };
  }
}
