import type { OrderListState } from '../ports/venue-api.js';
import type { Priority } from './budget.js';
import { decodeBalances, decodePosition } from './decode-account.js';
import { decodeAssets, decodeCandles, decodeDepth, decodeTicker, decodeTime } from './decode-market-data.js';
import { decodeMarkets } from './decode-markets.js';
import { decodeFills, decodeOrder, decodeOrders } from './decode-orders.js';
import { decodeTrades } from './decode-trades.js';

/** Query of a read, in the wire's words. What is undefined is not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** The query set of lists (`dialect.md` §1, Q4): `start` and `end` are inclusive venue ms. */
export interface ListParameters extends Query {
  readonly pair?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly limit?: number | undefined;
}

interface Endpoint {
  readonly path: string;
  readonly priority: Priority;
  readonly deadlineMs: number;
}

/** A read that anybody may ask. */
export interface PublicRead<Q extends Query, R> extends Endpoint {
  readonly method: 'GET';
  readonly auth: 'public';
  readonly decode: (result: unknown, query: Q) => R;
}

/** A read that needs the API key, and nothing signed. */
export interface KeyRead<Q extends Query, R> extends Endpoint {
  readonly method: 'GET';
  readonly auth: 'key';
  readonly decode: (result: unknown, query: Q) => R;
}

/** A write: key and signature over the body. Sent once, whatever becomes of it. */
export interface SignedPost extends Endpoint {
  readonly method: 'POST';
  readonly auth: 'signed';
}

export type Read<Q extends Query, R> = PublicRead<Q, R> | KeyRead<Q, R>;

/** No parameters. */
export type None = Readonly<Record<string, never>>;
export interface PairParameter extends Query {
  readonly pair: string;
}
type Trades = ListParameters & PairParameter;
export interface DepthParameters extends PairParameter {
  readonly limit?: number | undefined;
}
export interface IdParameter extends Query {
  readonly id: string;
}
export interface CandleParameters extends PairParameter {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly limit?: number | undefined;
  readonly interval?: string | undefined;
}

const READ_MS = 5_000;
const LIST_MS = 8_000;
const POST_MS = 10_000;

function publicRead<Q extends Query, R>(
  path: string,
  priority: Priority,
  deadlineMs: number,
  decode: (result: unknown, query: Q) => R,
): PublicRead<Q, R> {
  return { method: 'GET', auth: 'public', path, priority, deadlineMs, decode };
}

function keyRead<Q extends Query, R>(
  path: string,
  priority: Priority,
  deadlineMs: number,
  decode: (result: unknown, query: Q) => R,
): KeyRead<Q, R> {
  return { method: 'GET', auth: 'key', path, priority, deadlineMs, decode };
}

function signedPost(path: string, priority: Priority, deadlineMs: number): SignedPost {
  return { method: 'POST', auth: 'signed', path, priority, deadlineMs };
}

const orderList = (path: string) =>
  keyRead<ListParameters, ReturnType<typeof decodeOrders>>(path, 'state', LIST_MS, decodeOrders);

/** The allow-list of what this client can ask. A path that is not here is never called. */
export const READS = {
  time: publicRead<None, number>('/time', 'state', READ_MS, decodeTime),
  pairs: publicRead<None, ReturnType<typeof decodeMarkets>>('/pairs', 'history', LIST_MS, decodeMarkets),
  assets: publicRead<None, ReturnType<typeof decodeAssets>>('/assets', 'history', LIST_MS, decodeAssets),
  trades: publicRead<Trades, ReturnType<typeof decodeTrades>>(
    '/trades',
    'trades',
    LIST_MS,
    (result, { pair }) => decodeTrades(result, pair),
  ),
  ticker: publicRead<PairParameter, ReturnType<typeof decodeTicker>>(
    '/ticker',
    'ticker',
    READ_MS,
    (result, { pair }) => decodeTicker(result, pair),
  ),
  depth: publicRead<DepthParameters, ReturnType<typeof decodeDepth>>(
    '/depth',
    'ticker',
    READ_MS,
    decodeDepth,
  ),
  ohlcv: publicRead<CandleParameters, ReturnType<typeof decodeCandles>>(
    '/ohlcv',
    'history',
    LIST_MS,
    decodeCandles,
  ),
  position: keyRead<PairParameter, ReturnType<typeof decodePosition>>(
    '/position',
    'state',
    READ_MS,
    (result, { pair }) => decodePosition(result, pair),
  ),
  order: keyRead<IdParameter, ReturnType<typeof decodeOrder>>('/order', 'state', READ_MS, decodeOrder),
  orders: orderList('/orders'),
  active_orders: orderList('/active_orders'),
  completed_orders: orderList('/completed_orders'),
  cancelled_orders: orderList('/cancelled_orders'),
  filled_orders: orderList('/filled_orders'),
  partially_filled_orders: orderList('/partially_filled_orders'),
  fills: keyRead<ListParameters, ReturnType<typeof decodeFills>>('/fills', 'fills', LIST_MS, decodeFills),
  personal: keyRead<None, ReturnType<typeof decodeBalances>>('/personal', 'state', READ_MS, decodeBalances),
} as const;

export const POSTS = {
  order: signedPost('/auth/order', 'order', POST_MS),
  cancel: signedPost('/auth/cancel', 'cancel', READ_MS),
  cancelBulk: signedPost('/auth/cancel/bulk', 'cancel', READ_MS),
} as const;

export const ORDER_LISTS: Readonly<Record<OrderListState, ReturnType<typeof orderList>>> = {
  all: READS.orders,
  active: READS.active_orders,
  completed: READS.completed_orders,
  canceled: READS.cancelled_orders,
  filled: READS.filled_orders,
  partial: READS.partially_filled_orders,
};

export type ReadName = keyof typeof READS;
export type QueryOf<N extends ReadName> = Parameters<(typeof READS)[N]['decode']>[1] extends infer Q
  ? Q extends Query
    ? Q
    : None
  : None;
export type ResultOf<N extends ReadName> = ReturnType<(typeof READS)[N]['decode']>;
