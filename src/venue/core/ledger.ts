import type { DecimalSource } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import type { Lots, Ticks } from '../../model/grid.js';
import { divCeil, feeOf, type Money, moneyOf, type Rate, rateOf } from '../../model/money.js';
import { execute } from '../../model/position.js';
import type { Side } from '../../model/side.js';
import { Account, type AccountKind, CashBalance, type CoreOrder, Holding } from './account.js';
import { type FeeRule, feeUnits } from './amounts.js';
import type { MarketState } from './market-state.js';

/** One side of a fill; `amount` is quantity × price in units. */
export interface Execution {
  readonly side: Side;
  readonly lots: Lots;
  readonly ticks: Ticks;
  readonly amount: Money;
}

export interface LedgerOptions {
  readonly precisions: ReadonlyMap<string, number>;
  readonly historyLimit: number;
  readonly discount: { readonly rate: DecimalSource; readonly assets: readonly string[] } | undefined;
}

/**
 * All accounts and every posting between them. Nothing is posted without a counter-account: deposits come from
 * `outside`, fees go to `fees`, and what the fills move between two accounts is zero together with the cost that they
 * carry, so Σ(W + D − K) over all accounts is always 0 (`money.md` §13).
 */
export class Ledger {
  readonly accounts: Account[] = [];
  readonly street: Account;
  readonly #byName = new Map<string, Account>();
  readonly #fees: Account;
  readonly #insurance: Account;
  readonly #outside: Account;
  readonly #options: LedgerOptions;
  /** 1 − discount. */
  readonly #keptShare: Rate;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#keptShare = complement(rateOf(options.discount?.rate ?? 0));
    this.street = this.#open('street', 'street');
    this.#fees = this.#open('fees', 'fees');
    this.#insurance = this.#open('insurance', 'insurance');
    this.#open('provider', 'provider');
    this.#outside = this.#open('outside', 'outside');
  }

  account(name: string): Account | undefined {
    return this.#byName.get(name);
  }

  /** @throws UsageError when the name is taken or a deposit is no amount of its asset above or equal to 0. */
  openCustomer(name: string, deposits: Readonly<Record<string, DecimalSource>>): Account {
    const account = this.#open(name, 'customer');
    this.#deposit(account, deposits);
    return account;
  }

  fundInsurance(deposits: Readonly<Record<string, DecimalSource>>): void {
    this.#deposit(this.#insurance, deposits);
  }

  holding(account: Account, state: MarketState): Holding {
    let holding = account.holdings.get(state.market.pair);
    if (holding === undefined) {
      const cash = this.cash(account, state.market.quote);
      holding = new Holding(account, state, cash);
      account.holdings.set(state.market.pair, holding);
      cash.holdings.push(holding);
    }
    return holding;
  }

  cash(account: Account, asset: string): CashBalance {
    let cash = account.balances.get(asset);
    if (cash === undefined) {
      cash = new CashBalance(asset, this.#options.precisions.get(asset) ?? 8, 0n);
      account.balances.set(asset, cash);
    }
    return cash;
  }

  /** What an account pays for a fill of this amount: 0 for the venue's own accounts. */
  fee(account: Account, state: MarketState, liquidity: 'maker' | 'taker', amount: Money): Money {
    if (!account.isCustomer) return 0n;
    const rule = state.fees[liquidity];
    if (!this.#isDiscounted(account, rule)) return feeUnits(rule, amount);
    const { numerator, denominator } = this.#keptShare;
    const { rate } = rule;
    return feeOf(
      { numerator: rate.numerator * numerator, denominator: rate.denominator * denominator },
      amount,
    );
  }

  /** The same before the discount, given what it is after it. */
  grossFee(order: CoreOrder, liquidity: 'maker' | 'taker', amount: Money, net: Money): Money {
    const rule = order.holding.state.fees[liquidity];
    return order.account.isCustomer && this.#isDiscounted(order.account, rule) ? feeUnits(rule, amount) : net;
  }

  /**
   * Books one side of a fill of `amount` (`money.md` §5): the closing part first, the rest opens at the fill's price.
   * Returns the realised P&L before the fee.
   */
  settle(holding: Holding, execution: Execution, fee: Money): Money {
    const { cash } = holding;
    const before = holding.lots;
    const realised = move(holding, execution);
    const after = holding.lots;
    // Every sum of bigints is a call and an object, so nothing is added where it is 0: on each fill that only opens,
    // and for all of the street's fees.
    if (realised !== 0n) {
      cash.cash += realised;
      cash.pnl += realised;
    }
    if (fee !== 0n) {
      cash.cash -= fee;
      cash.feesPaid += fee;
      this.cash(this.#fees, cash.asset).cash += fee;
    }
    if (after === 0) restart(holding, 0n);
    else if (before !== 0 && before > 0 !== after > 0) {
      // A flip: the closing part's share of the fee, rounded up, belongs to the position that ended.
      restart(holding, divCeil(fee * BigInt(Math.abs(before)), BigInt(execution.lots)) - fee);
    } else {
      if (realised !== 0n) holding.realised += realised;
      if (fee !== 0n) holding.fees -= fee;
    }
    if (after === 0 && cash.cash < 0n && holding.account.isCustomer) this.#makeWhole(cash);
    return realised;
  }

  /** Insurance pays what an account without any position owes, as far as it goes. */
  #makeWhole(cash: CashBalance): void {
    for (const { lots } of cash.holdings) if (lots !== 0) return;
    const insurance = this.cash(this.#insurance, cash.asset);
    const debt = -cash.cash;
    const paid = insurance.cash < debt ? insurance.cash : debt;
    insurance.cash -= paid;
    cash.cash += paid;
  }

  /** Rebates never are. */
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
      cash.cash += amount;
      this.cash(this.#outside, asset).cash -= amount;
    }
  }
}

/** Size and cost after an execution; returns what it realised. */
function move(holding: Holding, execution: Execution): Money {
  const { side, lots, amount } = execution;
  const before = holding.lots;
  const isBuy = side === 'buy';
  const after = (isBuy ? before + lots : before - lots) as Lots;
  if (before === 0 || before > 0 === isBuy) {
    holding.lots = after;
    if (isBuy) holding.cost += amount;
    else holding.cost -= amount;
    return 0n;
  }
  if (after === 0) {
    const realised = isBuy ? -amount - holding.cost : amount - holding.cost;
    holding.lots = after;
    holding.cost = 0n;
    return realised;
  }
  const moved = execute(holding.state.market, before, holding.cost, execution);
  holding.lots = moved.lots;
  holding.cost = moved.cost;
  return moved.realised;
}

/** A position passed through 0: what counts since then starts again (`dialect.md` §6). */
function restart(holding: Holding, fees: Money): void {
  holding.realised = 0n;
  holding.fees = fees;
  holding.funding = 0n;
}

function complement(rate: Rate): Rate {
  if (rate.numerator < 0n || rate.numerator > rate.denominator) {
    throw new UsageError('TICKWRIGHT_E_RATE', 'a commission discount must be a fraction from 0 to 1');
  }
  return { numerator: rate.denominator - rate.numerator, denominator: rate.denominator };
}
