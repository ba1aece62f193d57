import type { Side } from '../../model/side.js';

/** What a book needs to know of an order that rests in it; the links belong to the book. */
export interface Restable<O> {
  readonly side: Side;
  readonly limitTicks: number;
  readonly leaves: number;
  level: PriceLevel<O> | undefined;
  before: O | undefined;
  after: O | undefined;
}

/** The orders at one price, first come first: a linked list, so that any order leaves in O(1). */
export class PriceLevel<O> {
  readonly ticks: number;
  /** Sum of what its orders have left. */
  lots = 0;
  first: O | undefined = undefined;
  last: O | undefined = undefined;

  constructor(ticks: number) {
    this.ticks = ticks;
  }
}

/**
 * One side of an order book. Levels stand in an array, best price **last**: the best is read in O(1), finding a price
 * is a binary search, and opening or closing a level moves only the levels better than it, of which there are few
 * where trading takes place. Joining and leaving an existing level are O(1) after the search.
 */
export class BookSide<O extends Restable<O>> {
  /** +1 on the bid side, where a higher price is better; −1 on the ask side. */
  readonly #sign: 1 | -1;
  readonly #levels: PriceLevel<O>[] = [];

  constructor(side: Side) {
    this.#sign = side === 'buy' ? 1 : -1;
  }

  get best(): PriceLevel<O> | undefined {
    // An index of −1 would be looked up as a property, slowly.
    const { length } = this.#levels;
    return length === 0 ? undefined : this.#levels[length - 1];
  }

  get size(): number {
    return this.#levels.length;
  }

  /** Levels counted from the best, which is 0. */
  level(rank: number): PriceLevel<O> | undefined {
    const at = this.#levels.length - 1 - rank;
    return at < 0 ? undefined : this.#levels[at];
  }

  /** At the end of the queue of its price. */
  add(order: O): void {
    const level = this.#open(order.limitTicks);
    const last = level.last;
    order.level = level;
    order.before = last;
    order.after = undefined;
    if (last === undefined) level.first = order;
    else last.after = order;
    level.last = order;
    level.lots += order.leaves;
  }

  /** Takes the order out with whatever it has left. */
  remove(order: O): void {
    const level = order.level;
    if (level === undefined) return;
    const { before, after } = order;
    if (before === undefined) level.first = after;
    else before.after = after;
    if (after === undefined) level.last = before;
    else after.before = before;
    level.lots -= order.leaves;
    order.level = undefined;
    order.before = undefined;
    order.after = undefined;
    if (level.first === undefined) this.#levels.splice(this.#find(level.ticks), 1);
  }

  #open(ticks: number): PriceLevel<O> {
    const at = this.#find(ticks);
    const found = this.#levels[at];
    if (found !== undefined && found.ticks === ticks) return found;
    const level = new PriceLevel<O>(ticks);
    if (at === this.#levels.length) this.#levels.push(level);
    else this.#levels.splice(at, 0, level);
    return level;
  }

  /** Index of the first level that is not worse than the price. */
  #find(ticks: number): number {
    const levels = this.#levels;
    const rank = this.#sign * ticks;
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sign * (levels[middle] as PriceLevel<O>).ticks < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Both sides. It never crosses, because whatever could trade does so before it rests. */
export class Book<O extends Restable<O>> {
  readonly bids = new BookSide<O>('buy');
  readonly asks = new BookSide<O>('sell');

  side(side: Side): BookSide<O> {
    return side === 'buy' ? this.bids : this.asks;
  }

  /** The side that an incoming order of `side` trades with. */
  against(side: Side): BookSide<O> {
    return side === 'buy' ? this.asks : this.bids;
  }
}
