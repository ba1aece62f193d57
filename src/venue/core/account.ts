import type { Fill } from '../../model/fill.js';
import { type Lots, NO_LOTS, type Ticks } from '../../model/grid.js';
import type { Money, Rate } from '../../model/money.js';
import type { OrderTerms } from '../../model/order.js';
import type { Side } from '../../model/side.js';
import type { LiquidityOrder } from '../liquidity.js';
import type { PriceLevel } from './book.js';
import { History } from './history.js';
import type { MarketState } from './market-state.js';

/** Why an order is no longer working: filled wholly, cancelled on request, or cancelled by a rule (`dialect.md` §5). */
export type DoneReason = 'filled' | 'requested' | CancelReason;

export type CancelReason =
  | 'post-only would trade'
  | 'FOK cannot fill'
  | 'IOC remainder'
  | 'outside the trading band'
  | 'self-trade'
  | 'nothing to reduce'
  | 'no liquidity'
  | 'oco sibling'
  | 'position closed'
  | 'liquidation';

/** One side of one execution, as the account that owns the order keeps it. */
export interface CoreFill extends Fill {
  readonly pair: string;
  /** Fee before the discount; equal to `fee` without one. Negative for a rebate. */
  readonly grossFee: Money;
  /** P&L of the closing part before the fee; 0 when the fill only opened. */
  readonly realised: Money;
  /** The trade came from a liquidation, a take-over or a deleverage; set on both sides. */
  readonly isLiquidation?: true | undefined;
}

const NO_FILLS: readonly CoreFill[] = [];

/** An order that was accepted. What it asked for never changes; what became of it is written by the core only. */
export class CoreOrder implements LiquidityOrder {
  /** Its id as a number: ascending, in the order of acceptance. */
  readonly sequence: number;
  readonly account: Account;
  readonly holding: Holding;
  readonly terms: OrderTerms;
  readonly side: Side;
  readonly limitTicks: Ticks;
  /** Echoed on the wire as `oco`. */
  readonly tag: string | undefined;
  /** The number that whoever placed it knows it by; in no record. */
  readonly intent: number | undefined;
  /** Venue ms. */
  readonly acceptedAt: number;
  /** Mark at acceptance; `undefined` before the market's first price. */
  readonly acceptedMark: Ticks | undefined;
  /** Last change, venue ms: a fill moves it. */
  updatedAt: number;
  /** FIX LeavesQty (151): not executed; stays what it was when the order is cancelled. */
  leaves: Lots;
  status: 'active' | 'completed' | 'canceled' = 'active';
  /** `undefined` while active. */
  doneReason: DoneReason | undefined = undefined;
  /** Price of the last fill. */
  lastTicks: Ticks | undefined = undefined;
  fills: readonly CoreFill[] = NO_FILLS;
  /** True while it waits for prints as a taker; false when it rests or is done. */
  isTaking = false;

  // Links of the book and of the account's list of working orders.
  level: PriceLevel<CoreOrder> | undefined = undefined;
  before: CoreOrder | undefined = undefined;
  after: CoreOrder | undefined = undefined;
  previousWorking: CoreOrder | undefined = undefined;
  nextWorking: CoreOrder | undefined = undefined;

  /** Made when somebody asks. */
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
    },
  ) {
    this.sequence = sequence;
    this.account = holding.account;
    this.holding = holding;
    this.terms = terms;
    this.side = terms.side;
    this.limitTicks = facts.limitTicks;
    this.tag = facts.tag;
    this.intent = facts.intent;
    this.acceptedAt = facts.now;
    this.updatedAt = facts.now;
    this.acceptedMark = facts.mark;
    this.leaves = terms.lots;
  }

  /** Decimal. */
  get id(): string {
    this.#id ??= String(this.sequence);
    return this.#id;
  }

  get pair(): string {
    return this.holding.state.market.pair;
  }

  /** FIX CumQty (14). */
  get filled(): Lots {
    return (this.terms.lots - this.leaves) as Lots;
  }

  addFill(fill: CoreFill): void {
    if (this.fills === NO_FILLS) this.fills = [fill];
    else (this.fills as CoreFill[]).push(fill);
  }
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
  /** M: margin of an isolated position; 0 in cross. */
  margin: Money = 0n;
  /** Signed. */
  lots: Lots = NO_LOTS;
  /** Signed sum of quantity × price of the open part. */
  cost: Money = 0n;
  realised: Money = 0n;
  fees: Money = 0n;
  funding: Money = 0n;

  /** Working orders by age. */
  firstWorking: CoreOrder | undefined = undefined;
  lastWorking: CoreOrder | undefined = undefined;
  workingCount = 0;
  reduceOnlyCount = 0;
  // Of the working orders that count for margin (all but reduce-only ones), per side. The sums of lots × ticks are
  // exact as long as the market is `isNarrow`.
  buyLots = 0;
  sellLots = 0;
  buySteps = 0;
  sellSteps = 0;
  /** Not above the price of any working sell. */
  lowestSell = Number.POSITIVE_INFINITY;

  constructor(account: Account, state: MarketState, cash: CashBalance) {
    this.account = account;
    this.state = state;
    this.cash = cash;
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

  /** Called with the lots that left a working order, before or after they leave it. */
  reduceWorking(order: CoreOrder, lots: number): void {
    if (!order.terms.reduceOnly) this.#count(order, -lots);
  }

  /** Takes the order out with whatever it has left. */
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
  /** W: what is there; negative while the profit of a position carries it, or as a debt. */
  cash: Money;
  /** D: pending withdrawals. */
  withdrawing: Money = 0n;
  /** All realised P&L since the account was opened, before fees. */
  pnl: Money = 0n;
  /** All fees paid since then, positive. */
  feesPaid: Money = 0n;
  readonly holdings: Holding[] = [];

  constructor(asset: string, precision: number, cash: Money) {
    this.asset = asset;
    this.precision = precision;
    this.cash = cash;
  }
}

/** `customer`; or one of the venue's own: only `street` and `provider` trade, without fees and without limits. */
export type AccountKind = 'customer' | 'street' | 'fees' | 'insurance' | 'provider' | 'outside';

export class Account {
  readonly name: string;
  readonly kind: AccountKind;
  /** Customers pay fees and are limited by their money. */
  readonly isCustomer: boolean;
  /** The street is many traders in one account: its orders trade with each other. */
  readonly isCrowd: boolean;
  readonly balances = new Map<string, CashBalance>();
  readonly holdings = new Map<string, Holding>();
  /** Done orders, oldest first by the time they were done. */
  readonly doneOrders: History<CoreOrder>;
  readonly fills: History<CoreFill>;

  constructor(name: string, kind: AccountKind, historyLimit: number) {
    this.name = name;
    this.kind = kind;
    this.isCustomer = kind === 'customer';
    this.isCrowd = kind === 'street';
    this.doneOrders = new History(this.isCustomer ? historyLimit : 0);
    this.fills = new History(this.isCustomer ? historyLimit : 0);
  }
}
