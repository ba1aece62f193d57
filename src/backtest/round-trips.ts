import type { Fill } from '../model/fill.js';
import { type Lots, NO_LOTS } from '../model/grid.js';
import { type Amount, amountOfMoney, differenceOf, divCeil, type Money, sumOf } from '../model/money.js';
import type { Position } from '../model/position.js';
import type { Side } from '../model/side.js';
import { NumberTable } from './number-table.js';
import { TripTotals } from './trip-totals.js';

/** Number of round trips that are kept one by one, unless all are requested; the totals cover all of them. */
export const MOST_KEPT = 65_536;

/** One excursion from flat to flat. Partial fills are one round trip; a flip ends one and begins the next. */
export interface RoundTrip {
  /** Side of the entry. */
  readonly side: Side;
  readonly entryTime: number;
  readonly exitTime: number;
  /** Largest size held. */
  readonly lots: Lots;
  /** Mean prices of the fills that opened or enlarged it, and of those that reduced it; ticks, possibly fractional. */
  readonly entryTicks: number;
  readonly exitTicks: number;
  /** Realised, net of fees and funding. */
  readonly pnl: Money;
  /** Paid, positive. */
  readonly fees: Money;
  /** As P&L: paid is negative. */
  readonly funding: Money;
  /** Lowest and highest P&L while it was open, net of what had been paid by then, quote units: ≤ 0 and ≥ 0. */
  readonly worst: number;
  readonly best: number;
  /** Whether a gap of the recording overlaps it. */
  readonly isInGap: boolean;
}

/** Columns of a kept round trip. Its size is the largest that was held, negative for a short. */
const SIZE = 0;
const ENTRY_TIME = 1;
const EXIT_TIME = 2;
const ENTRY_TICKS = 3;
const EXIT_TICKS = 4;
const PNL = 5;
const FEES = 6;
const FUNDING = 7;
const WORST = 8;
const BEST = 9;
const IS_IN_GAP = 10;
const WIDTH = 11;

/**
 * Collects round trips from fills in their order, each with the position after it. They are kept as rows of numbers
 * because they live to the end: the garbage collector would copy and mark a million objects again and again.
 */
export class RoundTrips {
  readonly totals: TripTotals;
  readonly #mostKept: number;
  readonly #kept = new NumberTable(WIDTH);

  #lots: Lots = NO_LOTS;
  #side: Side = 'buy';
  #entryTime = 0;
  #most = 0;
  /** Lots in and out of the position so far, and lots × ticks. */
  #lotsIn = 0;
  #stepsIn = 0;
  #lotsOut = 0;
  #stepsOut = 0;
  #worst = 0;
  #best = 0;
  #isInGap = false;
  /** Net P&L, fees (as P&L) and funding since the beginning, as of the end of the last round trip. */
  #net: Amount = 0;
  #fees: Amount = 0;
  #funding: Amount = 0;

  /** `most`: how many are kept one by one. */
  constructor(unitsPerQuote: number, most = MOST_KEPT) {
    this.totals = new TripTotals(unitsPerQuote);
    this.#mostKept = most;
  }

  get count(): number {
    return this.totals.count;
  }

  /** The first of the finished round trips that are kept; a new array at each call. */
  get done(): readonly RoundTrip[] {
    return this.first(this.#kept.length);
  }

  /** Like `done`, but at most `count` of them. */
  first(count: number): readonly RoundTrip[] {
    return Array.from({ length: Math.min(count, this.#kept.length) }, (_, i) => this.#trip(i));
  }

  get isOpen(): boolean {
    return this.#lots !== 0;
  }

  add(fill: Fill, after: Position): void {
    const before = this.#lots;
    this.#lots = after.lots;
    if (before === 0) {
      this.#begin(fill, fill.lots);
    } else if (after.lots === 0) {
      this.#leave(fill, fill.lots);
      this.#end(fill.time, after, after.feesAmount);
    } else if (before > 0 !== after.lots > 0) {
      // A flip's fee is split by quantity, the closing part rounded up; the opening part belongs to the next trip.
      const closing = Math.abs(before);
      const closingFee = divCeil(fill.fee * BigInt(closing), BigInt(fill.lots));
      this.#leave(fill, closing);
      this.#end(fill.time, after, amountOfMoney(after.fees + fill.fee - closingFee));
      this.#begin(fill, fill.lots - closing);
    } else if (before > 0 === (fill.side === 'buy')) {
      this.#lotsIn += fill.lots;
      this.#stepsIn += fill.lots * fill.ticks;
    } else {
      this.#leave(fill, fill.lots);
    }
    const size = Math.abs(after.lots);
    if (size > this.#most) this.#most = size;
  }

  /** The P&L of the open round trip moved between these bounds, quote units. */
  moved(lowest: number, highest: number): void {
    if (lowest < this.#worst) this.#worst = lowest;
    if (highest > this.#best) this.#best = highest;
  }

  /** A gap begins or lasts while this round trip is open. */
  markGap(): void {
    this.#isInGap = true;
  }

  #begin({ side, time, ticks }: Fill, lots: number): void {
    this.#side = side;
    this.#entryTime = time;
    this.#most = 0;
    this.#lotsIn = lots;
    this.#stepsIn = lots * ticks;
    this.#lotsOut = 0;
    this.#stepsOut = 0;
    this.#worst = 0;
    this.#best = 0;
    this.#isInGap = false;
  }

  #leave({ ticks }: Fill, lots: number): void {
    this.#lotsOut += lots;
    this.#stepsOut += lots * ticks;
  }

  #end(exitTime: number, after: Position, fees: Amount): void {
    const funding = after.funding === 0n ? 0 : amountOfMoney(after.funding);
    const net = sumOf(sumOf(after.realisedAmount, fees), funding);
    const pnl = differenceOf(net, this.#net);
    this.totals.add(this.#side, exitTime - this.#entryTime, pnl, this.#isInGap);
    const kept = this.#kept;
    if (kept.length < this.#mostKept) {
      const result = this.totals.last;
      kept.add();
      kept.put(SIZE, this.#side === 'buy' ? this.#most : -this.#most);
      kept.put(ENTRY_TIME, this.#entryTime);
      kept.put(EXIT_TIME, exitTime);
      kept.put(ENTRY_TICKS, this.#stepsIn / this.#lotsIn);
      kept.put(EXIT_TICKS, this.#stepsOut / this.#lotsOut);
      kept.putMoney(PNL, pnl);
      kept.putMoney(FEES, differenceOf(this.#fees, fees));
      kept.putMoney(FUNDING, differenceOf(funding, this.#funding));
      kept.put(WORST, Math.min(this.#worst, result));
      kept.put(BEST, Math.max(this.#best, result));
      kept.put(IS_IN_GAP, this.#isInGap ? 1 : 0);
    }
    this.#net = net;
    this.#fees = fees;
    this.#funding = funding;
  }

  #trip(at: number): RoundTrip {
    const kept = this.#kept;
    const size = kept.at(at, SIZE);
    return {
      side: size > 0 ? 'buy' : 'sell',
      entryTime: kept.at(at, ENTRY_TIME),
      exitTime: kept.at(at, EXIT_TIME),
      lots: Math.abs(size) as Lots,
      entryTicks: kept.at(at, ENTRY_TICKS),
      exitTicks: kept.at(at, EXIT_TICKS),
      pnl: kept.moneyAt(at, PNL),
      fees: kept.moneyAt(at, FEES),
      funding: kept.moneyAt(at, FUNDING),
      worst: kept.at(at, WORST),
      best: kept.at(at, BEST),
      isInGap: kept.at(at, IS_IN_GAP) === 1,
    };
  }
}
