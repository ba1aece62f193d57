import { Decimal } from '../../model/decimal.js';
import type { TickerRow } from './fact-table.js';
import type { DatedRate } from './rare-facts.js';

/**
 * The rate moves with every index update until it is paid, so a rate that was seen longer before tells nothing
 * reliable.
 */
const MOST_AGE_MS = 120_000;

/** A funding that is still to come, as a ticker states it. */
interface ComingFunding {
  readonly seenAt: number;
  readonly due: number;
  readonly rate: number;
}

/**
 * Infers from tickers which funding was paid. A ticker states the next funding time and the current rate, so the last
 * ticker before that time had the rate that was paid, or nearly so.
 */
export class FundingWatch {
  #coming: ComingFunding | undefined;

  /** `before`: the newest ticker of the previous run, so that funding between the two runs is not lost. */
  constructor(before?: TickerRow) {
    if (before !== undefined) this.next(before);
  }

  /**
   * Takes a ticker. Returns the funding that was paid since the ticker before, or `undefined` if this one does not
   * prove any.
   */
  next(row: TickerRow): DatedRate | undefined {
    const coming = this.#coming;
    const stated = comingFunding(row);
    if (coming === undefined || row.ticker.time >= coming.due) {
      this.#coming = stated;
      return coming === undefined ? undefined : paid(coming);
    }
    // A ticker that is stamped just before the due time may already name the funding after that one.
    const isAhead = stated !== undefined && stated.due > coming.due;
    if (!isAhead) this.#coming = stated;
    return undefined;
  }
}

/**
 * `undefined` if the ticker states no time to come: some venues name the old time for a while after the payment, or 0
 * for none.
 */
function comingFunding({ ticker, fundingRate, nextFundingTime }: TickerRow): ComingFunding | undefined {
  if (fundingRate === undefined || nextFundingTime === undefined) return undefined;
  if (nextFundingTime <= ticker.time) return undefined;
  return { seenAt: ticker.time, due: nextFundingTime, rate: fundingRate };
}

function paid({ seenAt, due, rate }: ComingFunding): DatedRate | undefined {
  return due - seenAt > MOST_AGE_MS ? undefined : { time: due, rate: new Decimal(rate).toFixed() };
}
