import { type Lots, NO_LOTS } from '../model/grid.js';
import type { Money } from '../model/money.js';
import { Accounts } from './accounts.js';
import type { PositionDifference, SuspenseItem } from './cut.js';

/** What the ledger knows of one market's position beyond the accounts; units of the ledger. */
export interface PairBook {
  /** Signed. */
  lots: Lots;
  /**
   * Quantity × price added to positions since the last cut. The margin of an isolated position has grown by at most this.
   */
  added: Money;
  /** Funding booked for the open position so far; P&L. */
  funding: Money;
  /** Venue ms up to which funding times were counted. */
  countedTo: number;
  /** Funding times that the open position was held across since the last cut. */
  fundingTimes: number;
  /** Upper bound of the funding, paid or received, of all positions since the last cut. */
  fundingBound: Money;
  /** Positions that ended after being held across a funding time, by the fill that ended them: funding booked so far. */
  readonly ended: Map<string, Money>;
}

/** What the ledger needs to know of one asset in order to judge the next cut. */
export interface AssetBook {
  /** The venue's counters at the last cut. */
  counters: { readonly realised: Money; readonly fees: Money } | undefined;
  /** Sums of our own entries since then, to be compared with these counters. */
  realised: Money;
  fees: Money;
  /**
   * Set when, since the last cut, a liquidation ended positions without a fee, as a take-over does. For cross positions:
   * the cash that was left when the last of them was gone, all of which a take-over takes. `undefined`: there was none.
   */
  takenCash: Money | undefined;
  /**
   * For positions that are or may be isolated: the most that their margins can be; a take-over takes what is left of
   * them.
   */
  takenMargin: Money;
  /**
   * What liquidations since then lost plus the debt from before: the most that the insurance fund can have paid; 0 or
   * above.
   */
  lost: Money;
  /** The lowest cash below 0 since then while no cross position covered it, as a positive amount; 0 or above. */
  debt: Money;
}

/** The whole state of a ledger between two entries. */
export class Books {
  accounts = new Accounts();
  readonly pairs = new Map<string, PairBook>();
  readonly assets = new Map<string, AssetBook>();
  /** Venue ms of the last cut; `undefined` before the opening one. */
  cutTime: number | undefined = undefined;
  /** What is in suspense, in the order of the cuts. */
  items: SuspenseItem[] = [];
  /** Positions that differ from the sum of the fills. */
  differences: PositionDifference[] = [];

  pair(pair: string): PairBook {
    let book = this.pairs.get(pair);
    if (book === undefined) {
      book = {
        lots: NO_LOTS,
        added: 0n,
        funding: 0n,
        countedTo: this.cutTime ?? 0,
        fundingTimes: 0,
        fundingBound: 0n,
        ended: new Map(),
      };
      this.pairs.set(pair, book);
    }
    return book;
  }

  asset(asset: string): AssetBook {
    let book = this.assets.get(asset);
    if (book === undefined) {
      book = {
        counters: undefined,
        realised: 0n,
        fees: 0n,
        takenCash: undefined,
        takenMargin: 0n,
        lost: 0n,
        debt: 0n,
      };
      this.assets.set(asset, book);
    }
    return book;
  }

  cost(asset: string, pair: string): Money {
    return this.accounts.balance(asset, 'cost', pair);
  }

  clone(): Books {
    const copy = new Books();
    copy.accounts = this.accounts.clone();
    for (const [pair, book] of this.pairs) copy.pairs.set(pair, { ...book, ended: new Map(book.ended) });
    for (const [asset, book] of this.assets) copy.assets.set(asset, { ...book });
    copy.cutTime = this.cutTime;
    copy.items = [...this.items];
    copy.differences = [...this.differences];
    return copy;
  }
}
