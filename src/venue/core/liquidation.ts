import type { Lots, Ticks } from '../../model/grid.js';
import type { Rate } from '../../model/money.js';
import type { CashBalance, CoreOrder, Holding } from './account.js';
import { deleverage } from './deleverage.js';
import type { Ledger } from './ledger.js';
import { bankruptcyTicks } from './liquidation-price.js';
import {
  crossGroup,
  type GroupPosition,
  groupOf,
  isBelowMaintenance,
  type MarginGroup,
  ordersOf,
} from './margin-group.js';
import type { Matcher } from './matcher.js';
import type { OrderDesk } from './order-desk.js';
import { insuranceNeeded, takeOver } from './take-over.js';

/** Identifies a margin group: by the cash that all cross positions share, or by one isolated holding. */
type GroupKey = CashBalance | Holding;

interface Suspect {
  readonly holding: Holding;
  readonly key: GroupKey;
  /** Index of its account among all; 0 is the oldest. */
  readonly age: number;
}

/**
 * Liquidates margin groups of customers whose equity falls below their maintenance margin (`money.md` §8). Every change
 * of a mark, a position or a cash must be announced here; `check` then liquidates until all groups are at rest.
 *
 * On a book, a slice is done when its call returns. On a tape it is a taker that waits for prints, and its group waits
 * with it, unless the equity falls to the swap threshold meanwhile.
 */
export class Liquidations {
  readonly #ledger: Ledger;
  readonly #desk: OrderDesk;
  readonly #matcherOf: (pair: string) => Matcher;
  /** Positions of customers, by market. */
  readonly #open = new Map<string, Set<Holding>>();
  readonly #suspects = new Map<GroupKey, Suspect>();
  /** Positions whose last slice filled nothing. */
  readonly #stuck = new Set<Holding>();
  /** Number of slices that wait for prints. */
  #waiting = 0;

  constructor(ledger: Ledger, desk: OrderDesk, matcherOf: (pair: string) => Matcher) {
    this.#ledger = ledger;
    this.#desk = desk;
    this.#matcherOf = matcherOf;
    ledger.touched = [];
  }

  /** Whether a slice waits for prints: once it is done, `check` must be called again. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Must be called when a customer's cash or margin changes other than by a fill. The next `check` looks at the group.
   */
  touch(holding: Holding): void {
    this.#ledger.touched?.push(holding);
  }

  /** Must be called when an order is done. */
  orderDone({ special, filled, holding }: CoreOrder): void {
    if (special?.forced !== 'slice') return;
    this.#waiting--;
    if (filled === 0) this.#stuck.add(holding);
    this.touch(holding);
  }

  /** Positions of customers on a market. */
  open(pair: string): ReadonlySet<Holding> {
    this.#takeTouched();
    return this.#openOf(pair);
  }

  /** Must be called when the mark of a market changed. */
  remark(pair: string): void {
    for (const holding of this.open(pair)) this.#suspect(holding);
  }

  /**
   * Liquidates whatever has to be after the announced changes, the oldest accounts first. Afterwards all groups are at
   * rest.
   */
  check(now: number): void {
    for (;;) {
      this.#takeTouched();
      const suspect = this.#nextSuspect();
      if (suspect === undefined) return;
      this.#liquidate(suspect, now);
    }
  }

