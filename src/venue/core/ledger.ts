import type { DecimalSource } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { Lots, Ticks } from '../../model/grid.js';
import { feeOf, type Money, moneyOf, type Rate, rateOf } from '../../model/money.js';
import type { Side } from '../../model/side.js';
import { Account, type AccountKind, CashBalance, type CoreOrder, Holding } from './account.js';
import { type FeeRule, feeUnits } from './amounts.js';
import { isolatedFlow, marginAt } from './isolated-flow.js';
import { hasCrossPosition } from './margin-group.js';
import type { MarketState } from './market-state.js';
import { count, type Execution, move, moveUnits } from './position-book.js';
import { exchange } from './spot.js';

export type { Execution } from './position-book.js';

export interface LedgerOptions {
  readonly precisions: ReadonlyMap<string, number>;
  /** Fine units per unit, for each asset that markets are quoted in. */
  readonly scales: ReadonlyMap<string, bigint>;
  readonly historyLimit: number;
  readonly discount: { readonly rate: DecimalSource; readonly assets: readonly string[] } | undefined;
}

/**
 * All accounts and every posting between them. Each posting has a counter-account: deposits come from `outside`, fees go
 * to `fees`, and what a fill moves between two accounts sums to zero together with the cost of their positions. So Σ(W +
 * D + M − K) over all accounts is always 0 (`money.md` §13). Postings of funding and liquidations are in
 * `risk-postings.ts`, those of deposits and withdrawals in `wallet-postings.ts`.
 */
