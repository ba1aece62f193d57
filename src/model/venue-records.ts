/**
 * Venue records as decoded from the wire (specification: Resources and their fields): our names, and numbers as printed.
 * The client decodes tolerantly; here each field either has its type or is `undefined`. A word of the venue that we do
 * not know stays text. `wire` is the original object with all fields, also those without a name here: it is untrusted, so
 * print it with care.
 */
import type { Side } from './side.js';
import type { OrderType, TimeInForce, TriggerEvent } from './order.js';
import type { Trade } from './trade.js';

/** An object of an answer as it came. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** A public trade with its pair (GET /trades). Without `wire`, because a thousand trades may arrive each second. */
export interface TradeRecord extends Trade {
  readonly pair: string;
  /** Wire: is_best_match. */
  readonly isBestMatch?: boolean | undefined;
}

/** Specification: Fill, with the further fields of its samples. Money is in quote units unless its name says otherwise. */
export interface FillRecord {
  readonly id: string;
  readonly pair: string;
  /** Absent in the specification's table, present in samples. */
  readonly side: Side | undefined;
  /** Type of the order that was filled. */
  readonly type: OrderType | (string & {}) | undefined;
  readonly isBuyerMaker: boolean;
  readonly quantity: number;
  /** Wire: qty_usd. */
  readonly quantityUsd: number | undefined;
  readonly price: number;
  /** quantity × price. */
  readonly cost: number | undefined;
  /** Fee before the discount, paid positive. */
  readonly grossCommission: number | undefined;
  readonly grossCommissionAsset: string | undefined;
  /** Fee after the discount, paid positive; in the quote asset at our venue. */
  readonly netCommission: number;
  readonly netCommissionAsset: string | undefined;
  readonly netCommissionUsd: number | undefined;
  /** Fraction of the gross commission that was not charged. */
  readonly discount: number | undefined;
  readonly conversionRate: number | undefined;
  readonly liquidation: boolean;
  readonly time: number;
  readonly wire: WireRecord;
}

/**
 * Specification: Order, and the record of a trigger (GET /triggers). A `status` other than the known ones stays text and
 * must not be taken as terminal.
 */
export interface OrderRecord {
  readonly id: string;
  readonly pair: string;
  readonly side: Side;
  readonly type: OrderType | (string & {});
  /** Wire: price_orig; 0 for a market order. */
  readonly priceOriginal: number;
  readonly price: number;
  /** Wire: qty_orig. */
  readonly quantity: number;
  /** Wire: qty_orig_usd. */
  readonly quantityUsd: number | undefined;
  /** FIX CumQty (14), wire: qty_filled. */
  readonly filledQuantity: number;
  /** FIX LeavesQty (151), wire: qty_remaining. */
  readonly leavesQuantity: number;
  readonly status: 'ACTIVE' | 'CANCELLED' | 'COMPLETED' | 'UNTRIGGERED' | (string & {});
  /** Time of the last update, venue ms; each fill moves it. */
  readonly time: number;
  readonly timeInForce: TimeInForce | (string & {});
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly hidden: boolean;
  readonly closeOnTrigger: boolean;
  readonly oco: string | undefined;
  /** By the venue's dialect either the number of slices or the quantity that is shown. */
  readonly icebergs: number | undefined;
  readonly triggerPrice: number | undefined;
  readonly triggerEvent: TriggerEvent | (string & {}) | undefined;
  readonly leverage: number | undefined;
  /** Wire: customer_id, the account. */
  readonly customerId: string | undefined;
  /** The venue made this order to liquidate a position; wire: is_liquidation. */
  readonly liquidation: boolean;
  /** Diagnostic, e.g. why the order was cancelled. Untrusted text, cleaned of unprintable characters. */
  readonly message: string | undefined;
  /** Executions, when the venue sends them with the order. */
  readonly fills: readonly FillRecord[] | undefined;
  readonly wire: WireRecord;
}

/**
 * Specification: Position and its stats. `size` is signed, negative is short. Money in quote units; `realized`,
 * `funding` and `fees` are P&L, so what was paid is negative.
 */
export interface PositionRecord {
  readonly pair: string;
  readonly size: number;
  /** Margin assigned to the position. */
  readonly free: number | undefined;
  /** Margin locked within it. */
  readonly locked: number | undefined;
  readonly realized: number;
  readonly funding: number;
  readonly fees: number;
  /** Wire: stats.size, as printed; venues differ in whether it is signed. */
  readonly statsSize: number | undefined;
  /** Wire: stats.direction. */
  readonly direction: Side | undefined;
  readonly notional: number | undefined;
  /** Wire: stats.margin. */
  readonly margin: number | undefined;
  /** Wire: stats.pnl, the total: unrealized + realizedTotal. */
  readonly pnl: number | undefined;
  /** Wire: stats.upnl. */
  readonly unrealized: number;
  /** Wire: stats.rpnl: realized + funding + fees. */
  readonly realizedTotal: number | undefined;
  /** Unrealised P&L + margin. */
  readonly equity: number | undefined;
  /** P&L / initial margin. */
  readonly roe: number | undefined;
  readonly markPrice: number;
  /** 0 when flat. */
  readonly averageEntry: number;
  /** The effective leverage; wire: stats.leverage. */
  readonly leverage: number | undefined;
  /** Wire: stats.lp; `undefined` where the venue sends 0, which stands for none. */
  readonly liquidationPrice: number | undefined;
  /** Wire: stats.bankrupt; `undefined` where the venue sends 0, which stands for none. */
  readonly bankruptcyPrice: number | undefined;
  /** Present in /active_positions and /completed_positions. */
  readonly fills: readonly FillRecord[] | undefined;
  readonly wire: WireRecord;
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
  /** In use for open orders. */
  readonly locked: number;
  /** In use for pending withdrawals. */
  readonly withdrawn: number;
  readonly pnl: number;
  readonly margin: number;
  /** Paid since the account was opened, positive. */
  readonly fees: number;
  readonly wire: WireRecord;
}

