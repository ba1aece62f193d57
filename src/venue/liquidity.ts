/**
 * The other side of a market, as the venue core sees it. There are two kinds (`architecture.md`, simulated fills). A
 * *book* needs nothing here, because the core's own book holds the orders of all accounts. A *tape* of recorded prints
 * uses a fill model to decide which orders of clients execute against the street.
 */
import type { Lots, Ticks } from '../model/grid.js';
import type { Side } from '../model/side.js';

/** An order as liquidity sees it; the core updates `leaves`. */
export interface LiquidityOrder {
  readonly id: string;
  /** The owner, compared by identity: an account never trades with itself, not on a tape either. */
  readonly account: object;
  readonly side: Side;
  /** The worst price at which it may execute: its limit, or the edge of the band for a MARKET order. */
  readonly limitTicks: Ticks;
  /** Lots that are not executed yet, above 0 as long as liquidity holds the order. Read again after every `execute`. */
  readonly leaves: Lots;
  /**
   * The lots that a resting order shows: the current slice of an iceberg, 0 if hidden; absent: all that it has left.
   * Read again after every `execute`, because a used-up slice is replaced by the next.
   */
  readonly displayed?: Lots;
  /** Whether it queues behind everything that is displayed at its price. */
  readonly isHidden?: boolean;
}

/** The core, as a tape reports to it. */
export interface TapeSink {
  /**
   * Executes `order` against the street. Returns the lots that were really executed: fewer than offered if the order
   * may do less (reduce-only); 0 uses up nothing of the print.
   */
  execute(order: LiquidityOrder, lots: Lots, ticks: Ticks, liquidity: 'maker' | 'taker', time: number): Lots;
  /** The window of a taker has ended with `leaves` left (MARKET, IOC, FOK, or the taker part of a limit order). */
  windowOver(order: LiquidityOrder, time: number): void;
  /** A resting order of the same account is in the taker's way. */
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
  /**
   * 1 if an order of our own was the aggressor, so that its quantity is not the street's. Absent: no print is our own.
   */
  readonly isOwn?: Uint8Array | undefined;
}

/** Recorded prints as liquidity, one instance per market. */
export interface TapeLiquidity {
  /**
   * Estimated best bid and ask as of the prints so far. `now`: the venue ms at which recorded quotes must not be too
   * old.
   */
  touch(now?: number): Touch;
  /** Lots that the street is assumed to show at its best price of a side; `undefined` if nothing tells. */
  displayed?(side: Side): Lots | undefined;
  /** Takes over an order that rests at its limit from `now` on: it joins the queue there. */
  rest(order: LiquidityOrder, now: number): void;
  /**
   * Takes over an order that waits for prints of its own aggressor side until `deadline` (inclusive). `fillOrKill`: it
   * executes in full as soon as there is enough for it, or not at all.
   */
  take(order: LiquidityOrder, now: number, deadline: number, fillOrKill: boolean): void;
  remove(order: LiquidityOrder): void;
  /**
   * Declares that all prints up to and including `now` were passed in, and so ends the windows with a deadline at or
   * before `now`. To be called before anything else happens at `now`; `print` does it for the time before its own.
   */
  advance(now: number): void;
  /** Ends all windows that are open at `now`, because no print will come after it. */
  endWindows?(now: number): void;
  /** The earliest deadline of a waiting order; Infinity when none waits. */
  readonly nextDeadline: number;
  /**
   * Takes one print, in (time, id) order: its price as printed (possibly off the grid), its quantity in whole lots.
   * Called for every print, so it must take only nanoseconds if there is nothing to do.
   */
  print(time: number, price: number, lots: number, isBuyerMaker: boolean): void;
  /**
   * Prints at or below `above`, or at or above `below`, quote units, concern the core itself, though they may affect no
   * order here: they are not quiet. A call replaces the one before.
   */
  heed?(above: number, below: number): void;
  /** Prints strictly between these two prices affect no order. The range is empty while an order waits as a taker. */
  readonly quietAbove: number;
  readonly quietBelow: number;
  /**
   * Announces prints that are passed in by row rather than one by one, until the next `openRows`. Estimates read them
   * from the columns only when they are requested, which market orders never do.
   */
  openRows(prints: TapePrints): void;
  /** All rows below `count` were printed; those without a call of `printRow` did not affect any order. */
  passRows(count: number): void;
  /** `print` of a row, once all rows above it passed. */
  printRow(row: number): void;
  /** Evaluates the columns for the estimates, because they are about to change. */
  closeRows(): void;
}
