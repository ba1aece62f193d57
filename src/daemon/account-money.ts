import type { LedgerStatus, SuspenseAmount } from '../runner/ledger-watch.js';

export interface AccountMoney {
  readonly suspense: readonly SuspenseAmount[];
  /** What a person should look at, in words. */
  readonly problems: readonly string[];
}

/**
 * What the ledgers of all sessions say about the account that they share. Each ledger compares the whole account with the
 * venue, so that each pair stops by its own ledger, even without the others. A ledger that opened later may have less to
 * explain.
 */
export function accountMoney(ledgers: readonly LedgerStatus[]): AccountMoney {
  const unlisted = new Set(ledgers.flatMap((ledger) => ledger.unlisted));
  const failures = new Set(ledgers.flatMap(({ failure }) => failure ?? []));
  return {
    suspense: ledgers.find(({ suspense }) => suspense.length > 0)?.suspense ?? [],
    problems: [
      ...[...unlisted].map(
        (name) => `the venue shows ${name} and does not list it: that money is not watched`,
      ),
      ...[...failures].map((failure) => `the money of the account is not watched: ${failure}`),
    ],
  };
}
