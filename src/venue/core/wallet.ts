import { Decimal, type DecimalSource, parseDecimal, plain } from '../../model/decimal.js';
import { UsageError } from '../../model/errors.js';
import { type Money, moneyOf, moneyText } from '../../model/money.js';
import { ASSET_MAX, type VenueAsset } from '../asset.js';
import type { Account } from './account.js';
import type { Ledger } from './ledger.js';
import { DEFAULT_LIMIT, type RecordQuery } from './queries.js';
import { refusalText, type RefusalRule } from './refusals.js';
import { creditDeposit, dropWithdrawal, payWithdrawal, reserveWithdrawal } from './wallet-postings.js';

/** A transaction on the asset's chain, which the simulated venue invents. */
export interface WalletTransaction {
  readonly hash: string;
  readonly from: string;
}

/** What deposits and withdrawals have in common. Amounts are units of the asset. */
export interface Transfer {
  /** Decimal, ascending in the order of creation; deposits and withdrawals are numbered separately. */
  readonly id: string;
  readonly account: Account;
  readonly asset: VenueAsset;
  /** Venue ms of detection or submission; completion does not change it. */
  readonly time: number;
  readonly address: string;
  readonly quantity: Money;
  /** Quantity minus the asset's fee. */
  readonly net: Money;
  /** USD for one unit of the asset (not 10^-precision of it) at `time`. */
  readonly usdPrice: number;
  readonly transaction: WalletTransaction;
  readonly status: 'pending' | 'completed';
  /** Venue ms of its completion or its drop; `undefined` while pending. */
  readonly doneAt: number | undefined;
}

export interface Deposit extends Transfer {
  /** Confirmations so far; the deposit completes when it has as many as its asset requires. */
  readonly confirmations: number;
}

export type Withdrawal = Transfer;

export type WithdrawalRequest =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'pending'; readonly withdrawal: Withdrawal };

export interface WalletOptions {
  readonly ledger: Ledger;
  readonly assets: readonly VenueAsset[];
  /** A of `money.md` §3: what an account may withdraw. */
  readonly available: (account: Account, asset: string) => Money;
  readonly usdPrice: (asset: VenueAsset) => number;
  /** @throws InvariantError when a listener gives a command */
  readonly assertIdle: () => void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Deposits and withdrawals (`money.md` §10). Money comes from the account `outside` and goes to it; the venue's fees go
 * to `fees`. A pending withdrawal no longer counts as collateral.
 */
export class Wallet {
  readonly assets: readonly VenueAsset[];
  readonly #options: WalletOptions;
  readonly #assets: ReadonlyMap<string, VenueAsset>;
  /** In the order of their ids. */
  readonly #deposits = new Map<string, Mutable<Deposit>>();
  readonly #withdrawals = new Map<string, Mutable<Withdrawal>>();
  #nextDeposit = 1;
  #nextWithdrawal = 1;

  constructor(options: WalletOptions) {
    this.#options = options;
    this.assets = options.assets;
    this.#assets = new Map(options.assets.map((asset) => [asset.key, asset]));
  }

  asset(key: string): VenueAsset | undefined {
    return this.#assets.get(key);
  }

  /** The address to which an account has to send an asset. */
  depositAddress(account: Account, asset: VenueAsset): string {
    return `${asset.key.toLowerCase()}-${account.name}`;
  }

  /**
   * Notes a transfer to an account that was seen on the chain and waits for confirmations. Returns its id.
   *
   * @throws UsageError for an unknown asset, or an amount that is off the asset's grid or not above its deposit fee
   */
  detectDeposit(
    account: Account,
    asset: string,
    quantity: DecimalSource,
    seen: Partial<WalletTransaction & { readonly address: string }>,
    now: number,
  ): string {
    this.#options.assertIdle();
    const of = this.known(asset);
    const amount = moneyOf(quantity, of.precision);
    const net = amount - moneyOf(of.fees.deposit, of.precision);
    if (net <= 0n) {
      throw new UsageError(
        'TICKWRIGHT_E_DEPOSIT',
        `a deposit of ${asset} must be above its fee of ${String(of.fees.deposit)}, received ${String(quantity)}`,
      );
    }
    const id = String(this.#nextDeposit++);
    this.#deposits.set(id, {
      id,
      account,
      asset: of,
      time: now,
      address: seen.address ?? this.depositAddress(account, of),
      quantity: amount,
      net,
      usdPrice: this.#options.usdPrice(of),
      transaction: { hash: seen.hash ?? `deposit-${id}`, from: seen.from ?? 'outside' },
      status: 'pending',
      doneAt: undefined,
      confirmations: 0,
    });
    if (of.confirmations === 0) this.confirmDeposit(id, now);
    return id;
  }

