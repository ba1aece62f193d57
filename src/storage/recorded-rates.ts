import type { DatedMarket, DatedRate } from './rare-facts.js';

/** Which funding rates were recorded in a stretch of time. */
export interface RecordedRates {
  /** When the first of them was paid, ms; `undefined` without any. */
  readonly from: number | undefined;
  /** How many were due after the first one, up to and including `to`, ms, and are not there. */
  missing(to: number): number;
}

export const NO_RATES: RecordedRates = { from: undefined, missing: () => 0 };

/** `rates` and `markets`: ascending by time; of a market before the first one nothing is due. */
export function recordedRates(rates: readonly DatedRate[], markets: readonly DatedMarket[]): RecordedRates {
  const [first] = rates;
  if (first === undefined) return NO_RATES;
  const recorded = new Set(rates.map(({ time }) => time));
  return {
    from: first.time,
    missing(to) {
      let count = 0;
      let at = 0;
      for (let time = first.time; ; ) {
        while ((markets[at + 1]?.time ?? Number.POSITIVE_INFINITY) <= time) at++;
        const market = markets[at]?.market;
        if (market === undefined) return count;
        // Specification, funding_interval: at multiples of it.
        time += market.funding.intervalMs - (time % market.funding.intervalMs);
        if (!(time <= to)) return count;
        if (!recorded.has(time)) count++;
      }
    },
  };
}
