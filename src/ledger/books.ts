import { type Lots, NO_LOTS } from '../model/grid.js';
import type { Money } from '../model/money.js';
import { Accounts } from './accounts.js';
import type { PositionDifference, SuspenseItem } from './cut.js';

/** What the ledger knows of one market's position beyond the accounts; units of the quote asset. */
export interface PairBook {
  /** Signed. */
  lots: Lots;
  /** What was added to positions since the last cut, quantity × price: margin of an isolated one is at most that more. */
  added: Money;
  /** Funding of the position that is open that was booked so far; P&L. */
  funding: Money;
  /** Venue ms up to which funding times were counted. */
  countedTo: number;
  /** Funding times that the open position was held across since the last cut. */
  fundingTimes: number;
  /** The most that funding of all positions since the last cut can have been, either way. */
  fundingBound: Money;
  /** Positions that ended across a funding time, by the fill that ended them: what was booked for them so far. */
  readonly ended: Map<string, Money>;
}

/** What the ledger needs of one asset to judge the next cut. */
export interface AssetBook {
  /** The venue's counters at the last cut. */
  counters: { readonly realised: Money; readonly fees: Money } | undefined;
  /** The same of our own entries since then. */
  realised: Money;
  fees: Money;
  /**
   * Since then a liquidation ended positions without a fee, as a take-over does. Of cross positions: the cash that was
   * left when the last of them was gone, all of which a take-over takes; `undefined`: there was none.
   */
  takenCash: Money | undefined;
  /** Of positions that are or may be isolated: the most that their margins can be, of which it takes what is left. */
  takenMargin: Money;
  /** What liquidations since then lost, and what was owed before: the most that insurance can have paid; 0 or above. */
  lost: Money;
  /** The deepest that the cash was below 0 since then without a cross position to carry it; 0 or above. */
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
  /** Positions that the fills did not lead to. */
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