  /**
   * Adds `count` confirmations, by default all that are missing. The last one credits the deposit.
   *
   * @throws UsageError for a deposit that is unknown or completed
   */
  confirmDeposit(id: string, now: number, count?: number): Deposit {
    this.#options.assertIdle();
    const deposit = pending('deposit', this.#deposits, id);
    const { account, asset, quantity, net } = deposit;
    if (count !== undefined && !(Number.isSafeInteger(count) && count > 0)) {
      throw new UsageError(
        'TICKWRIGHT_E_DEPOSIT',
        `confirmations must be a whole number of at least 1, received ${count}`,
      );
    }
    const missing = asset.confirmations - deposit.confirmations;
    deposit.confirmations += Math.min(count ?? missing, missing);
    if (deposit.confirmations < asset.confirmations) return deposit;
    const { ledger } = this.#options;
    creditDeposit(ledger, ledger.cash(account, asset.key), quantity, quantity - net);
    deposit.status = 'completed';
    deposit.doneAt = now;
    return deposit;
  }

  /** An account asks for its money, which is reserved until the withdrawal is confirmed or dropped. */
  requestWithdrawal(
    account: Account,
    asset: string,
    quantity: DecimalSource,
    address: string,
    now: number,
  ): WithdrawalRequest {
    this.#options.assertIdle();
    const of = this.#assets.get(asset);
    if (of === undefined) {
      const known = [...this.#assets.keys()].join(', ');
      return refused(
        'malformed',
        `asset must be one of ${known}, received ${JSON.stringify(asset.slice(0, 40))}`,
      );
    }
    if (address === '') return refused('malformed', 'address must be given, received nothing');
    const exact = parseDecimal(quantity);
    if (exact === undefined) {
      return refused('malformed', `qty must be a plain decimal, received ${JSON.stringify(quantity)}`);
    }
    const step = new Decimal(10).pow(-of.precision);
    if (!exact.mod(step).isZero()) {
      return refused('quantityStep', `${plain(exact)} is not a multiple of ${plain(step)}`);
    }
    if (exact.lt(step) || exact.gt(ASSET_MAX)) {
      return refused('quantityRange', `${plain(exact)} is not within ${plain(step)} to ${ASSET_MAX}`);
    }
    const amount = moneyOf(exact, of.precision);
    const available = this.#options.available(account, asset);
    if (amount > available) {
      const text = (money: Money) => `${moneyText(money, of.precision)} ${asset}`;
      return refused('balance', `needs ${text(amount)}, available ${text(available)}`);
    }
    const fee = moneyOf(of.fees.withdrawal, of.precision);
    const least = moneyOf(of.minWithdrawal, of.precision);
    if (amount < least || amount <= fee) {
      return refused(
        'withdrawalMinimum',
        `${plain(exact)} ${asset} is less than ${moneyText(least, of.precision)} or not above the fee of ${moneyText(fee, of.precision)}`,
      );
    }
    if (!of.withdrawable) return refused('notWithdrawable', `${asset} cannot be withdrawn`);
    const id = String(this.#nextWithdrawal++);
    const withdrawal: Withdrawal = {
      id,
      account,
      asset: of,
      time: now,
      address,
      quantity: amount,
      net: amount - fee,
      usdPrice: this.#options.usdPrice(of),
      transaction: { hash: `withdrawal-${id}`, from: 'venue' },
      status: 'pending',
      doneAt: undefined,
    };
    this.#withdrawals.set(id, withdrawal);
    reserveWithdrawal(this.#options.ledger.cash(account, asset), amount);
    return { kind: 'pending', withdrawal };
  }

  /** Pays the withdrawal out. @throws UsageError for a withdrawal that is unknown or completed */
  confirmWithdrawal(id: string, now: number): Withdrawal {
    this.#options.assertIdle();
    const withdrawal = pending('withdrawal', this.#withdrawals, id);
    const { account, asset, quantity, net } = withdrawal;
    const { ledger } = this.#options;
    payWithdrawal(ledger, ledger.cash(account, asset.key), quantity, quantity - net);
    withdrawal.status = 'completed';
    withdrawal.doneAt = now;
    return withdrawal;
  }

  /** Returns the money and removes the record. @throws UsageError for a withdrawal that is unknown or completed */
  dropWithdrawal(id: string, now: number): Withdrawal {
    this.#options.assertIdle();
    const withdrawal = pending('withdrawal', this.#withdrawals, id);
    const { account, asset, quantity } = withdrawal;
    dropWithdrawal(this.#options.ledger.cash(account, asset.key), quantity);
    this.#withdrawals.delete(id);
    withdrawal.doneAt = now;
    return withdrawal;
  }

  deposit(id: string): Deposit | undefined {
    return this.#deposits.get(id);
  }

  /** Newest first by time, then by id. */
  deposits(account: Account, query?: Omit<RecordQuery, 'pair'>): Deposit[] {
    return list(this.#deposits, account, query);
  }

  /** Newest first by time, then by id; without dropped ones. */
  withdrawals(account: Account, query?: Omit<RecordQuery, 'pair'>): Withdrawal[] {
    return list(this.#withdrawals, account, query);
  }

  /** @throws UsageError for an asset that the venue does not list */
  known(key: string): VenueAsset {
    const asset = this.#assets.get(key);
    if (asset !== undefined) return asset;
    throw new UsageError(
      'TICKWRIGHT_E_ASSET',
      `an asset must be one of ${[...this.#assets.keys()].join(', ')}, received ${key.slice(0, 40)}`,
    );
  }
}

function refused(rule: RefusalRule, facts: string): WithdrawalRequest {
  return { kind: 'refused', reason: refusalText(rule, facts) };
}

function pending<T extends Transfer>(what: string, transfers: ReadonlyMap<string, T>, id: string): T {
  const transfer = transfers.get(id);
  if (transfer?.status === 'pending') return transfer;
  throw new UsageError(
    'TICKWRIGHT_E_TRANSFER',
    `a ${what} to act on must be pending, received ${JSON.stringify(id.slice(0, 40))}, which is ${transfer?.status ?? 'none'}`,
  );
}

/** Times never go back with ascending ids, so iterating backwards goes back in time. */
function list<T extends Transfer>(
  transfers: ReadonlyMap<string, T>,
  account: Account,
  query: Omit<RecordQuery, 'pair'> = {},
): T[] {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, limit = DEFAULT_LIMIT } = query;
  const found: T[] = [];
  for (const transfer of [...transfers.values()].reverse()) {
    if (found.length === limit || transfer.time < from) break;
    if (transfer.account === account && transfer.time <= to) found.push(transfer);
  }
  return found;
}
