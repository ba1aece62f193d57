/**
 * The other side of a market as the venue core sees it, of two kinds (`architecture.md`, simulated fills):
 * a *book* needs nothing here (other accounts' orders are in the core's own book); a *tape* of recorded prints decides
 * by a fill model what orders of clients execute against the street.
 */
import type { Lots, Ticks } from '../model/grid.js';
import type { Side } from '../model/side.js';

/** An order as liquidity sees it; `leaves` is kept by the core. */
export interface LiquidityOrder {
  readonly id: string;
  /** Whose it is, by identity: an account never trades with itself, on a tape either. */
  readonly account: object;
  readonly side: Side;
  /** The worst price it may execute at: its limit, or the band edge for MARKET. */
  readonly limitTicks: Ticks;
  /** Not yet executed, above 0 while it is here. Read again after every `execute`. */
  readonly leaves: Lots;
  /**
   * While it rests, the lots that it shows: the present slice of an iceberg, 0 when hidden. Absent: all that it has left.
   * Read again after every `execute`: a slice that is used up has been replaced by the next.
   */
  readonly displayed?: Lots;
  /** It stands behind everything that is displayed at its price. */
  readonly isHidden?: boolean;
}

/** What a tape tells the core. */
export interface TapeSink {
  /**
   * The street takes the other side of `order`. Returns the lots really executed: fewer than offered when the order
   * may do less (reduce-only); 0 takes nothing from the print.
   */
  execute(order: LiquidityOrder, lots: Lots, ticks: Ticks, liquidity: 'maker' | 'taker', time: number): Lots;
  /** The taker's window is over with `leaves` left (MARKET, IOC, FOK, taker part of a limit). */
  windowOver(order: LiquidityOrder, time: number): void;
  /** An own resting order of the same account stands in the taker's way. */
  selfTrade(order: LiquidityOrder, time: number): void;
}

export interface Touch {
  readonly bid: Ticks | undefined;
  readonly ask: Ticks | undefined;
}

/** Recorded prints as columns, in (time, id) order; see `TradeChunk`. */
export interface TapePrints {
  readonly time: Float64Array;
  readonly price: Float64Array;
  readonly quantity: Float64Array;
  /** 1 when the buyer was the maker, else 0. */
  readonly isBuyerMaker: Uint8Array;
  /** 1 where an order of our own was the aggressor: its quantity is not the street's. Absent: nowhere. */
  readonly isOwn?: Uint8Array | undefined;
}

/** Recorded prints as liquidity. One instance a market. */
export interface TapeLiquidity {
  /** Best bid and ask estimates as of the prints seen so far; `now`: for what was recorded and grows old, ms. */
  touch(now?: number): Touch;
  /** Lots that the street is taken to show at its best price of a side; `undefined` when nothing tells. */
  displayed?(side: Side): Lots | undefined;
  /** The order rests at its limit from now on: takes its place in the queue. */
  rest(order: LiquidityOrder, now: number): void;
  /**
   * The order waits for prints of its own aggressor side until `deadline` (inclusive).
   * `fillOrKill`: executes all or nothing, decided at the deadline.
   */
  take(order: LiquidityOrder, now: number, deadline: number, fillOrKill: boolean): void;
  remove(order: LiquidityOrder): void;
  /**
   * Every print up to and including `now` was seen: windows with a deadline at or before `now` are over. To be called
   * before whatever else happens at `now`; `print` does it for the time before its own.
   */
  advance(now: number): void;
  /** The earliest deadline of a waiting order; Infinity when none waits. */
  readonly nextDeadline: number;
  /**
   * One print, in (time, id) order: its price as printed (it may lie off the grid), its quantity in whole lots. Must
   * cost nanoseconds when idle.
   */
  print(time: number, price: number, lots: number, isBuyerMaker: boolean): void;
  /** Prints strictly between these two prices touch no order; none are while one waits as a taker. */
  readonly quietAbove: number;
  readonly quietBelow: number;
  /**
   * Prints to be given by row instead of one by one, until the next `openRows`. What estimates learn from them is read
   * off the columns when an estimate is asked for, which for a market order is never.
   */
  openRows(prints: TapePrints): void;
  /** Rows below `count` were printed, without touching an order if `printRow` was not called for them. */
  passRows(count: number): void;
  /** `print` of a row, once all rows above it passed. */
  printRow(row: number): void;
  /** The columns are about to change: what they tell is taken in. */
  closeRows(): void;
}
