import type { Fill } from '../model/fill.js';
import { type Lots, NO_LOTS } from '../model/grid.js';
import { divCeil, type Money } from '../model/money.js';
import type { Position } from '../model/position.js';
import type { Side } from '../model/side.js';
import { MoneyColumn, NumberColumn } from './columns.js';

/** One excursion from flat to flat. Partial fills are one round trip; a flip ends one and begins the next. */
export interface RoundTrip {
  /** Side of the entry. */
  readonly side: Side;
  readonly entryTime: number;
  readonly exitTime: number;
  /** Largest size held. */
  readonly lots: Lots;
  /** Realised, net of fees. */
  readonly pnl: Money;
  readonly fees: Money;
}

/**
 * Collects round trips from fills in their order, each with the position after it. They are kept as columns, since
 * they live to the end: a million objects would be copied and marked by the garbage collector again and again.
 */
export class RoundTrips {
  /** Largest size held, negative for a short one. */
  readonly #sizes = new NumberColumn();
  readonly #entryTimes = new NumberColumn();
  readonly #exitTimes = new NumberColumn();
  readonly #pnls = new MoneyColumn();
  readonly #feesPaid = new MoneyColumn();
  #lots: Lots = NO_LOTS;
  #side: Side = 'buy';
  #entryTime = 0;
  #most = 0;
  /** Realised P&L net of fees, and fees (as P&L), of all time, at the end of the last round trip. */
  #net: Money = 0n;
  #fees: Money = 0n;

  get count(): number {
    return this.#sizes.length;
  }

  /** Those that ended so far, made anew by every call. */
  get done(): readonly RoundTrip[] {
    return Array.from({ length: this.count }, (_, i) => this.#trip(i));
  }

  add(fill: Fill, after: Position): void {
    const before = this.#lots;
    this.#lots = after.lots;
    if (before === 0) this.#begin(fill);
    else if (after.lots === 0) this.#end(fill.time, after.realised, after.fees);
    else if (before > 0 !== after.lots > 0) {
      // A flip's fee is split by quantity, the closing part rounded up; the opening part belongs to the next trip.
      const closingFee = divCeil(fill.fee * BigInt(Math.abs(before)), BigInt(fill.lots));
      this.#end(fill.time, after.realised, after.fees + fill.fee - closingFee);
      this.#begin(fill);
    }
    const size = Math.abs(after.lots);
    if (size > this.#most) this.#most = size;
  }

  #begin({ side, time }: Fill): void {
    this.#side = side;
    this.#entryTime = time;
    this.#most = 0;
  }

  #end(exitTime: number, realised: Money, fees: Money): void {
    this.#sizes.push(this.#side === 'buy' ? this.#most : -this.#most);
    this.#entryTimes.push(this.#entryTime);
    this.#exitTimes.push(exitTime);
    const net = realised + fees;
    this.#pnls.push(net - this.#net);
    this.#feesPaid.push(this.#fees - fees);
    this.#net = net;
    this.#fees = fees;
  }

  #trip(at: number): RoundTrip {
    const size = this.#sizes.at(at);
    return {
      side: size > 0 ? 'buy' : 'sell',
      entryTime: this.#entryTimes.at(at),
      exitTime: this.#exitTimes.at(at),
      lots: Math.abs(size) as Lots,
      pnl: this.#pnls.at(at),
      fees: this.#feesPaid.at(at),
    };
  }
}
