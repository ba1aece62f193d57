import type { Fill } from '../model/fill.js';
import { type Lots, NO_LOTS } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { divCeil, type Money } from '../model/money.js';
import { execute } from '../model/position.js';
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

/** Collects round trips from fills in their order. */
export class RoundTrips {
  readonly #market: Market;
  readonly #done: RoundTrip[] = [];
  #lots: Lots = NO_LOTS;
  #cost: Money = 0n;
  #open = { side: 'buy' as Side, entryTime: 0, lots: 0, pnl: 0n, fees: 0n };

  constructor(market: Market) {
    this.#market = market;
  }

  get done(): readonly RoundTrip[] {
    return this.#done;
  }

  add(fill: Fill): void {
    const before = this.#lots;
    const next = execute(this.#market, before, this.#cost, fill);
    this.#lots = next.lots;
    this.#cost = next.cost;
    const flips = before !== 0 && next.lots !== 0 && before > 0 !== next.lots > 0;
    // A flip's fee is split by quantity, the closing part rounded up.
    const closingFee = flips ? divCeil(fill.fee * BigInt(Math.abs(before)), BigInt(fill.lots)) : fill.fee;
    if (before === 0) this.#begin(fill, fill.fee);
    else {
      this.#open.pnl += next.realised - closingFee;
      this.#open.fees += closingFee;
      if (flips || next.lots === 0) this.#end(fill.time);
      if (flips) this.#begin(fill, fill.fee - closingFee);
    }
    this.#open.lots = Math.max(this.#open.lots, Math.abs(next.lots));
  }

  #begin(fill: Fill, fee: Money): void {
    this.#open = { side: fill.side, entryTime: fill.time, lots: 0, pnl: -fee, fees: fee };
  }

  #end(exitTime: number): void {
    const { lots, ...rest } = this.#open;
    this.#done.push({ ...rest, exitTime, lots: lots as Lots });
  }
}
