import type { TriggerEvent } from '../../model/order.js';
import type { CoreOrder } from './account.js';
import type { EventPrices } from './event-prices.js';

/** Waiting triggers of one event and direction: whether one is due costs one comparison. */
class Side {
  readonly #sign: 1 | -1;
  /** The one that is due first stands last. */
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

  /** How many stand before it and it; of the same price the youngest stands first. */
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

/** The triggers of a market that wait for a price, and those whose price has come (`money.md` §4). */
export class TriggerQueue {
  readonly #rising = { mark: new Side(1), index: new Side(1), last: new Side(1) };
  readonly #falling = { mark: new Side(-1), index: new Side(-1), last: new Side(-1) };
  /** Their event has no price yet; the first one decides their direction. */
  #undecided: CoreOrder[] = [];
  /** Updates that met some, oldest first; those of one step by submission. */
  readonly #due: CoreOrder[] = [];
  /** Met since `sort`. */
  #met: CoreOrder[] = [];

  add(order: CoreOrder, prices: EventPrices): void {
    if (!this.#decide(order, prices)) this.#undecided.push(order);
  }

  /** It waits no more, whatever the reason. */
  remove(order: CoreOrder): void {
    const { rises } = stateOf(order);
    if (rises === undefined) this.#undecided = this.#undecided.filter((other) => other !== order);
    else (rises ? this.#rising : this.#falling)[eventOf(order)].remove(order);
  }

  /** Prices are new. */
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

  /** The one that fires next; `undefined` when none is due. */
  get next(): CoreOrder | undefined {
    if (this.#met.length > 0) {
      this.#due.push(...this.#met.sort((a, b) => a.sequence - b.sequence));
      this.#met = [];
    }
    for (;;) {
      const [order] = this.#due;
      if (order === undefined || order.status === 'untriggered') return order;
      // It has fired, or it was cancelled since.
      this.#due.shift();
    }
  }

  /** The direction is read from where the trigger price lies now; at the price it is due at once. */
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
