import type { Fill } from '../model/fill.js';
import { type Lots, NO_LOTS } from '../model/grid.js';
import { divCeil, type Money } from '../model/money.js';
import type { Position } from '../model/position.js';
import type { Side } from '../model/side.js';

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

/** Collects round trips from fills in their order, each with the position after it. */
export class RoundTrips {
  readonly #done: RoundTrip[] = [];
  #lots: Lots = NO_LOTS;
  #side: Side = 'buy';
  #entryTime = 0;
  #most = 0;
  /** Realised P&L and fees (as P&L) of all time, at the end of the last round trip. */
  #realised: Money = 0n;
  #fees: Money = 0n;

  get done(): readonly RoundTrip[] {
    return this.#done;
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
    this.#done.push({
      side: this.#side,
      entryTime: this.#entryTime,
      exitTime,
      lots: this.#most as Lots,
      pnl: realised + fees - this.#realised - this.#fees,
      fees: this.#fees - fees,
    });
    this.#realised = realised;
    this.#fees = fees;
  }
}
