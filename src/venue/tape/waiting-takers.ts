import type { Ticks } from '../../model/grid.js';
import type { Side } from '../../model/side.js';
import type { LiquidityOrder } from '../liquidity.js';
import { InvariantError } from '../../model/errors.js';

/** What a fill-or-kill order would get once that is all of it, in order. */
export interface Plan {
  readonly parts: { readonly ticks: Ticks; lots: number }[];
  total: number;
}

/** An order that waits for prints of its own aggressor side. */
export interface Taker {
  readonly order: LiquidityOrder;
  /** Only prints later than this act on it, ms. */
  readonly since: number;
  /** Inclusive, ms. */
  readonly deadline: number;
  /** Fill-or-kill orders only. */
  readonly plan: Plan | undefined;
  /** Fill-or-kill: an own resting order stands in its way, so it finds no more. */
  isStopped: boolean;
  /** It left while a print was being applied. */
  isGone: boolean;
}

const NONE: readonly never[] = [];

/** The takers of a market, by age, and when the first of their windows ends. */
export class WaitingTakers {
  /** Each change makes a new list, because it changes while they execute; it is one, mostly. */
  #takers: readonly Taker[] = NONE;
  #nextDeadline = Number.POSITIVE_INFINITY;
  #buys = 0;

  get size(): number {
    return this.#takers.length;
  }

  /** How many wait for prints of an aggressor. */
  countOf(isSell: boolean): number {
    return isSell ? this.#takers.length - this.#buys : this.#buys;
  }

  /** Infinity when nobody waits. */
  get nextDeadline(): number {
    return this.#nextDeadline;
  }

  add(order: LiquidityOrder, since: number, deadline: number, fillOrKill: boolean): void {
    const plan = fillOrKill ? { parts: [], total: 0 } : undefined;
    const taker = { order, since, deadline, plan, isStopped: false, isGone: false };
    this.#takers = this.#takers.length === 0 ? [taker] : [...this.#takers, taker];
    if (order.side === 'buy') this.#buys++;
    if (deadline < this.#nextDeadline) this.#nextDeadline = deadline;
  }

  /** False when it does not wait here. */
  remove(order: LiquidityOrder): boolean {
    if (this.#takers.length === 0) return false;
    for (let at = 0; at < this.#takers.length; at++) {
      if (this.#takers[at]?.order !== order) continue;
      this.#removeAt(at);
      return true;
    }
    return false;
  }

  /** The takers of one side as they are now, oldest first. */
  of(side: Side): readonly Taker[] {
    const count = side === 'buy' ? this.#buys : this.#takers.length - this.#buys;
    if (count === 0) return NONE;
    if (count === this.#takers.length) return this.#takers;
    return this.#takers.filter(({ order }) => order.side === side);
  }

  /** Removes the taker whose window ends first, the older one of two. */
  takeFirstDue(): Taker {
    const at = this.#takers.findIndex((taker) => taker.deadline === this.#nextDeadline);
    const taker = this.#takers[at];
    if (taker === undefined)
      throw new InvariantError('a window that ends must have its taker, received none');
    this.#removeAt(at);
    return taker;
  }

  #removeAt(at: number): void {
    const taker = this.#takers[at] as Taker;
    taker.isGone = true;
    if (taker.order.side === 'buy') this.#buys--;
    this.#takers = this.#takers.length === 1 ? NONE : this.#takers.filter((other) => other !== taker);
    this.#nextDeadline = Number.POSITIVE_INFINITY;
    for (const { deadline } of this.#takers) if (deadline < this.#nextDeadline) this.#nextDeadline = deadline;
  }
}
