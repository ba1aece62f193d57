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

/** A group as its account keeps it: the cash that all cross positions share, or one isolated holding. */
type GroupKey = CashBalance | Holding;

interface Suspect {
  readonly holding: Holding;
  readonly key: GroupKey;
  /** Place of its account among all: 0 is the oldest. */
  readonly age: number;
}

/**
 * Liquidates the margin groups of customers whose equity falls below their maintenance margin (`money.md` §8). Whoever
 * changes a mark, a size or a cash says so; `check` then does whatever follows, until every group is at rest.
 *
 * On a book a slice is done when it returns. On a tape it is a taker that waits for prints, and so does the group,
 * unless its equity falls to the swap threshold meanwhile.
 */
export class Liquidations {
  readonly #ledger: Ledger;
  readonly #desk: OrderDesk;
  readonly #matcherOf: (pair: string) => Matcher;
  /** Positions of customers, by market. */
  readonly #open = new Map<string, Set<Holding>>();
  readonly #suspects = new Map<GroupKey, Suspect>();
  /** Their last slice filled nothing. */
  readonly #stuck = new Set<Holding>();
  /** Slices that wait for prints. */
  #waiting = 0;

  constructor(ledger: Ledger, desk: OrderDesk, matcherOf: (pair: string) => Matcher) {
    this.#ledger = ledger;
    this.#desk = desk;
    this.#matcherOf = matcherOf;
    ledger.touched = [];
  }

  /** A slice waits for prints: when it is done, somebody has to look again. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** A customer's cash or margin changed other than by a fill. The group is looked at by the next `check`. */
  touch(holding: Holding): void {
    this.#ledger.touched?.push(holding);
  }

  /** An order is done. */
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

  /** The mark of a market changed. */
  remark(pair: string): void {
    for (const holding of this.open(pair)) this.#suspect(holding);
  }

  /** Whatever follows from what was touched and re-marked, accounts by age; afterwards all groups are at rest. */
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
      // A slice that still waits for prints is too late.
      this.#cancelOrders(group, () => true, now);
      for (const position of group.positions) this.#stuck.delete(position.holding);
      this.#resolve(group, largest, now);
    }
  }

  /** A part of the position, or all of it if it is small, for its bankruptcy price or better. */
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

  /** The provider takes the group over if the insurance fund can pay for it; else others give up their gains. */
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

  /** Of the groups that are below their maintenance margin the one whose account is the oldest. */
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

  /** Looks at the groups that a holding's money belongs to. */
  #suspect(holding: Holding): void {
    if (holding.leverage !== undefined) this.#add(holding, holding, groupOf(holding));
    this.#add(holding, holding.cash, crossGroup(holding.cash));
    const base = holding.base?.holdings[0];
    if (base !== undefined) this.#add(base, base.cash, crossGroup(base.cash));
  }

  #add(holding: Holding, key: GroupKey, group: MarginGroup): void {
    if (group.positions.length === 0 || !isBelowMaintenance(group)) {
      // It is at rest: its next liquidation begins with a slice.
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

/** The first of the largest. */
function largestBy(group: MarginGroup, size: (position: GroupPosition) => bigint): GroupPosition {
  return group.positions.reduce((largest, each) => (size(each) > size(largest) ? each : largest));
}

/** E > threshold · MM. */
function isAbove({ equity, maintenance }: MarginGroup, { numerator, denominator }: Rate): boolean {
  return equity * denominator > maintenance * numerator;
}

/** The bankruptcy price on the tick toward solvency; nothing is bought or sold for less than a tick. */
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

/** A slice of the group waits for prints. */
function hasSlice(group: MarginGroup): boolean {
  return ordersOf(group).some((order) => order.isLiquidation);
}
