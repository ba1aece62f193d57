import { type Lots, NO_LOTS, type Ticks } from '../../model/grid.js';
import type { Money, Rate } from '../../model/money.js';
import type { OrderOptions, OrderTerms } from '../../model/order.js';
import type { Side } from '../../model/side.js';
import type { LiquidityOrder } from '../liquidity.js';
import type { PriceLevel } from './book.js';
import type { CoreFill } from './core-fill.js';
import { History } from './history.js';
import { IdTexts } from './id-texts.js';
import type { MarketState } from './market-state.js';
import { OcoGroups } from './oco-groups.js';
import { NO_OPTIONS, type SpecialState } from './special.js';
import { Units } from './units.js';

/**
 * Why an order no longer works or waits: it filled, was canceled on request, was refused when its trigger fired, or was
 * canceled by a rule (`dialect.md` §5).
 */
export type DoneReason = 'filled' | 'requested' | 'trigger refused' | CancelReason;

export type CancelReason =
  | 'post-only would trade'
  | 'FOK cannot fill'
  | 'IOC remainder'
  | 'outside the trading band'
  | 'self-trade'
  | 'nothing to reduce'
  | 'no liquidity'
  | 'oco sibling'
  | 'close on trigger'
  | 'position closed'
  | 'liquidation';

export type { CoreFill } from './core-fill.js';

const ORDER_IDS = new IdTexts();

/** An accepted order. What it asked for never changes; only the core changes its state. */
export class CoreOrder implements LiquidityOrder {
  /** Its id as a number; ascending in the order of acceptance. */
  readonly sequence: number;
  readonly account: Account;
  readonly holding: Holding;
  readonly terms: OrderTerms;
  readonly side: Side;
  /** For a MARKET order: the edge of the trading band when it enters the market. */
  limitTicks: Ticks;
  /** `undefined` for an order without options and tag. */
  readonly special: SpecialState<CoreOrder> | undefined;
  /** Echoed on the wire as `oco`. */
  readonly tag: string | undefined;
  /** The number that its submitter gave it; in no record of the venue. */
  readonly intent: number | undefined;
  /** Venue ms. */
  readonly acceptedAt: number;
  /** Mark at acceptance; `undefined` before the market's first price. */
  readonly acceptedMark: Ticks | undefined;
  /** Last change, venue ms: a fill moves it. */
  updatedAt: number;
  /** FIX LeavesQty (151): lots that were not executed. A cancel leaves it as it is. */
  leaves: Lots;
  /** `untriggered`: the order waits for its trigger; it is in no book and in no sum of working orders. */
  status: 'active' | 'completed' | 'canceled' | 'untriggered' = 'active';
  /** `undefined` while active or untriggered. */
  doneReason: DoneReason | undefined = undefined;
  /** Price of the last fill. */
  lastTicks: Ticks | undefined = undefined;
  lastFill: CoreFill | undefined = undefined;
  /** True while the order waits for prints as a taker; false when it rests or is done. */
  isTaking = false;

  // Links of the book and of the account's list of working orders.
  level: PriceLevel<CoreOrder> | undefined = undefined;
  before: CoreOrder | undefined = undefined;
  after: CoreOrder | undefined = undefined;
  previousWorking: CoreOrder | undefined = undefined;
  nextWorking: CoreOrder | undefined = undefined;

  /** Created on demand. */
  #id: string | undefined = undefined;

  constructor(
    sequence: number,
    holding: Holding,
    terms: OrderTerms,
    facts: {
      limitTicks: Ticks;
      tag: string | undefined;
      intent: number | undefined;
      now: number;
      mark: Ticks | undefined;
      special?: SpecialState<CoreOrder> | undefined;
    },
  ) {
    this.sequence = sequence;
    this.account = holding.account;
    this.holding = holding;
    this.terms = terms;
    this.side = terms.side;
    this.limitTicks = facts.limitTicks;
    this.special = facts.special;
    this.tag = facts.tag;
    this.intent = facts.intent;
    this.acceptedAt = facts.now;
    this.updatedAt = facts.now;
    this.acceptedMark = facts.mark;
    this.leaves = terms.lots;
  }

  /** Decimal. */
  get id(): string {
    this.#id ??= ORDER_IDS.of(this.sequence);
    return this.#id;
  }

  get pair(): string {
    return this.holding.state.market.pair;
  }

  get options(): OrderOptions {
    return this.special?.options ?? NO_OPTIONS;
  }

  get isLiquidation(): boolean {
    return this.special?.isLiquidation ?? false;
  }

