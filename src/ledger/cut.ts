import type { Lots } from '../model/grid.js';
import type { Money } from '../model/money.js';

/** What the venue shows of one asset at a cut; units of the ledger. */
export interface CutBalance {
  readonly asset: string;
  /** free + locked + margin + withdrawn: cash, isolated margins and pending withdrawals together (`money.md` §14). */
  readonly total: Money;
  readonly withdrawing: Money;
  /** The venue's own counters since the account was opened: realised P&L, and fees paid positive. */
  readonly realised: Money | undefined;
  readonly fees: Money | undefined;
  /** What `total` may have lost on the wire, where numbers have 15 digits (`money.md` §12). Nearly always 0. */
  readonly tolerance: Money;
}

/** What the venue shows of one position at a cut; units of the ledger. */
export interface CutPosition {
  readonly pair: string;
  /** Signed. */
  readonly lots: Lots;
  /** Signed sum of quantity × price of the open part; `undefined` when it cannot be computed exactly from the wire. */
  readonly cost: Money | undefined;
  /** The cost computed from the printed average, to the nearest unit; used when the sizes differ. */
  readonly roughCost: Money;
  /** P&L since the position was last flat. */
  readonly funding: Money;
  /** Margin M of an isolated position; `undefined` for a cross one. */
  readonly margin: Money | undefined;
}

/**
 * The account as the venue showed it at one moment. The balances were read between two equal reads of positions (with
 * funding), fills and transfers, so they are the balances of exactly the fills that the ledger was given.
 */
export interface Cut {
  /** A venue ms at which the balances may have been read; not later than that of the answer. */
  readonly time: number;
  readonly balances: readonly CutBalance[];
  readonly positions: readonly CutPosition[];
  /** True: a pair that is not listed is flat. False: it was not read. */
  readonly isEveryPair: boolean;
}

/** An amount that no entry explains; `from` and `to` are the cuts around it, venue ms. */
export interface SuspenseItem {
  readonly asset: string;
  /** Above 0: the venue has more than the ledger can explain. */
  readonly amount: Money;
  readonly from: number;
  readonly to: number;
}

/** A position that differs from the sum of the fills; the ledger continues with the venue's. */
export interface PositionDifference {
  readonly pair: string;
  readonly time: number;
  readonly ours: Lots;
  readonly venue: Lots;
}

/** Funding that the venue did not state, but that the balance and the rules make plausible. */
export interface InferredFunding {
  readonly asset: string;
  /** P&L: paid is negative. */
  readonly amount: Money;
  /** The only market that it can come from; `undefined` when there are several. */
  readonly pair: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** The result of a cut. */
export interface CutReport {
  readonly time: number;
  /** Everything is explained: nothing went to suspense since the last balanced cut, and the positions agree. */
  readonly isBalanced: boolean;
  /** What this cut added to suspense; a later entry may still explain it. */
  readonly unexplained: readonly SuspenseItem[];
  readonly positions: readonly PositionDifference[];
  readonly inferred: readonly InferredFunding[];
}

/** Whether they show the same account, regardless of their times. */
export function isSameCut(a: Cut, b: Cut): boolean {
  return (
    a.isEveryPair === b.isEveryPair &&
    isSameList(a.balances, b.balances) &&
    isSameList(a.positions, b.positions)
  );
}

/** Of flat records, in one order. */
function isSameList<T extends object>(a: readonly T[], b: readonly T[]): boolean {
  return (
    a.length === b.length &&
    a.every((left, at) => {
      const right = b[at] as T;
      const names = Object.keys(left) as (keyof T)[];
      return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
    })
  );
}