export class Ledger {
  readonly accounts: Account[] = [];
  readonly street: Account;
  readonly fees: Account;
  readonly insurance: Account;
  /** The liquidity provider: takes over positions that cannot be liquidated. */
  readonly provider: Account;
  readonly outside: Account;
  /** Holdings of customers that fills changed since the last check; `undefined`: nobody checks. */
  touched: Holding[] | undefined = undefined;
  readonly #byName = new Map<string, Account>();
  readonly #options: LedgerOptions;
  readonly #scales: Map<string, bigint>;
  /** 1 − discount. */
  readonly #keptShare: Rate;
  /** The holding of the last lookup. */
  #newestHolding: Holding | undefined = undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#scales = new Map(options.scales);
    this.#keptShare = complement(rateOf(options.discount?.rate ?? 0));
    this.street = this.#open('street', 'street');
    this.fees = this.#open('fees', 'fees');
    this.insurance = this.#open('insurance', 'insurance');
    this.provider = this.#open('provider', 'provider');
    this.outside = this.#open('outside', 'outside');
  }

  account(name: string): Account | undefined {
    return this.#byName.get(name);
  }

  /** @throws UsageError when the name is taken, or a deposit is not an amount of its asset of at least 0. */
  openCustomer(name: string, deposits: Readonly<Record<string, DecimalSource>>): Account {
    const account = this.#open(name, 'customer');
    this.#deposit(account, deposits);
    return account;
  }

  fundInsurance(deposits: Readonly<Record<string, DecimalSource>>): void {
    this.#deposit(this.insurance, deposits);
  }

  holding(account: Account, state: MarketState): Holding {
    const newest = this.#newestHolding;
    // Mostly the same account and market as in the last lookup.
    if (newest !== undefined && newest.account === account && newest.state === state) return newest;
    let holding = account.holdings.get(state.market.pair);
    if (holding === undefined) {
      const { pair, quote, base: asset, contract } = state.market;
      const cash = this.cash(account, quote);
      const base = contract === 'spot' ? this.cash(account, asset) : undefined;
      holding = new Holding(account, state, cash, base);
      account.holdings.set(pair, holding);
      if (base === undefined) cash.holdings.push(holding);
      else {
        cash.spots.push(holding);
        base.spots.push(holding);
      }
    }
    this.#newestHolding = holding;
    return holding;
  }

  /** Changes the fine units in which margins of the asset are compared. No stored amount is in fine units. */
  rescale(asset: string, scale: bigint): void {
    this.#scales.set(asset, scale);
    for (const { balances } of this.accounts) {
      const cash = balances.get(asset);
      if (cash !== undefined) cash.scale = scale;
    }
  }

  cash(account: Account, asset: string): CashBalance {
    let cash = account.balances.get(asset);
    if (cash === undefined) {
      const { precisions } = this.#options;
      cash = new CashBalance(asset, precisions.get(asset) ?? 8, this.#scales.get(asset) ?? 1n);
      account.balances.set(asset, cash);
    }
    return cash;
  }

  /** The fee of an account for a fill of this amount; 0 for the venue's own accounts. */
  fee(account: Account, state: MarketState, liquidity: 'maker' | 'taker', amount: Money): Money {
    if (!account.isCustomer) return 0n;
    const rule = state.fees[liquidity];
    if (!this.#isDiscounted(account, rule)) return feeOf(rule.rate, amount);
    const { numerator, denominator } = this.#keptShare;
    const { rate } = rule;
    return feeOf(
      { numerator: rate.numerator * numerator, denominator: rate.denominator * denominator },
      amount,
    );
  }

  /** Like `fee`, for an amount that is a safe integer; NaN where the fee needs bigints. */
  feeUnits(account: Account, state: MarketState, liquidity: 'maker' | 'taker', amount: number): number {
    if (!account.isCustomer) return 0;
    const rule = state.fees[liquidity];
    return this.#isDiscounted(account, rule) ? Number.NaN : feeUnits(rule, amount);
  }

  /** The fee before the discount; `net` is the fee after it. */
  grossFee(order: CoreOrder, liquidity: 'maker' | 'taker', amount: Money, net: Money): Money {
    const rule = order.holding.state.fees[liquidity];
    return order.account.isCustomer && this.#isDiscounted(order.account, rule)
      ? feeOf(rule.rate, amount)
      : net;
  }

  /**
   * Books one side of a fill of `amount` at `time` (`money.md` §5): the closing part first, the rest opens at the
   * fill's price. Returns the realised P&L before the fee.
   */
  settle(holding: Holding, execution: Execution, fee: Money, time: number): Money {
    if (holding.base !== undefined) return this.#settleSpot(holding, holding.base, execution, fee);
    const { cash, leverage } = holding;
    const before = holding.lots;
    const realised = move(holding, execution);
    const after = holding.lots;
    // Adding bigints allocates an object, so a sum with 0 is skipped: `realised` is 0 in each fill that only opens, and
    // the street pays no fees.
    if (leverage === undefined) {
      if (realised !== 0n) cash.cash += realised;
      if (fee !== 0n) cash.cash -= fee;
    } else {
      this.#settleIsolated(holding, leverage, before, execution, realised - fee);
    }
    if (realised !== 0n) cash.pnl += realised;
    if (fee !== 0n) {
      cash.feesPaid += fee;
      this.cash(this.fees, cash.asset).cash += fee;
    }
    count(holding, before, execution, realised, fee, time);
    if ((after === 0 || leverage !== undefined) && cash.cash < 0n) this.makeWhole(cash, holding.account);
    return realised;
  }

  /**
   * `settle` in doubles, for a fill that opens, enlarges, reduces or turns a cross position, as nearly all fills do.
   * Returns the realised P&L, or NaN, without any booking, where bigints are needed. `amount` and `fee` must be safe
   * integers or NaN.
   */
  settleUnits(
    holding: Holding,
    side: Side,
    lots: Lots,
    ticks: Ticks,
    amount: number,
    fee: number,
    time: number,
  ): number {
    const { cash } = holding;
    if (holding.leverage !== undefined || holding.base !== undefined || Number.isNaN(amount + fee))
      return Number.NaN;
    const realised = moveUnits(holding, side, lots, ticks, amount, fee, time);
    if (realised !== 0) {
      if (Number.isNaN(realised)) return realised;
      cash.cashUnits.add(realised);
      cash.pnlUnits.add(realised);
    }
    if (fee !== 0) {
      cash.cashUnits.add(-fee);
      cash.feesPaidUnits.add(fee);
      cash.feesTo ??= this.cash(this.fees, cash.asset);
      cash.feesTo.cashUnits.add(fee);
    }
    if (holding.lots === 0 && cash.cashUnits.number < 0) this.makeWhole(cash, holding.account);
    return realised;
  }

  /**
   * The insurance fund pays the debt of a customer without any cross position, as far as its money goes (`money.md` §5).
   */
  makeWhole(cash: CashBalance, account: Account): void {
    if (!account.isCustomer || cash.cash >= 0n || hasCrossPosition(cash)) return;
    const insurance = this.cash(this.insurance, cash.asset);
    const debt = -cash.cash;
    const paid = insurance.cash < debt ? insurance.cash : debt;
    insurance.cash -= paid;
    cash.cash += paid;
  }

  /** Debts of customers without a cross position that the insurance fund could not pay; units. */
  badDebt(asset: string): Money {
    let debt = 0n;
    for (const { isCustomer, balances } of this.accounts) {
      const cash = balances.get(asset);
      if (isCustomer && cash !== undefined && cash.cash < 0n && !hasCrossPosition(cash)) debt -= cash.cash;
    }
    return debt;
  }

  #settleIsolated(
    holding: Holding,
    leverage: Rate,
    before: Lots,
    { side, lots, amount, ticks }: Execution,
    result: Money,
  ): void {
    const held = Math.abs(before);
    const closing = before !== 0 && before > 0 === (side === 'sell') ? Math.min(lots, held) : 0;
    const opened = (lots - closing) as Lots;
    const opening = closing === 0 ? amount : opened === 0 ? 0n : holding.state.amountOf(opened, ticks);
    const flow = isolatedFlow(holding.margin, leverage, { held, closing, opening, result });
    holding.margin = flow.margin;
    const { cash } = holding;
    cash.cash += flow.cash;
    // A sale above its limit needs more margin than was reserved, so the position starts with the margin that is
    // available.
    if (cash.cash < 0n && opening > 0n && !hasCrossPosition(cash)) {
      const assigned = marginAt(leverage, opening);
      const lacking = -cash.cash < assigned ? -cash.cash : assigned;
      holding.margin -= lacking;
      cash.cash += lacking;
    }
  }

  #settleSpot(holding: Holding, base: CashBalance, execution: Execution, fee: Money): Money {
    const { cash } = holding;
    exchange(cash, base, execution, holding);
    cash.cash -= fee;
    cash.feesPaid += fee;
    this.cash(this.fees, cash.asset).cash += fee;
    // Fees are rounded up at each fill, so several small fills may cost a unit more than was reserved.
    if (cash.cash < 0n) this.makeWhole(cash, holding.account);
    return 0n;
  }

  /** Rebates are never discounted. */
  #isDiscounted(account: Account, rule: FeeRule): boolean {
    const { discount } = this.#options;
    if (discount === undefined || rule.numerator <= 0) return false;
    return discount.assets.some((asset) => (account.balances.get(asset)?.cash ?? 0n) > 0n);
  }

  #open(name: string, kind: AccountKind): Account {
    if (this.#byName.has(name)) {
      throw new UsageError(
        'TICKWRIGHT_E_ACCOUNT',
        `an account's name must be free, received ${JSON.stringify(name)}`,
      );
    }
    const account = new Account(name, kind, this.#options.historyLimit);
    this.#byName.set(name, account);
    this.accounts.push(account);
    return account;
  }

  #deposit(account: Account, deposits: Readonly<Record<string, DecimalSource>>): void {
    for (const [asset, source] of Object.entries(deposits)) {
      const cash = this.cash(account, asset);
      const amount = moneyOf(source, cash.precision);
      if (amount < 0n) {
        throw new UsageError(
          'TICKWRIGHT_E_DEPOSIT',
          `a deposit of ${asset} must be at least 0, received ${String(source)}`,
        );
      }
      cash.isOpened = true;
      cash.cash += amount;
      this.cash(this.outside, asset).cash -= amount;
    }
  }
}

function complement(rate: Rate): Rate {
  if (rate.numerator < 0n || rate.numerator > rate.denominator) {
    throw new UsageError('TICKWRIGHT_E_RATE', 'a commission discount must be a fraction from 0 to 1');
  }
  return { numerator: rate.denominator - rate.numerator, denominator: rate.denominator };
}