  get isHidden(): boolean {
    return this.special?.isHidden ?? false;
  }

  /** What the depth shows of the order while it rests: 0 when hidden, the present slice of an iceberg. */
  get displayed(): Lots {
    const { special } = this;
    if (special === undefined) return this.leaves;
    if (special.isHidden) return NO_LOTS;
    return special.slice === 0 ? this.leaves : (special.shown as Lots);
  }

  /** Wire: msg. The rule of the venue that ended the order, or why it was refused when its trigger fired. */
  get message(): string | undefined {
    const { doneReason } = this;
    if (this.special?.message !== undefined) return this.special.message;
    return doneReason === 'filled' || doneReason === 'requested' ? undefined : doneReason;
  }

  /** FIX CumQty (14). */
  get filled(): Lots {
    return (this.terms.lots - this.leaves) as Lots;
  }

  /** Oldest first; a new array at each call. */
  get fills(): CoreFill[] {
    const fills: CoreFill[] = [];
    for (let fill = this.lastFill; fill !== undefined; fill = fill.previous) fills.push(fill);
    return fills.reverse();
  }
}

/** The record of a closed position. Amounts are P&L: what was paid is negative. */
export interface CompletedPosition {
  readonly pair: string;
  /** Side of the fill that opened it. */
  readonly direction: Side;
  /** Venue ms. */
  readonly openedAt: number;
  readonly closedAt: number;
  /** Price of the last fill, which closed the position. */
  readonly exitTicks: Ticks;
  /** Leverage L at the end; `undefined` in cross. */
  readonly leverage: Rate | undefined;
  readonly realised: Money;
  readonly fees: Money;
  readonly funding: Money;
  /** Indices of its fills among the account's, from the opening to the closing fill, both inclusive. */
  readonly firstFill: number;
  readonly lastFill: number;
}

/**
 * What an account has on one pair: its position and its working orders. Money is in units of the quote asset, signs
 * as in `Position`; realised, fees and funding count from the last time the position was flat.
 */
export class Holding {
  readonly account: Account;
  readonly state: MarketState;
  readonly cash: CashBalance;
  /** L: isolated at this leverage; `undefined` in cross. */
  leverage: Rate | undefined = undefined;
  /** M: margin of an isolated position; 0 in cross and without a position. */
  margin: Money = 0n;
  /** The base asset's cash of a spot market, which keeps no position; `undefined` for a contract. */
  readonly base: CashBalance | undefined;
  /** Signed. */
  lots: Lots = NO_LOTS;
  /** Signed sum of quantity × price of the open part. */
  readonly costUnits = new Units();
  readonly realisedUnits = new Units();
  readonly feesUnits = new Units();
  funding: Money = 0n;
  /** Venue ms of the fill that opened the position. */
  openedAt = 0;
  /** Number of fills that the account had before that one. */
  openedFill = 0;

  /** Working orders, oldest first. */
  firstWorking: CoreOrder | undefined = undefined;
  lastWorking: CoreOrder | undefined = undefined;
  workingCount = 0;
  reduceOnlyCount = 0;
  /** Created for the first order with a tag. */
  groups: OcoGroups<CoreOrder> | undefined = undefined;
  // Sums over the working orders that count for margin (all but reduce-only ones), by side. The sums of lots × ticks are
  // exact as long as the market is `isNarrow`.
  buyLots = 0;
  sellLots = 0;
  buySteps = 0;
  sellSteps = 0;
  /** A lower bound of the prices of all working sells. */
  lowestSell = Number.POSITIVE_INFINITY;

  constructor(account: Account, state: MarketState, cash: CashBalance, base?: CashBalance) {
    this.account = account;
    this.state = state;
    this.cash = cash;
    this.base = base;
  }

  get cost(): Money {
    return this.costUnits.value;
  }

  set cost(value: Money) {
    this.costUnits.value = value;
  }

  get realised(): Money {
    return this.realisedUnits.value;
  }

  set realised(value: Money) {
    this.realisedUnits.value = value;
  }

  get fees(): Money {
    return this.feesUnits.value;
  }

  set fees(value: Money) {
    this.feesUnits.value = value;
  }

  get oco(): OcoGroups<CoreOrder> {
    this.groups ??= new OcoGroups();
    return this.groups;
  }

  addWorking(order: CoreOrder): void {
    const last = this.lastWorking;
    order.previousWorking = last;
    if (last === undefined) this.firstWorking = order;
    else last.nextWorking = order;
    this.lastWorking = order;
    this.workingCount++;
    if (order.terms.reduceOnly) {
      this.reduceOnlyCount++;
      return;
    }
    if (order.side === 'sell' && order.limitTicks < this.lowestSell) this.lowestSell = order.limitTicks;
    this.#count(order, order.leaves);
  }

