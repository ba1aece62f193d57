/**
 * The venue's API as the rest of the project needs it, decoded. Implemented by the signed client over HTTP.
 * Reads reject with a `VenueError`; writes never reject for what the venue or the network did: their outcome is data.
 *
 * `VenueApi` is what sessions, execution and market data take; `PublicCalls`, `KeyCalls` and `WriteCalls` are the whole
 * specification, by the credentials that they need.
 */
import type { DecimalSource } from '../model/decimal.js';
import type { Lots, Ticks } from '../model/grid.js';
import type { MarketRecord } from '../model/market-record.js';
import type { Market } from '../model/market.js';
import type { OrderOptions, OrderTerms } from '../model/order.js';
import type {
  AccountRecord,
  AssetRecord,
  BalanceRecord,
  CandleRecord,
  DepositRecord,
  DepthRecord,
  FillRecord,
  OrderRecord,
  PersonalRecord,
  PositionRecord,
  TickerRecord,
  TradeRecord,
  WithdrawalRecord,
} from '../model/venue-records.js';
import type { Ticker } from '../model/ticker.js';

/** Q4 of `dialect.md` §1: `from` and `to` are inclusive venue ms. */
export interface ListQuery {
  readonly pair?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
}

/**
 * `triggers`: orders that wait for their trigger (status UNTRIGGERED), which no other list holds, and those that the
 * engine refused when they fired.
 */
export type OrderListState = 'all' | 'active' | 'completed' | 'canceled' | 'filled' | 'partial' | 'triggers';

