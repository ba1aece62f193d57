/**
 * The venue's API as the rest of the project needs it, decoded. Implemented by the signed client over HTTP.
 * Reads reject with a `VenueError`; order writes never reject: their outcome is data.
 */
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import type {
  AssetRecord,
  BalanceRecord,
  DepthRecord,
  FillRecord,
  OrderRecord,
  PositionRecord,
  TradeRecord,
} from '../model/venue-records.js';
import type { Ticker } from '../model/ticker.js';

/** Q4 of `dialect.md` §1: `from` and `to` are inclusive venue ms. */
export interface ListQuery {
  readonly pair?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
}

export type OrderListState = 'all' | 'active' | 'completed' | 'canceled' | 'filled' | 'partial';

/** A read failed: no answer in time, no envelope, or an error envelope. Stays inside adapters. */
export class VenueError extends Error {
  readonly kind: 'unreachable' | 'timeout' | 'throttled' | 'refused' | 'malformed';
  /** How long the venue asked us to wait, ms. */
  readonly retryAfterMs: number | undefined;
  constructor(
    kind: VenueError['kind'],
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'VenueError';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The three definite outcomes of an order POST, and doubt (reliability §0.2). */
export type PlaceOutcome =
  | { readonly kind: 'accepted'; readonly order: OrderRecord }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'in-doubt'; readonly reason: string };

/** A cancel is idempotent by order id; what it did is proven only by a later read of the order. */
export type CancelOutcome =
  | { readonly kind: 'answered'; readonly order: OrderRecord }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly reason: string };

export interface PublicVenueApi {
  /** Server time, ms. */
  time(): Promise<number>;
  markets(): Promise<ReadonlyMap<string, Market>>;
  assets(): Promise<readonly AssetRecord[]>;
  /** The newest `limit` inside [from, to], **ascending** by (time, id). */
  trades(query: ListQuery & { readonly pair: string }): Promise<readonly TradeRecord[]>;
  ticker(pair: string): Promise<Ticker>;
  depth(pair: string, limit?: number): Promise<DepthRecord>;
}

export interface PrivateVenueApi {
  position(pair: string): Promise<PositionRecord>;
  orders(state: OrderListState, query?: ListQuery): Promise<readonly OrderRecord[]>;
  /** Rejects with `VenueError` of kind `refused` when the venue knows no such order. */
  order(id: string): Promise<OrderRecord>;
  fills(query?: ListQuery): Promise<readonly FillRecord[]>;
  balances(): Promise<readonly BalanceRecord[]>;
}

export interface OrderVenueApi {
  /** Sends at most one POST, ever. `tag` is echoed by venues that have an echo field (wire: oco). */
  place(market: Market, terms: OrderTerms, tag: string | undefined): Promise<PlaceOutcome>;
  cancel(orderId: string): Promise<CancelOutcome>;
  /** By ids, which must not be empty: without ids the venue cancels everything. */
  cancelMany(orderIds: readonly [string, ...string[]]): Promise<CancelOutcome['kind']>;
}

/** How the client knows the venue's clock (`dialect.md` §8). */
export interface VenueClock {
  /** Estimate of the venue's time now, ms. */
  now(): number;
  /** A venue time that was certainly reached by now: never above the true one. What feed marks are made of. */
  reached(): number;
  /** Asks GET /time and takes the answer in. */
  sync(): Promise<void>;
}

export type VenueApi = PublicVenueApi & PrivateVenueApi & OrderVenueApi & { readonly clock: VenueClock };
