import type { Side } from '../../model/side.js';

/** What a book needs to know of a resting order; the links belong to the book. */
export interface Restable<O> {
  readonly side: Side;
  readonly limitTicks: number;
  /** Lots that the depth shows of it. Displayed orders come before hidden ones at the same price. */
  readonly displayed: number;
  readonly isHidden: boolean;
  level: PriceLevel<O> | undefined;
  before: O | undefined;
  after: O | undefined;
}

/**
 * The orders at one price: displayed before hidden, then first come, first served. A linked list, so that any order can
 * be removed in O(1).
 */
export class PriceLevel<O> {
  readonly ticks: number;
  /** Sum of the displayed lots; 0 when all orders are hidden. */
  lots = 0;
  first: O | undefined = undefined;
  last: O | undefined = undefined;
  /** The first hidden order; all after it are hidden too. `undefined` when none is. */
  firstHidden: O | undefined = undefined;

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
    // Reading index −1 would be a slow property lookup.
    const { length } = this.#levels;
    return length === 0 ? undefined : this.#levels[length - 1];
  }

  get size(): number {
    return this.#levels.length;
  }

  /** The best price with displayed lots; hidden orders at better prices are ignored. */
  get bestDisplayed(): PriceLevel<O> | undefined {
    for (let at = this.#levels.length - 1; at >= 0; at--) {
      const level = this.#levels[at] as PriceLevel<O>;
      if (level.lots > 0) return level;
    }
    return undefined;
  }

  /** Level by rank, counted from the best, which is 0. */
  level(rank: number): PriceLevel<O> | undefined {
    const at = this.#levels.length - 1 - rank;
    return at < 0 ? undefined : this.#levels[at];
  }

  /** Adds the order at the end of the queue of its price. */
  add(order: O): void {
    const level = this.#open(order.limitTicks);
    const { firstHidden } = level;
    order.level = level;
    if (firstHidden !== undefined && !order.isHidden) {
      insertBefore(level, firstHidden, order);
    } else {
      append(level, order);
      if (firstHidden === undefined && order.isHidden) level.firstHidden = order;
    }
    level.lots += order.displayed;
  }

  /** Removes the order with all that it has left. */
  remove(order: O): void {
    const level = order.level;
    if (level === undefined) return;
    unlink(level, order);
    level.lots -= order.displayed;
    order.level = undefined;
    order.before = undefined;
    order.after = undefined;
    if (level.first !== undefined) return;
    const at = this.#find(level.ticks);
    if (at === this.#levels.length - 1) this.#levels.pop();
    else this.#levels.splice(at, 1);
  }

  #open(ticks: number): PriceLevel<O> {
    const at = this.#find(ticks);
    const isWorst = at === this.#levels.length;
    if (!isWorst && this.#levels[at]?.ticks === ticks) return this.#levels[at];
    const level = new PriceLevel<O>(ticks);
    if (isWorst) this.#levels.push(level);
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

/** A resting order shows its next `displayed` lots, and moves to the end of the displayed queue of its price. */
export function replenish<O extends Restable<O>>(order: O): void {
  const { level } = order;
  if (level === undefined) return;
  level.lots += order.displayed;
  if (order.after === level.firstHidden) return;
  unlink(level, order);
  if (level.firstHidden === undefined) append(level, order);
  else insertBefore(level, level.firstHidden, order);
}

function append<O extends Restable<O>>(level: PriceLevel<O>, order: O): void {
  const { last } = level;
  order.before = last;
  order.after = undefined;
  if (last === undefined) level.first = order;
  else last.after = order;
  level.last = order;
}

function unlink<O extends Restable<O>>(level: PriceLevel<O>, order: O): void {
  const { before, after } = order;
  if (before === undefined) level.first = after;
  else before.after = after;
  if (after === undefined) level.last = before;
  else after.before = before;
  if (level.firstHidden === order) level.firstHidden = after;
}

function insertBefore<O extends Restable<O>>(level: PriceLevel<O>, next: O, order: O): void {
  const { before } = next;
  order.before = before;
  order.after = next;
  if (before === undefined) level.first = order;
  else before.after = order;
  next.before = order;
}

/** Both sides of a book. They never cross, because an order trades whatever it can before it rests. */
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