  /** Must be called with the lots that left a working order, before or after `leaves` changes. */
  reduceWorking(order: CoreOrder, lots: number): void {
    if (!order.terms.reduceOnly) this.#count(order, -lots);
  }

  /** Removes the order with all that it has left. */
  removeWorking(order: CoreOrder): void {
    const { previousWorking: previous, nextWorking: next } = order;
    if (previous === undefined) this.firstWorking = next;
    else previous.nextWorking = next;
    if (next === undefined) this.lastWorking = previous;
    else next.previousWorking = previous;
    order.previousWorking = undefined;
    order.nextWorking = undefined;
    this.workingCount--;
    if (order.terms.reduceOnly) this.reduceOnlyCount--;
    else this.#count(order, -order.leaves);
    if (this.sellLots === 0) this.lowestSell = Number.POSITIVE_INFINITY;
  }

  #count(order: CoreOrder, lots: number): void {
    const steps = lots * order.limitTicks;
    if (order.side === 'buy') {
      this.buyLots += lots;
      this.buySteps += steps;
    } else {
      this.sellLots += lots;
      this.sellSteps += steps;
    }
  }
}

/** An account's cash of one asset, in its units. */
export class CashBalance {
  readonly asset: string;
  readonly precision: number;
  /** W: the cash; it may be negative while the profit of a position covers it, or as a debt. */
  readonly cashUnits = new Units();
  /** D: pending withdrawals. */
  withdrawing: Money = 0n;
  /** All realised P&L since the account was opened, before fees. */
  readonly pnlUnits = new Units();
  /** All fees paid since then, positive. */
  readonly feesPaidUnits = new Units();
  /** The venue's own balance for fees in this asset; set with the first fee. */
  feesTo: CashBalance | undefined = undefined;
  /** Whether anything was ever paid in. Merely asking about an asset does not open a balance in it. */
  isOpened = false;
  /** Fine units per unit: margins of the asset are compared in fine units. */
  scale: bigint;
  /** Contracts that settle in the asset. */
  readonly holdings: Holding[] = [];
  /** Spot pairs that the asset is a side of. */
  readonly spots: Holding[] = [];

  constructor(asset: string, precision: number, scale: bigint) {
    this.asset = asset;
    this.precision = precision;
    this.scale = scale;
  }

  get cash(): Money {
    return this.cashUnits.value;
  }

  set cash(value: Money) {
    this.cashUnits.value = value;
  }

  get pnl(): Money {
    return this.pnlUnits.value;
  }

  set pnl(value: Money) {
    this.pnlUnits.value = value;
  }

  get feesPaid(): Money {
    return this.feesPaidUnits.value;
  }

  set feesPaid(value: Money) {
    this.feesPaidUnits.value = value;
  }
}

/**
 * `customer`, or one of the venue's own accounts. Of these only `street` and `provider` trade, without fees and limits.
 */
export type AccountKind = 'customer' | 'street' | 'fees' | 'insurance' | 'provider' | 'outside';

export class Account {
  readonly name: string;
  readonly kind: AccountKind;
  /** Customers pay fees, and their orders are limited by their money. */
  readonly isCustomer: boolean;
  /** The street stands for many traders in one account, so its orders may trade with each other. */
  readonly isCrowd: boolean;
  readonly balances = new Map<string, CashBalance>();
  readonly holdings = new Map<string, Holding>();
  /** Orders that are done, in the order in which they ended. */
  readonly doneOrders: History<CoreOrder>;
  readonly fills: History<CoreFill>;
  /** Orders that wait for their triggers, in the order of submission. */
  readonly waiting = new Set<CoreOrder>();
  /** Triggers that fired and were refused, oldest first. */
  readonly refusedTriggers: History<CoreOrder>;
  readonly completedPositions: History<CompletedPosition>;

  constructor(name: string, kind: AccountKind, historyLimit: number) {
    this.name = name;
    this.kind = kind;
    this.isCustomer = kind === 'customer';
    this.isCrowd = kind === 'street';
    this.doneOrders = new History(this.isCustomer ? historyLimit : 0);
    this.fills = new History(this.isCustomer ? historyLimit : 0);
    this.refusedTriggers = new History(this.isCustomer ? historyLimit : 0);
    this.completedPositions = new History(this.isCustomer ? historyLimit : 0);
  }
}
