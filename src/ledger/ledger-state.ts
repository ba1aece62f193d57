/** The state of a ledger as plain JSON: amounts as decimal text of units, keys in a fixed order. */
import { UsageError } from '../model/errors.js';
import type { Lots } from '../model/grid.js';
import { type AccountKind, Accounts } from './accounts.js';
import { Books } from './books.js';
import type { PositionDifference } from './cut.js';
import type { LedgerEntry } from './entry.js';

/** Amounts are decimal text of whole units. Plain JSON. */
export interface LedgerState {
  readonly version: 1;
  readonly base: BooksState;
  readonly log: readonly unknown[];
  readonly ids: readonly string[];
}

interface BooksState {
  readonly cutTime: number | null;
  readonly accounts: readonly (readonly [asset: string, kind: string, pair: string | null, amount: string])[];
  readonly pairs: readonly {
    readonly pair: string;
    readonly lots: number;
    readonly added: string;
    readonly funding: string;
    readonly countedTo: number;
    readonly fundingTimes: number;
    readonly fundingBound: string;
    readonly ended: readonly (readonly [closingFill: string, booked: string])[];
  }[];
  readonly assets: readonly {
    readonly asset: string;
    readonly counters: { readonly realised: string; readonly fees: string } | null;
    readonly realised: string;
    readonly fees: string;
    readonly takenCash: string | null;
    readonly takenMargin: string;
    readonly lost: string;
    readonly debt: string;
  }[];
  readonly items: readonly { asset: string; amount: string; from: number; to: number }[];
  readonly differences: readonly PositionDifference[];
}

export interface LedgerParts {
  readonly base: Books;
  readonly log: readonly LedgerEntry[];
  readonly ids: readonly string[];
}

export function writeLedgerState({ base, log, ids }: LedgerParts): LedgerState {
  return { version: 1, base: writeBooks(base), log: log.map(writeMoney), ids };
}

/** @throws UsageError when it is not the state of a ledger */
export function readLedgerState(state: unknown): LedgerParts {
  const document = state as LedgerState | null | undefined;
  if (typeof document !== 'object' || document === null || document.version !== 1) {
    throw broken('version 1', (document as { version?: unknown } | undefined)?.version);
  }
  try {
    return {
      base: readBooks(document.base),
      log: document.log.map(readEntry),
      ids: [...document.ids],
    };
  } catch (cause) {
    throw broken('whole', cause instanceof Error ? cause.message : cause, cause);
  }
}

function broken(what: string, received: unknown, cause?: unknown): UsageError {
  return new UsageError(
    'TICKWRIGHT_E_LEDGER_STATE',
    `the state of a ledger must be ${what}, received ${String(received)}`,
    { cause },
  );
}

function writeBooks(books: Books): BooksState {
  return {
    cutTime: books.cutTime ?? null,
    accounts: books.accounts
      .list()
      .map(({ asset, kind, pair, amount }) => [asset, kind, pair ?? null, amount.toString()] as const),
    pairs: sorted(books.pairs).map(([pair, { ended, added, funding, fundingBound, ...rest }]) => ({
      pair,
      ...rest,
      added: added.toString(),
      funding: funding.toString(),
      fundingBound: fundingBound.toString(),
      ended: [...ended].map(([fill, booked]) => [fill, booked.toString()] as const),
    })),
    assets: sorted(books.assets).map(([asset, book]) => ({
      asset,
      counters:
        book.counters === undefined
          ? null
          : { realised: book.counters.realised.toString(), fees: book.counters.fees.toString() },
      realised: book.realised.toString(),
      fees: book.fees.toString(),
      takenCash: book.takenCash?.toString() ?? null,
      takenMargin: book.takenMargin.toString(),
      lost: book.lost.toString(),
      debt: book.debt.toString(),
    })),
    items: books.items.map((item) => ({ ...item, amount: item.amount.toString() })),
    differences: books.differences,
  };
}

function readBooks(state: BooksState): Books {
  const books = new Books();
  books.cutTime = state.cutTime ?? undefined;
  books.accounts = Accounts.of(
    state.accounts.map(([asset, kind, pair, amount]) => ({
      asset,
      kind: kind as AccountKind,
      pair: pair ?? undefined,
      amount: BigInt(amount),
    })),
  );
  for (const { pair, ended, lots, added, funding, fundingBound, countedTo, fundingTimes } of state.pairs) {
    books.pairs.set(pair, {
      lots: lots as Lots,
      added: BigInt(added),
      funding: BigInt(funding),
      countedTo,
      fundingTimes,
      fundingBound: BigInt(fundingBound),
      ended: new Map(ended.map(([fill, booked]) => [fill, BigInt(booked)])),
    });
  }
  for (const { asset, counters, ...book } of state.assets) {
    books.assets.set(asset, {
      counters:
        counters === null ? undefined : { realised: BigInt(counters.realised), fees: BigInt(counters.fees) },
      realised: BigInt(book.realised),
      fees: BigInt(book.fees),
      takenCash: book.takenCash === null ? undefined : BigInt(book.takenCash),
      takenMargin: BigInt(book.takenMargin),
      lost: BigInt(book.lost),
      debt: BigInt(book.debt),
    });
  }
  books.items = state.items.map((item) => ({ ...item, amount: BigInt(item.amount) }));
  books.differences = [...state.differences];
  return books;
}

/** Sorted, so that equal contents give equal documents. */
function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** An amount inside an entry. */
interface Units {
  readonly units: string;
}

/** Amounts become `{units}`; what is `undefined` is left out. */
function writeMoney(value: unknown): unknown {
  if (typeof value === 'bigint') return { units: value.toString() } satisfies Units;
  if (Array.isArray(value)) return value.map(writeMoney);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [name, writeMoney(inner)]),
  );
}

function readMoney(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readMoney);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value);
  if (names.length === 1 && names[0] === 'units') return BigInt((value as Units).units);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readMoney(inner)]));
}

const KINDS: readonly string[] = [
  'fill',
  'deposit',
  'withdrawal',
  'round-trip',
  'cut',
] satisfies LedgerEntry['kind'][];

function readEntry(value: unknown): LedgerEntry {
  const entry = readMoney(value) as LedgerEntry;
  if (!KINDS.includes(entry.kind)) throw broken('of known entries', entry.kind);
  return entry;
}
