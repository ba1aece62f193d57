import type { DatedMarket, DatedRate } from './rare-facts.js';

/** The funding rates that were recorded in a stretch of time. */
export interface RecordedRates {
  /** When the first recorded rate was paid, venue ms; `undefined` without any. */
  readonly from: number | undefined;
  /**
   * When funding is next due after `time`, venue ms, whether or not its rate was recorded; Infinity if no market is
   * known.
   */
  dueAfter(time: number): number;
  /**
   * Number of rates that were due after the first recorded one, up to and including `to` (ms), but were not recorded.
   */
  missing(to: number): number;
}

export const NO_RATES: RecordedRates = {
  from: undefined,
  dueAfter: () => Number.POSITIVE_INFINITY,
  missing: () => 0,
};

/** `rates` and `markets` ascend by time. The first market also counts before its own time. */
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

/**
 * The times at which funding is due after `from`: the multiples of the funding interval in force at that time, as the
 * specification of `funding_interval` says.
 */
function* times(markets: readonly DatedMarket[], from: number): Generator<number, undefined> {
  let at = 0;
  for (let time = from; ; ) {
    let due = multipleAbove(time, markets[at]);
    // A market that changes up to that time comes first: its own interval decides about the due time.
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