/** The answer of POST /fund, /draw and /leverage, and of GET /account. */
export interface AccountRecord {
  readonly balances: readonly BalanceRecord[];
  readonly positions: readonly PositionRecord[];
}

/** GET /personal: facts of the account, as far as the venue tells them (`dialect.md` §3). */
export interface PersonalRecord {
  readonly email: string | undefined;
  readonly verificationLevel: number | undefined;
  /** What may be withdrawn, USD. */
  readonly withdrawalAllowance: number | undefined;
  /** By asset. */
  readonly depositAddresses: ReadonlyMap<string, string>;
  /** What the account may do at present, by the venue's names. */
  readonly actions: ReadonlyMap<string, boolean>;
  /** What the key may do, by the venue's names. */
  readonly permissions: ReadonlyMap<string, boolean>;
  readonly balances: readonly BalanceRecord[];
  readonly wire: WireRecord;
}

/** What the chain says of a deposit or withdrawal. */
export interface TransferTransaction {
  readonly hash: string | undefined;
  readonly from: string | undefined;
}

/** What a deposit and a withdrawal have in common. Amounts are in units of the asset. */
export interface TransferRecord {
  readonly id: string;
  readonly asset: string;
  readonly address: string | undefined;
  /** Wire: customer_id. */
  readonly customerId: string | undefined;
  /** Venue ms. */
  readonly time: number;
  readonly quantity: number;
  /** Quantity minus fee. */
  readonly net: number | undefined;
  /** The specification has ACTIVE in a sample only. */
  readonly status: 'PENDING' | 'COMPLETED' | 'ACTIVE' | (string & {});
  /** Value in USD at the time of the transfer; wire: qty_usd. */
  readonly quantityUsd: number | undefined;
  readonly transaction: TransferTransaction | undefined;
  readonly wire: WireRecord;
}

/** Specification: Deposit. */
export interface DepositRecord extends TransferRecord {
  readonly netUsd: number | undefined;
}

/** Specification: Withdrawal. */
export interface WithdrawalRecord extends TransferRecord {
  readonly manuallyApproved: boolean | undefined;
}

/** GET /ticker, one pair (`dialect.md` §4). Prices in quote units; `undefined` where the venue sends nothing. */
export interface TickerRecord {
  readonly pair: string;
  readonly lastPrice: number | undefined;
  readonly previousLastPrice: number | undefined;
  readonly lastQuantity: number | undefined;
  readonly openPrice: number | undefined;
  readonly highPrice: number | undefined;
  readonly lowPrice: number | undefined;
  readonly closePrice: number | undefined;
  /** Open, high, low and close of the mark price; wire: open_price_mark … */
  readonly openMark: number | undefined;
  readonly highMark: number | undefined;
  readonly lowMark: number | undefined;
  readonly closeMark: number | undefined;
  readonly priceChange: number | undefined;
  readonly priceChangePercent: number | undefined;
  /** Lower and upper end of the trading band at present. */
  readonly minPrice: number | undefined;
  readonly maxPrice: number | undefined;
  readonly markPrice: number | undefined;
  readonly indexPrice: number | undefined;
  readonly fairPrice: number | undefined;
  readonly bidPrice: number | undefined;
  readonly bidQuantity: number | undefined;
  readonly askPrice: number | undefined;
  readonly askQuantity: number | undefined;
  readonly baseVolume: number | undefined;
  readonly quoteVolume: number | undefined;
  /** Over 14 days, annualised. */
  readonly volatility: number | undefined;
  /** Venue ms. */
  readonly closeTime: number | undefined;
  /** Fraction of the notional; longs pay when it is above 0. */
  readonly fundingRate: number | undefined;
  /** Venue ms. */
  readonly nextFundingTime: number | undefined;
  // Options only.
  readonly underlyingPrice: number | undefined;
  readonly strike: number | undefined;
  readonly blackScholes: number | undefined;
  readonly otmAmount: number | undefined;
  readonly wire: WireRecord;
}

/** GET /ohlcv; volumes in base and quote units. Times are venue ms. */
export interface CandleRecord {
  readonly openTime: number;
  readonly closeTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly baseVolume: number;
  readonly quoteVolume: number;
  readonly trades: number | undefined;
  readonly lastPrice: number | undefined;
  readonly lastQuantity: number | undefined;
}

/** One filter of a market or asset as printed (specification: filters). */
export interface FilterRecord {
  /** PRICE_FILTER, LOT_SIZE, ICEBERG, INTEREST, or any other text of the venue. */
  readonly type: string | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Wire: tick_size. */
  readonly step: number | undefined;
}

/** Specification: Asset. Amounts are in units of the asset. */
export interface AssetRecord {
  readonly key: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Digits of its smallest unit. */
  readonly precision: number;
  readonly displayPrecision: number | undefined;
  /** Needed before a deposit is credited. */
  readonly confirmations: number;
  readonly platform: string | undefined;
  readonly isToken: boolean | undefined;
  readonly withdrawable: boolean;
  readonly minWithdrawal: number;
  /** Holding it gives commission discounts. */
  readonly isSpecialCommissionAsset: boolean | undefined;
  readonly stablecoin: boolean | undefined;
  readonly fees: { readonly withdrawal: number | undefined; readonly deposit: number | undefined };
  readonly filters: { readonly quantity: FilterRecord | undefined; readonly price: FilterRecord | undefined };
  /** For display only. */
  readonly usdPrice: number | undefined;
  readonly wire: WireRecord;
}
