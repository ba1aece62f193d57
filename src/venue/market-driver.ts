/**
 * What makes a simulated market move: a player of recorded prints, or a synthetic market.
 *
 * A driver has no clock and no timers of its own. The host of the venue calls `advanceTo` before it looks at the core;
 * an HTTP server does so before each request and, in addition, by a timer. So what a request sees never depends on
 * timers.
 */
export interface MarketDriver {
  /**
   * Does everything that is due at venue time `now` or before, in order of time, each thing at its own time. `now` is a
   * whole ms and never decreases; another call with the same `now` does nothing. A millisecond is applied as a whole,
   * so nobody sees a part of it.
   */
  advanceTo(now: number): void;
  /**
   * Venue time of the next event, above that of the last `advanceTo`; Infinity if there will be none. With it, the host
   * can run several markets in one order of time, however often it looks.
   */
  readonly nextTime: number;
  /** The pair whose market ends with this driver; absent: no market does. */
  readonly pair?: string | undefined;
  /**
   * The venue time at which this market starts, such as a tape's first print: the origin of the venue clock. Absent:
   * the system's time.
   */
  readonly startTime?: number | undefined;
  /**
   * The venue time of the last event, such as a tape's last print. The venue clock stops there: with a mark beyond the
   * end of a recording, a feed would close bars that a backtest of the recording never closes. Absent: no end.
   */
  readonly endTime?: number | undefined;
  /** True once everything up to `endTime` was applied, so that the market has ended. Absent: it never ends. */
  readonly done?: boolean;
}