  #liquidate({ holding, key }: Suspect, now: number): void {
    for (let isFirst = true; ; isFirst = false) {
      const group = key === holding ? groupOf(holding) : crossGroup(holding.cash);
      if (group.positions.length === 0 || !isBelowMaintenance(group)) return;
      if (isFirst) this.#cancelOrders(group, (order) => !order.isLiquidation, now);
      const largest = largestBy(group, ({ maintenance }) => maintenance);
      const { liquidation } = largest.holding.state.market;
      if (isAbove(group, liquidation.swapThreshold) && !this.#stuck.has(largest.holding)) {
        if (!hasSlice(group)) this.#slice(group, largest, now);
        if (hasSlice(group)) return;
        continue;
      }
      // The time for a slice that still waits for prints is over.
      this.#cancelOrders(group, () => true, now);
      for (const position of group.positions) this.#stuck.delete(position.holding);
      this.#resolve(group, largest, now);
    }
  }

  /** Liquidates a part of the position, or all of it if it is small, at its bankruptcy price or better. */
  #slice(group: MarginGroup, position: GroupPosition, now: number): void {
    const { holding, notional } = position;
    const { market } = holding.state;
    const { minLiquidate, liquidateThreshold } = market.liquidation;
    const held = Math.abs(holding.lots) as Lots;
    const lots =
      notional < minLiquidate ? held : share(held, liquidateThreshold, market.filters.quantity.step);
    this.#waiting++;
    this.#desk.liquidate(holding, lots, solventTicks(group, position), now);
  }

  /**
   * The provider takes the group over if the insurance fund can pay for it; otherwise positions of others are
   * deleveraged.
   */
  #resolve(group: MarginGroup, { holding }: GroupPosition, now: number): void {
    const ledger = this.#ledger;
    const { liquidation, quote } = holding.state.market;
    const needed = insuranceNeeded(group, liquidation.deleverageThreshold);
    if (ledger.cash(ledger.insurance, quote).cash >= needed) {
      takeOver(ledger, group, needed, { desk: this.#desk, now });
      return;
    }
    const largest = largestBy(group, ({ notional }) => notional);
    const { state } = largest.holding;
    const provider = ledger.holding(ledger.provider, state);
    deleverage(largest.holding, solventTicks(group, largest), {
      holders: [...this.open(state.market.pair), provider, ledger.holding(ledger.street, state)],
      provider,
      accounts: ledger.accounts,
      desk: this.#desk,
      now,
    });
  }

  #cancelOrders(group: MarginGroup, isMeant: (order: CoreOrder) => boolean, now: number): void {
    for (const order of ordersOf(group)) {
      if (order.status === 'active' && isMeant(order))
        this.#matcherOf(order.pair).end(order, 'liquidation', now);
    }
  }

  /** Of the groups below their maintenance margin, the one with the oldest account. */
  #nextSuspect(): Suspect | undefined {
    let oldest: Suspect | undefined;
    for (const suspect of this.#suspects.values()) {
      if (oldest === undefined || suspect.age < oldest.age) oldest = suspect;
    }
    if (oldest !== undefined) this.#suspects.delete(oldest.key);
    return oldest;
  }

  #takeTouched(): void {
    const { touched } = this.#ledger;
    if (touched === undefined || touched.length === 0) return;
    this.#ledger.touched = [];
    for (const holding of touched) {
      const open = this.#openOf(holding.state.market.pair);
      if (holding.lots !== 0) open.add(holding);
      else {
        open.delete(holding);
        this.#stuck.delete(holding);
      }
      this.#suspect(holding);
    }
  }

  /** Checks the groups that a holding's money belongs to. */
  #suspect(holding: Holding): void {
    if (holding.leverage !== undefined) this.#add(holding, holding, groupOf(holding));
    this.#add(holding, holding.cash, crossGroup(holding.cash));
    const base = holding.base?.holdings[0];
    if (base !== undefined) this.#add(base, base.cash, crossGroup(base.cash));
  }

  #add(holding: Holding, key: GroupKey, group: MarginGroup): void {
    if (group.positions.length === 0 || !isBelowMaintenance(group)) {
      // The group is at rest, so its next liquidation begins with a slice again.
      if (this.#stuck.size > 0) for (const position of group.positions) this.#stuck.delete(position.holding);
      return;
    }
    if (this.#suspects.has(key)) return;
    this.#suspects.set(key, { holding, key, age: this.#ledger.accounts.indexOf(holding.account) });
  }

  #openOf(pair: string): Set<Holding> {
    let open = this.#open.get(pair);
    if (open === undefined) {
      open = new Set();
      this.#open.set(pair, open);
    }
    return open;
  }
}

/** The first of the positions of the largest size. */
function largestBy(group: MarginGroup, size: (position: GroupPosition) => bigint): GroupPosition {
  return group.positions.reduce((largest, each) => (size(each) > size(largest) ? each : largest));
}

/** E > threshold · MM. */
function isAbove({ equity, maintenance }: MarginGroup, { numerator, denominator }: Rate): boolean {
  return equity * denominator > maintenance * numerator;
}

/** The bankruptcy price on the tick, rounded toward solvency, and at least one tick. */
function solventTicks(group: MarginGroup, position: GroupPosition): Ticks {
  const { tickSize } = position.holding.state.market.filters.price;
  return Math.max(tickSize, bankruptcyTicks(group, position)) as Ticks;
}

/** A share of a position, rounded up to the quantity step, and no more than all of it. */
function share(held: Lots, { numerator, denominator }: Rate, step: number): Lots {
  const per = denominator * BigInt(step);
  const steps = (BigInt(held) * numerator + per - 1n) / per;
  return Math.min(held, Number(steps) * step) as Lots;
}

/** Whether a slice of the group waits for prints. */
function hasSlice(group: MarginGroup): boolean {
  return ordersOf(group).some((order) => order.isLiquidation);
}
