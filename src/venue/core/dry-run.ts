import type { Ticks } from '../../model/grid.js';
import type { CoreOrder, Holding } from './account.js';
import type { Book, PriceLevel } from './book.js';
import type { OcoGroup } from './oco-groups.js';

export interface DryRun {
  /** Lots that the order would execute against the book at present. */
  readonly lots: number;
  /** Price of the order of its own account at which it would stop; `undefined`: it would meet none. */
  readonly stopsAt: Ticks | undefined;
}

/** What a fill of a member of an oco group in the dry run did to the other members. */
interface Strike {
  /** The member with the group's first fill: the others, except reduce-only ones, are gone. */
  readonly by: CoreOrder | undefined;
  /** A member has filled completely: the reduce-only members are gone as well. */
  isCompleted: boolean;
}

/**
 * Computes the match of an incoming order without executing it. It considers everything that could execute: hidden
 * orders, icebergs with all slices, reduce-only orders as far as their position allows when their turn comes, oco groups
 * as their members fill, and own orders, at which the match ends.
 *
 * `hasStruck`: the order's own group counts as struck from the start, as it does when a trigger fires.
 */
export function dryRun(book: Book<CoreOrder>, order: CoreOrder, hasStruck = false): DryRun {
  return new Trial(order, hasStruck).run(book);
}

class Trial {
  readonly #order: CoreOrder;
  readonly #isBuy: boolean;
  readonly #wanted: number;
  #left: number;
  #stopsAt: Ticks | undefined;
  // Created on demand, because nearly every trial ends at the first level.
  #sizes: Map<Holding, number> | undefined;
  #strikes: Map<OcoGroup<CoreOrder>, Strike> | undefined;

  constructor(order: CoreOrder, hasStruck: boolean) {
    this.#order = order;
    this.#isBuy = order.side === 'buy';
    const { leaves, holding, special, terms } = order;
    this.#left = terms.reduceOnly ? Math.min(leaves, Math.abs(holding.lots)) : leaves;
    this.#wanted = this.#left;
    if (hasStruck && special?.group !== undefined) this.#strike(order, special.group, false);
  }

  run(book: Book<CoreOrder>): DryRun {
    const { limitTicks, side } = this.#order;
    const against = book.against(side);
    for (let rank = 0; this.#goesOn; rank++) {
      const level = against.level(rank);
      if (level === undefined || (this.#isBuy ? level.ticks > limitTicks : level.ticks < limitTicks)) break;
      this.#runLevel(level);
    }
    return { lots: this.#wanted - this.#left, stopsAt: this.#stopsAt };
  }

  get #goesOn(): boolean {
    return this.#left > 0 && this.#stopsAt === undefined;
  }

  /** Displayed orders, then the further slices of icebergs in turn, then hidden orders. */
  #runLevel(level: PriceLevel<CoreOrder>): void {
    let icebergs: { readonly maker: CoreOrder; readonly slice: number; left: number }[] | undefined;
    let maker = level.first;
    for (; maker !== level.firstHidden && maker !== undefined && this.#goesOn; maker = maker.after) {
      const slice = maker.special?.slice ?? 0;
      if (slice === 0) {
        this.#meet(maker, maker.leaves, maker.leaves);
        continue;
      }
      const lots = this.#meet(maker, maker.displayed, maker.leaves);
      const left = maker.leaves - lots;
      if (lots === maker.displayed && left > 0) {
        icebergs ??= [];
        icebergs.push({ maker, slice, left });
      }
    }
    for (const iceberg of icebergs ?? []) {
      if (!this.#goesOn) return;
      const shown = Math.min(iceberg.slice, iceberg.left);
      const lots = this.#meet(iceberg.maker, shown, iceberg.left);
      iceberg.left -= lots;
      // The array grows while it is iterated: the queue goes round until all slices or the order are used up.
      if (lots === shown && iceberg.left > 0) icebergs?.push(iceberg);
    }
    for (maker = level.firstHidden; maker !== undefined && this.#goesOn; maker = maker.after) {
      this.#meet(maker, maker.leaves, maker.leaves);
    }
  }

  /** Trades with up to `shown` lots of a maker that has `leaves` left; returns the number of lots. */
  #meet(maker: CoreOrder, shown: number, leaves: number): number {
    const { holding, terms } = maker;
    const group = maker.special?.group;
    if (group !== undefined && this.#isGone(maker, group)) return 0;
    const order = this.#order;
    if (maker.account === order.account && !order.account.isCrowd) {
      this.#stopsAt = maker.limitTicks;
      return 0;
    }
    let lots = Math.min(this.#left, shown);
    if (holding.reduceOnlyCount > 0) {
      // A resting sell trades with a buyer and lowers its account's position; a resting buy raises it.
      this.#sizes ??= new Map();
      const size = this.#sizes.get(holding) ?? holding.lots;
      if (terms.reduceOnly) lots = Math.min(lots, Math.max(0, this.#isBuy ? size : -size));
      this.#sizes.set(holding, this.#isBuy ? size - lots : size + lots);
    }
    if (lots === 0) return 0;
    this.#left -= lots;
    if (group !== undefined) this.#strike(maker, group, lots === leaves);
    const own = order.special?.group;
    if (own !== undefined) this.#strike(order, own, this.#left === 0);
    return lots;
  }

  #strike(member: CoreOrder, group: OcoGroup<CoreOrder>, isCompleted: boolean): void {
    this.#strikes ??= new Map();
    const strike = this.#strikes.get(group);
    if (strike === undefined) {
      this.#strikes.set(group, { by: group.isStruck ? undefined : member, isCompleted });
    } else if (isCompleted) {
      strike.isCompleted = true;
    }
  }

  #isGone(maker: CoreOrder, group: OcoGroup<CoreOrder>): boolean {
    const strike = this.#strikes?.get(group);
    if (strike === undefined) return false;
    return maker.terms.reduceOnly ? strike.isCompleted : strike.by !== undefined && strike.by !== maker;
  }
}
