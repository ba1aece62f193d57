/**
 * What makes a simulated market move: a player of recorded prints, or a synthetic market.
 *
 * A driver has no clock and no timers of its own. Whoever hosts the venue calls `advanceTo` before it looks at the
 * core (an HTTP server before each request, besides a timer), so what a request sees never depends on timers.
 */
export interface MarketDriver {
  /**
   * Does everything that is due at venue time `now` or before, in time order, each thing at its own time. `now` is a
   * whole ms and never falls; calling again with the same `now` does nothing. A millisecond is applied as a whole:
   * nobody sees half of one.
   */
  advanceTo(now: number): void;
  /**
   * Venue time of the next thing due, above the last `advanceTo`; Infinity when nothing can come any more. Lets the
   * host run several markets in one order of time, whatever the moments at which it looks.
   */
  readonly nextTime: number;
  /** The pair whose market ends with this driver. Absent: it ends none. */
  readonly pair?: string | undefined;
  /** The venue time at which this market starts: a tape's first print. The venue clock's origin; absent: system time. */
  readonly startTime?: number | undefined;
  /**
   * The venue time after which nothing can come: a tape's last print. The venue clock is capped there, because a feed
   * mark past the end of a recording would close bars that a backtest of it never closes. Absent: no end.
   */
  readonly endTime?: number | undefined;
  /** True once everything up to `endTime` was applied: the market has ended. Absent: never. */
  readonly done?: boolean;
}
