import type { TriggerEvent } from '../../model/order.js';
import type { CoreOrder } from './account.js';
import type { EventPrices } from './event-prices.js';

/** Waiting triggers of one event and direction, sorted so that one comparison tells whether any is due. */
class Side {
  readonly #sign: 1 | -1;
  /** The order that is due first is the last one. */
  readonly #orders: CoreOrder[] = [];

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  add(order: CoreOrder): void {
    this.#orders.splice(this.#endOf(order), 0, order);
  }

  remove(order: CoreOrder): void {
    const at = this.#endOf(order) - 1;
    if (this.#orders[at] === order) this.#orders.splice(at, 1);
  }

  take(price: number, into: CoreOrder[]): void {
    for (;;) {
      const order = this.#orders.at(-1);
      if (order === undefined || this.#sign * (price - triggerPrice(order)) < 0) return;
      this.#orders.pop();
      into.push(order);
    }
  }

  /** The price of the order that is due first; out of all reach when none waits. */
  get nearest(): number {
    const order = this.#orders.at(-1);
    return order === undefined ? this.#sign * Number.POSITIVE_INFINITY : triggerPrice(order);
  }

  /** Number of orders up to and including this one's place. Of the same price, the youngest comes first. */
  #endOf(order: CoreOrder): number {
    const rank = this.#sign * triggerPrice(order);
    let low = 0;
    let high = this.#orders.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#orders[middle] as CoreOrder;
      const ahead = this.#sign * triggerPrice(other) - rank;
      if (ahead > 0 || (ahead === 0 && other.sequence >= order.sequence)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The triggers of a market: those that wait for a price, and those whose price was reached (`money.md` §4). */
export class TriggerQueue {
  readonly #rising = { mark: new Side(1), index: new Side(1), last: new Side(1) };
  readonly #falling = { mark: new Side(-1), index: new Side(-1), last: new Side(-1) };
  /** Triggers whose event has no price yet; the first price decides their direction. */
  #undecided: CoreOrder[] = [];
  /** Due triggers: those of earlier updates first, those of one step in the order of submission. */
  readonly #due: CoreOrder[] = [];
  /** Triggers that were reached since the last sort. */
  #met: CoreOrder[] = [];

  add(order: CoreOrder, prices: EventPrices): void {
    if (!this.#decide(order, prices)) this.#undecided.push(order);
  }

  /** Removes an order that no longer waits, for whatever reason. */
  remove(order: CoreOrder): void {
    const { rises } = stateOf(order);
    if (rises === undefined) this.#undecided = this.#undecided.filter((other) => other !== order);
    else (rises ? this.#rising : this.#falling)[eventOf(order)].remove(order);
  }

  /** To be called when prices have changed. */
  update(prices: EventPrices): void {
    if (this.#undecided.length > 0) {
      this.#undecided = this.#undecided.filter((order) => !this.#decide(order, prices));
    }
    for (const event of ['mark', 'index', 'last'] as const) {
      const price = prices[event];
      if (price === undefined) continue;
      this.#rising[event].take(price, this.#met);
      this.#falling[event].take(price, this.#met);
    }
  }

  /**
   * A price strictly between these two, quote units, reaches no trigger, whatever its event. There is none while the
   * direction of a trigger is undecided.
   */
  get above(): number {
    if (this.#undecided.length > 0) return Number.POSITIVE_INFINITY;
    const { mark, index, last } = this.#falling;
    return Math.max(mark.nearest, index.nearest, last.nearest);
  }

  get below(): number {
    if (this.#undecided.length > 0) return Number.NEGATIVE_INFINITY;
    const { mark, index, last } = this.#rising;
    return Math.min(mark.nearest, index.nearest, last.nearest);
  }

  /** The trigger that fires next; `undefined` when none is due. */
  get next(): CoreOrder | undefined {
    if (this.#met.length > 0) {
      this.#due.push(...this.#met.sort((a, b) => a.sequence - b.sequence));
      this.#met = [];
    }
    for (;;) {
      const [order] = this.#due;
      if (order === undefined || order.status === 'untriggered') return order;
      // It has fired or was canceled meanwhile.
      this.#due.shift();
    }
  }

  /** Decides the direction by the present price: above or below it. At the price, the trigger is due at once. */
  #decide(order: CoreOrder, prices: EventPrices): boolean {
    const price = prices[eventOf(order)];
    if (price === undefined) return false;
    const trigger = triggerPrice(order);
    stateOf(order).rises = trigger > price;
    if (trigger === price) this.#met.push(order);
    else (trigger > price ? this.#rising : this.#falling)[eventOf(order)].add(order);
    return true;
  }
}

function stateOf(order: CoreOrder) {
  return order.special as NonNullable<CoreOrder['special']>;
}

function eventOf(order: CoreOrder): TriggerEvent {
  return order.options.trigger?.event ?? 'mark';
}

/** In quote units, as prices are printed. */
function triggerPrice(order: CoreOrder): number {
  return (order.options.trigger?.ticks ?? 0) / order.holding.state.market.priceGrid.scale;
}
