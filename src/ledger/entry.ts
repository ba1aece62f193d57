import type { Fill } from '../model/fill.js';
import type { Money } from '../model/money.js';
import type { Cut } from './cut.js';

/** An execution of the account, whether the order was ours or not. */
export interface FillEntry {
  readonly kind: 'fill';
  readonly pair: string;
  /** Its fee is in units of the market's money. */
  readonly fill: Fill;
  /** The trade came from a liquidation: our own, or one of another account that we traded with. */
  readonly liquidation: boolean;
  /** The fee, where it was paid in an asset other than the pair's quote; replaces `fill.fee`. Units of the ledger. */
  readonly fee?: { readonly asset: string; readonly amount: Money } | undefined;
}

/** A completed deposit or withdrawal; units of the ledger. A pending one has not changed the balance yet. */
export interface TransferEntry {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
  readonly asset: string;
  /** Venue ms of its detection or submission; it was completed later. */
  readonly time: number;
  /** What was sent to the venue, or taken out of the balance; above 0. */
  readonly quantity: Money;
  /** Part of `quantity` that the venue kept. */
  readonly fee: Money;
}

/** The funding of a finished position as the venue states it; units of the ledger. P&L, so payments are negative. */
export interface RoundTripEntry {
  readonly kind: 'round-trip';
  readonly pair: string;
  /** The id of the fill that ended it. */
  readonly closingFill: string;
  readonly funding: Money;
}

export interface CutEntry {
  readonly kind: 'cut';
  readonly cut: Cut;
}

export type LedgerEntry = FillEntry | TransferEntry | RoundTripEntry | CutEntry;

/** The effect of a fill, units of the ledger. Money of the pair's quote asset unless `feeAsset` says otherwise. */
export interface BookedFill {
  readonly pair: string;
  readonly fill: Fill;
  readonly liquidation: boolean;
  /** Realised P&L of the closing part, before the fee. */
  readonly realised: Money;
  readonly feeAsset: string;
  /** Paid positive. */
  readonly fee: Money;
  /** Position after it. */
  readonly lots: number;
  readonly cost: Money;
}
