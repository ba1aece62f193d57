/** Best prices and reference prices of a pair, as polled (`dialect.md` §4). Quote units; absent when the venue has none. */
export interface Ticker {
  /** Venue time at which it was true, ms. */
  readonly time: number;
  readonly lastPrice: number | undefined;
  readonly markPrice: number | undefined;
  readonly indexPrice: number | undefined;
  readonly bidPrice: number | undefined;
  readonly bidQuantity: number | undefined;
  readonly askPrice: number | undefined;
  readonly askQuantity: number | undefined;
}

/** How long a recorded ticker tells of the mark, ms: what is older is of a market that nobody watched. */
export const MARK_FRESH_MS = 60_000;

/** From one recorded ticker to the next at the most, ms: so that one which comes late is no stretch without a mark. */
export const MOST_TICKER_MS = MARK_FRESH_MS / 2;
