import { InvariantError } from '../model/errors.js';
import type { Money } from '../model/money.js';

/**
 * The kinds of accounts, per asset. The venue holds `cash`, `margin` (of an isolated position) and `withdrawing` for us;
 * their sum is the balance that the venue shows. `cost` is the cost of a position's open part; its counter-account is
 * `traded`, which also takes what spot markets exchange. The other kinds tell why the balance moved.
 */
export type AccountKind =
  | 'cash'
  | 'margin'
  | 'withdrawing'
  | 'cost'
  | 'traded'
  | 'opening'
  | 'transfers'
  | 'realised'
  | 'fees'
  | 'funding'
  /** What a take-over took from a liquidated group, and what the insurance fund paid of a debt. */
  | 'liquidation'
  /** Money that no entry explains. */
  | 'suspense';

/** Kinds of money that the venue holds for us. */
const HELD: readonly AccountKind[] = ['cash', 'margin', 'withdrawing'];

const ACCOUNT_KINDS: readonly AccountKind[] = [
  ...HELD,
  'cost',
  'traded',
  'opening',
  'transfers',
  'realised',
  'fees',
  'funding',
  'liquidation',
  'suspense',
];

/** One side of a posting: debits are positive. `pair` where the amount belongs to one market. */
export interface PostingLine {
  readonly kind: AccountKind;
  readonly pair?: string | undefined;
  readonly amount: Money;
}

/** An account and its debit balance, in units of the ledger. */
export interface AccountBalance {
  readonly asset: string;
  readonly kind: AccountKind;
  readonly pair: string | undefined;
  readonly amount: Money;
}

/**
 * The accounts of a double-entry ledger, each in whole units of it; debits are positive. Every posting sums to 0
 * per asset, and so do all accounts of an asset.
 */
export class Accounts {
  /** By asset, kind and pair; without a pair under ''. */
  readonly #assets = new Map<string, Map<AccountKind, Map<string, Money>>>();

  /** @throws InvariantError when the lines do not add up to 0 */
  post(asset: string, lines: readonly PostingLine[]): void {
    let sum = 0n;
    for (const { amount } of lines) sum += amount;
    if (sum !== 0n) {
      throw new InvariantError(`a posting of ${asset} must add up to 0, received ${sum} units`);
    }
    for (const { kind, pair = '', amount } of lines) {
      if (amount === 0n) continue;
      const accounts = this.#of(asset, kind);
      accounts.set(pair, (accounts.get(pair) ?? 0n) + amount);
    }
  }

  /** Debit balance of one account. */
  balance(asset: string, kind: AccountKind, pair = ''): Money {
    return this.#assets.get(asset)?.get(kind)?.get(pair) ?? 0n;
  }

  /** Debit balance of all accounts of these kinds. */
  total(asset: string, ...kinds: readonly AccountKind[]): Money {
    let sum = 0n;
    for (const kind of kinds) {
      for (const amount of this.#assets.get(asset)?.get(kind)?.values() ?? []) sum += amount;
    }
    return sum;
  }

  /** What the venue should show as the balance of an asset: cash, margin and pending withdrawals. */
  held(asset: string): Money {
    return this.total(asset, ...HELD);
  }

  get assets(): readonly string[] {
    return [...this.#assets.keys()].sort();
  }

  /** Pairs that have an account of this kind. */
  pairs(asset: string, kind: AccountKind): readonly string[] {
    return [...(this.#assets.get(asset)?.get(kind)?.keys() ?? [])].filter((pair) => pair !== '');
  }

  /** Every account that is not 0: by asset, kind and pair. */
  list(): readonly AccountBalance[] {
    return this.assets.flatMap((asset) =>
      ACCOUNT_KINDS.flatMap((kind) =>
        [...(this.#assets.get(asset)?.get(kind) ?? [])]
          .filter(([, amount]) => amount !== 0n)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([pair, amount]) => ({ asset, kind, pair: pair === '' ? undefined : pair, amount })),
      ),
    );
  }

  clone(): Accounts {
    const copy = new Accounts();
    for (const [asset, kinds] of this.#assets) {
      copy.#assets.set(asset, new Map([...kinds].map(([kind, accounts]) => [kind, new Map(accounts)])));
    }
    return copy;
  }

  #of(asset: string, kind: AccountKind): Map<string, Money> {
    let kinds = this.#assets.get(asset);
    if (kinds === undefined) {
      kinds = new Map();
      this.#assets.set(asset, kinds);
    }
    let accounts = kinds.get(kind);
    if (accounts === undefined) {
      accounts = new Map();
      kinds.set(kind, accounts);
    }
    return accounts;
  }
}
