/**
 * Venue records as decoded from the wire (specification: Resources and their fields), in our names, plain numbers as
 * printed. Tolerant decoding happens in the client; what stands here is strict: a field is there or `undefined`.
 */
import type { Side } from './side.js';
import type { OrderType, TimeInForce } from './order.js';
import type { Trade } from './trade.js';

/** A public trade with its pair (GET /trades). */
export interface TradeRecord extends Trade {
  readonly pair: string;
}

/** Specification: Fill. */
export interface FillRecord {
  readonly id: string;
  readonly pair: string;
  /** Absent in the specification's table, present in samples. */
  readonly side: Side | undefined;
  readonly isBuyerMaker: boolean;
  readonly quantity: number;
  readonly price: number;
  /** Fee in the quote asset, paid positive. */
  readonly netCommission: number;
  readonly liquidation: boolean;
  readonly time: number;
}

/** Specification: Order. `status` beyond the three known ones stays as text: unknown is not terminal. */
export interface OrderRecord {
  readonly id: string;
  readonly pair: string;
  readonly side: Side;
  readonly type: OrderType;
  /** Wire: price_orig; 0 for a market order. */
  readonly priceOriginal: number;
  readonly price: number;
  /** Wire: qty_orig. */
  readonly quantity: number;
  /** FIX CumQty (14), wire: qty_filled. */
  readonly filledQuantity: number;
  /** FIX LeavesQty (151), wire: qty_remaining. */
  readonly leavesQuantity: number;
  readonly status: 'ACTIVE' | 'CANCELLED' | 'COMPLETED' | (string & {});
  /** Time of last update, venue ms: a fill moves it. */
  readonly time: number;
  readonly timeInForce: TimeInForce | (string & {});
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly oco: string | undefined;
  /** Diagnostic, e.g. why it was cancelled. Untrusted text. */
  readonly message: string | undefined;
  /** Executions, when the venue sends them with the order. */
  readonly fills: readonly FillRecord[] | undefined;
}

/** Specification: Position. `size` signed, negative is short. */
export interface PositionRecord {
  readonly pair: string;
  readonly size: number;
  readonly realized: number;
  readonly funding: number;
  readonly fees: number;
  readonly averageEntry: number;
  readonly markPrice: number;
  readonly liquidationPrice: number | undefined;
  readonly unrealized: number;
}

export interface DepthLevel {
  readonly price: number;
  readonly quantity: number;
}

/** Bids descending, asks ascending. */
export interface DepthRecord {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

/** Cash of one asset (specification: Balances). */
export interface BalanceRecord {
  readonly asset: string;
  readonly free: number;
  readonly locked: number;
  readonly withdrawn: number;
  readonly pnl: number;
  readonly margin: number;
  readonly fees: number;
}

/** Specification: Asset, what a person reads. */
export interface AssetRecord {
  readonly key: string;
  readonly name: string;
  readonly precision: number;
  readonly withdrawable: boolean;
  readonly minWithdrawal: number;
  readonly confirmations: number;
}