/** A read failed: no answer in time, no envelope, or an error envelope. Stays inside adapters. */
export class VenueError extends Error {
  readonly kind: 'unreachable' | 'timeout' | 'throttled' | 'refused' | 'malformed';
  /** How long the venue asked us to wait, ms. */
  readonly retryAfterMs: number | undefined;
  /** Refused because of the key or the signature, as far as the profile knows the venue's words. */
  readonly isUnauthorized: boolean;
  constructor(
    kind: VenueError['kind'],
    message: string,
    options: { retryAfterMs?: number; isUnauthorized?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'VenueError';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.isUnauthorized = options.isUnauthorized ?? false;
  }
}

/** A write without success. `refused` and `not-sent` are certain; `in-doubt`: it may have been done (reliability §0.2). */
export type WriteFailure =
  | ({ readonly kind: 'refused' } & VenueWords)
  | ({ readonly kind: 'in-doubt' } & VenueWords)
  | { readonly kind: 'not-sent'; readonly reason: string };

/** Why a venue did not do what it was asked for, or why there is no answer. */
export interface VenueWords {
  readonly reason: string;
  /** As in `VenueError`. It does not prove that nothing was done: that depends on the outcome's `kind`. */
  readonly isUnauthorized?: true;
}

/** The three definite outcomes of an order POST, and doubt. */
export type PlaceOutcome = { readonly kind: 'accepted'; readonly order: OrderRecord } | WriteFailure;

/** `accepted`: one record for each order asked for, in the same order; members may be cancelled already. */
export type BulkPlaceOutcome =
  | { readonly kind: 'accepted'; readonly orders: readonly OrderRecord[] }
  | WriteFailure;

/** What became of a change of margin or leverage. */
export type MarginOutcome = { readonly kind: 'done'; readonly account: AccountRecord } | WriteFailure;

/** A cancel is idempotent by order id; what it did is proven only by a later read of the order. */
export type CancelOutcome =
  | { readonly kind: 'answered'; readonly order: OrderRecord }
  | ({ readonly kind: 'refused' } & VenueWords)
  | ({ readonly kind: 'unanswered' } & VenueWords);

/** `orders`: those that the venue says it cancelled. */
export type CancelAllOutcome =
  | { readonly kind: 'answered'; readonly orders: readonly OrderRecord[] }
  | ({ readonly kind: 'refused' } & VenueWords)
  | ({ readonly kind: 'unanswered' } & VenueWords);

/** What an order body can ask for besides its terms (`dialect.md` §5). */
export interface PlaceOptions extends OrderOptions {
  /** A real one-cancels-other group; it takes the place of the tag, which uses the same field. */
  readonly oco?: string | undefined;
}

/** One member of a bulk order. */
export interface PlaceRequest {
  readonly terms: OrderTerms;
  /** Echoed by venues that have an echo field. */
  readonly tag?: string | undefined;
  readonly options?: PlaceOptions | undefined;
}

/** POST /auth/close: a reduce-only order against the position. */
export interface CloseQuery {
  /** Default: the whole position. */
  readonly lots?: Lots | undefined;
  /** Default: at market. */
  readonly ticks?: Ticks | undefined;
}

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

/** A request as it is about to leave. */
export interface LeavingOrder {
  /** Lower-case hex. Worked out only when it is read, since the order waits for it. */
  readonly bodySha256: string;
  /**
   * The last venue ms at which a venue that keeps to the receive window takes it; `undefined`: the body has no timestamp.
   */
  readonly validUntil: number | undefined;
}

/**
 * Called when the body is finished and the next step is the socket; where a connection had to be made first, a second time
 * about the same body once the connection stands. Returns why the order must not leave; `undefined`: it may.
 */
export type LastWord = (request: LeavingOrder) => string | undefined;

export interface OrderVenueApi {
  /**
   * Sends at most one POST, ever. `tag` is echoed by venues that have an echo field (wire: oco). `lastWord` is called
   * synchronously before the request goes to the transport, and again synchronously before its first byte if that had
   * to wait for a connection; with a reason the outcome is `not-sent`.
   */
  place(
    market: Market,
    terms: OrderTerms,
    tag: string | undefined,
    options?: PlaceOptions,
    lastWord?: LastWord,
  ): Promise<PlaceOutcome>;
  cancel(orderId: string): Promise<CancelOutcome>;
  /**
   * By ids, which must not be empty: without ids the venue cancels everything. In several requests if the venue takes no more
   * at once; the outcome is that of the worst.
   */
  cancelMany(orderIds: readonly [string, ...string[]]): Promise<CancelAllOutcome>;
}

/** The client's estimate of the venue's clock (`dialect.md` §8). */
export interface VenueClock {
  /** Estimate of the venue's time now, ms. It never goes back, unless a clock was set. */
  now(): number;
  /** A venue time, ms, that the venue's clock has certainly reached: never above the true one. Feed marks are made of it. */
  reached(): number;
  /**
   * The earliest that it can be now, venue ms; unlike the others
   * it follows the estimate back. −Infinity before an answer.
   */
  earliest(): number;
  /**
   * What `now` and `reached` would return, for observers outside of a session. Those two never go back, so calling them
   * binds what they return next, and an observer's call, which no recording holds, would change what the session does.
   */
  glance(): { readonly now: number; readonly reached: number };
  /**
   * The time in the newest answer, venue ms; −Infinity before
   * one. No estimate, which runs on while the clock stands still.
   */
  answered(): number;
  /** Venue ms per local ms, from answers over several seconds that agree; 1 before there are such answers. */
  steadyRate(): number;
  /** Asks GET /time and takes the answer in. */
  sync(): Promise<void>;
}

/**
 * `half-open`: one call is let through to test the connection. `reason`: why the breaker is not closed; else `undefined`.
 */
export interface BreakerHealth {
  readonly state: 'closed' | 'open' | 'half-open';
  readonly reason: string | undefined;
}

/** The state of the connection to the venue, judged by the latest calls. */
export interface ClientHealth {
  readonly breakers: {
    readonly public: BreakerHealth;
    readonly privateRead: BreakerHealth;
    /** Also open while private reads fail. Cancels and reduce-only orders are sent all the same. */
    readonly order: BreakerHealth;
  };
  /** Requests per second that the budget allows now. */
  readonly requestsPerSecond: number;
}

export type VenueApi = PublicVenueApi & PrivateVenueApi & OrderVenueApi & { readonly clock: VenueClock };

/** Query of GET /ohlcv. */
export interface CandleQuery {
  readonly pair: string;
  /** Inclusive venue ms. */
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
  /** `1m 3m 5m 15m 1h 4h 24h`; default 5m. An extension of ours: another venue may not know it. */
  readonly interval?: string;
}

/** Every public call. */
export interface PublicCalls extends PublicVenueApi {
  /** Every market of GET /pairs with every field, those that cannot be traded here included. */
  marketRecords(): Promise<ReadonlyMap<string, MarketRecord>>;
  /** One pair's, or all. */
  tickers(pair?: string): Promise<ReadonlyMap<string, TickerRecord>>;
  /** Ascending by open time. */
  candles(query: CandleQuery): Promise<readonly CandleRecord[]>;
}

/** Every read that needs the API key. */
export interface KeyCalls extends PrivateVenueApi {
  /** Positions that are open, with their fills. */
  activePositions(): Promise<readonly PositionRecord[]>;
  /** Positions that ended, with their fills. */
  completedPositions(query?: ListQuery): Promise<readonly PositionRecord[]>;
  /** Waiting triggers, and those that the engine refused when they fired: `message` says why. */
  triggers(query?: ListQuery): Promise<readonly OrderRecord[]>;
  deposits(query?: ListQuery): Promise<readonly DepositRecord[]>;
  withdrawals(query?: ListQuery): Promise<readonly WithdrawalRecord[]>;
  personal(): Promise<PersonalRecord>;
  /** GET /account, which is outside the specification: a venue may not have it. */
  account(): Promise<AccountRecord>;
}

/** Every write except withdrawals. Each call sends at most one request, and nothing repeats it. */
export interface WriteCalls extends OrderVenueApi {
  /** All or nothing where the profile says so; one market, no reduce-only order. */
  placeMany(market: Market, requests: readonly [PlaceRequest, ...PlaceRequest[]]): Promise<BulkPlaceOutcome>;
  close(market: Market, query?: CloseQuery): Promise<PlaceOutcome>;
  /** Above 0: isolated at that leverage; 0: back to cross. */
  setLeverage(pair: string, leverage: DecimalSource): Promise<MarginOutcome>;
  /** Adds margin to an isolated position; USD. */
  fund(pair: string, amount: DecimalSource): Promise<MarginOutcome>;
  /** Takes margin out of an isolated position; USD. */
  draw(pair: string, amount: DecimalSource): Promise<MarginOutcome>;
  /** The bulk cancel without ids: every working order of the account, on every pair; waiting triggers stay. For panic only. */
  cancelEverything(): Promise<CancelAllOutcome>;
}
