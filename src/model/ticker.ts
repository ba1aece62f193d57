/**
 * Best prices and reference prices of a pair, as polled (`dialect.md` §4), in quote units; `undefined` when the venue
 * sends none.
 */
export interface Ticker {
  /** Venue time of these prices, ms. */
  readonly time: number;
  readonly lastPrice: number | undefined;
  readonly markPrice: number | undefined;
  readonly indexPrice: number | undefined;
  readonly bidPrice: number | undefined;
  readonly bidQuantity: number | undefined;
  readonly askPrice: number | undefined;
  readonly askQuantity: number | undefined;
}

/** How long a recorded ticker gives the mark, ms. After that nobody recorded the market, and its mark is unknown. */
export const MARK_FRESH_MS = 60_000;

/**
 * Largest time between two recorded tickers, ms. Half of `MARK_FRESH_MS`, so that one late ticker leaves no time without
 * a mark.
 */
export const MOST_TICKER_MS = MARK_FRESH_MS / 2;
