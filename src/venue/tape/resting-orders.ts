import type { Ticks } from '../../model/grid.js';
import type { LiquidityOrder } from '../liquidity.js';
import type { Side } from '../../model/side.js';

/** An own order in the queue of its level. */
export interface Resting {
  readonly order: LiquidityOrder;
  /** Only prints later than this can fill it, ms. */
  readonly since: number;
  /** Lots of the street that trade before it at its price, counted from the front of the queue. */
  ahead: number;
  /** It was removed while a print was being applied. */
  isGone: boolean;
}

/** The own orders that rest on one side: best price first, then the oldest. */
export class RestingOrders {
  readonly #scale: number;
  /** +1 when a higher price is better (bids), −1 when a lower one is (asks). */
  readonly #sign: 1 | -1;
  readonly #orders: Resting[] = [];
  /**
   * The orders that the present print reaches: a copy, because the list changes while they execute. Reused between
   * prints.
   */
  readonly #touched: Resting[] = [];
  readonly #none: number;
  #bestPrice: number;

  constructor(side: Side, scale: number) {
    this.#scale = scale;
    this.#sign = side === 'buy' ? 1 : -1;
    this.#none = side === 'buy' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    this.#bestPrice = this.#none;
  }

  get size(): number {
    return this.#orders.length;
  }

  /** The best limit as a printed price; −Infinity (bids) or +Infinity (asks) when nothing rests. */
  get bestPrice(): number {
    return this.#bestPrice;
  }

  /**
   * Puts the order behind the others at its price, but before hidden ones. The street's volume ahead of it is at least
   * that ahead of the orders before it.
   */
  add(order: LiquidityOrder, since: number, ahead: number): void {
    const at =
      order.isHidden === true ? this.#endOf(order.limitTicks) : this.#endOfDisplayed(order.limitTicks);
    const before = at === 0 ? undefined : this.#orders[at - 1];
    const shared = before !== undefined && before.order.limitTicks === order.limitTicks ? before.ahead : 0;
    const resting = { order, since, ahead: Math.max(ahead, shared), isGone: false };
    // Usually it is the only order, and `push` is cheaper than `splice`.
    if (at === this.#orders.length) this.#orders.push(resting);
    else this.#orders.splice(at, 0, resting);
    this.#refresh();
  }

  /** False when the order does not rest here. */
  remove(order: LiquidityOrder): boolean {
    // A shortcut, since this is also called for every taker that is done.
    if (this.#orders.length === 0) return false;
    for (let at = this.#endOf(order.limitTicks) - 1; at >= 0; at--) {
      const resting = this.#orders[at] as Resting;
      if (resting.order === order) {
        resting.isGone = true;
        if (at === this.#orders.length - 1) this.#orders.pop();
        else this.#orders.splice(at, 1);
        this.#refresh();
        return true;
      }
      if (resting.order.limitTicks !== order.limitTicks) return false;
    }
    return false;
  }

  /** The orders whose limit a print reaches or passes, best first; valid until the next call. */
  touchedBy(price: number): readonly Resting[] {
    // Cheaper than setting the length to 0, which calls into the runtime.
    while (this.#touched.length > 0) this.#touched.pop();
    for (const resting of this.#orders) {
      if (this.#sign * (resting.order.limitTicks / this.#scale - price) < 0) break;
      this.#touched.push(resting);
    }
    return this.#touched;
  }

  /** In order of execution. */
  [Symbol.iterator](): IterableIterator<Resting> {
    return this.#orders.values();
  }

  /** Like `#endOf`, but before the hidden orders at the price. */
  #endOfDisplayed(ticks: Ticks): number {
    let at = this.#endOf(ticks);
    for (; at > 0; at--) {
      const { order } = this.#orders[at - 1] as Resting;
      if (order.isHidden !== true || order.limitTicks !== ticks) break;
    }
    return at;
  }

  /** Number of orders at this price or better. */
  #endOf(ticks: Ticks): number {
    const rank = this.#sign * ticks;
    let low = 0;
    let high = this.#orders.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sign * (this.#orders[middle] as Resting).order.limitTicks >= rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #refresh(): void {
    this.#bestPrice =
      this.#orders.length === 0 ? this.#none : (this.#orders[0] as Resting).order.limitTicks / this.#scale;
  }
}
