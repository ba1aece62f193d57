import { numberOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { StandingWant } from './standing-want.js';

/**
 * How long, ms, after a trade at or beyond the stop the waiting order has to close the position before the engine closes it
 * by an order of its own: as long as a market order waits for liquidity (`architecture.md`, Takers).
 */
const GRACE_MS = 10_000;

/**
 * Watches the trades for the stop of the standing want. The order that waits at the venue does the closing; the guard
 * knows that the position is not wanted any more, and that somebody has to close it where that order does not.
 *
 * Once stopped out, the want counts as a position of 0 until the strategy wants another quantity: a strategy that repeats
 * its want, also with another stop, is not put back into the position that the stop has ended.
 */
export class StopGuard {
  /** A trade strictly between these prices, quote units, does not hit the stop. */
  above = Number.NEGATIVE_INFINITY;
  below = Number.POSITIVE_INFINITY;
  isOut = false;
  /** Event time at which the present stop was wanted first: an older trade, which shows late, has not hit it. */
  since = Number.NEGATIVE_INFINITY;
  /** Event time from which the engine closes the position itself; Infinity: no such time is to come. */
  dueAt = Number.POSITIVE_INFINITY;
  #isDue = false;

  /**
   * The want has changed at `now`, event time. True when the newest trade is at or beyond its stop already. `last`: quote
   * units, NaN before the first.
   */
  turn(market: Market, want: StandingWant, before: StandingWant, last: number, now: number): boolean {
    this.#disarm();
    if (want.kind !== 'position') {
      this.#forget();
      return false;
    }
    const isSame = before.kind === 'position' && before.lots === want.lots;
    if (this.isOut && isSame) return false;
    this.#forget();
    if (want.stop === undefined) return false;
    if (!isSameStop(want, before)) this.since = now;
    const price = numberOf(market.priceGrid, want.stop);
    if (want.lots > 0) this.above = price;
    else this.below = price;
    if (Number.isNaN(last) || this.spares(last)) return false;
    this.hit(0, false);
    return true;
  }

  /** A trade at this price does not hit the stop. */
  spares(price: number): boolean {
    return price > this.above && price < this.below;
  }

  /** A trade has hit the stop, or its order was filled. `isWaiting`: an order that closes the position is at the venue. */
  hit(now: number, isWaiting: boolean): void {
    if (this.isOut) return;
    this.#disarm();
    this.isOut = true;
    this.#isDue = !isWaiting;
    if (isWaiting) this.dueAt = now + GRACE_MS;
  }

  /** `dueAt` has come. */
  due(): void {
    this.dueAt = Number.POSITIVE_INFINITY;
    this.#isDue = true;
  }

  /** The waiting order still has time to close the position. */
  get leavesItToOrder(): boolean {
    return this.isOut && !this.#isDue;
  }

  #disarm(): void {
    this.above = Number.NEGATIVE_INFINITY;
    this.below = Number.POSITIVE_INFINITY;
  }

  #forget(): void {
    this.isOut = false;
    this.#isDue = false;
    this.dueAt = Number.POSITIVE_INFINITY;
  }
}

function isSameStop(want: StandingWant, before: StandingWant): boolean {
  if (want.kind !== 'position' || before.kind !== 'position') return false;
  return want.stop === before.stop && want.lots > 0 === before.lots > 0;
}
