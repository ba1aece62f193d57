import type { DatedMarket, DatedRate } from './rare-facts.js';

/** Which funding rates were recorded in a stretch of time. */
export interface RecordedRates {
  /** When the first of them was paid, ms; `undefined` without any. */
  readonly from: number | undefined;
  /** When funding is due next after `time`, ms, whatever was recorded; Infinity of no known market. */
  dueAfter(time: number): number;
  /** How many were due after the first one, up to and including `to`, ms, and are not there. */
  missing(to: number): number;
}

export const NO_RATES: RecordedRates = {
  from: undefined,
  dueAfter: () => Number.POSITIVE_INFINITY,
  missing: () => 0,
};

/** `rates` and `markets`: ascending by time; what the first market says held before it, too. */
export function recordedRates(rates: readonly DatedRate[], markets: readonly DatedMarket[]): RecordedRates {
  const [first] = rates;
  if (first === undefined) return NO_RATES;
  const recorded = new Set(rates.map(({ time }) => time));
  return {
    from: first.time,
    dueAfter: (time) => times(markets, time).next().value ?? Number.POSITIVE_INFINITY,
    missing(to) {
      let count = 0;
      for (const time of times(markets, first.time)) {
        if (!(time <= to)) break;
        if (!recorded.has(time)) count++;
      }
      return count;
    },
  };
}

/** When funding is due after `from`: specification, funding_interval: at multiples of that which is in force then. */
function* times(markets: readonly DatedMarket[], from: number): Generator<number, undefined> {
  let at = 0;
  for (let time = from; ; ) {
    let due = multipleAbove(time, markets[at]);
    // A change up to that moment comes first.
    for (let next = markets[at + 1]; next !== undefined && next.time <= due; next = markets[at + 1]) {
      at++;
      due = multipleAbove(Math.max(time, next.time - 1), next);
    }
    if (due === Number.POSITIVE_INFINITY) return;
    yield due;
    time = due;
  }
}

function multipleAbove(time: number, dated: DatedMarket | undefined): number {
  if (dated === undefined) return Number.POSITIVE_INFINITY;
  const { intervalMs } = dated.market.funding;
  return time - (time % intervalMs) + intervalMs;
}
