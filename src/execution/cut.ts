/**
 * One consistent reading of a pair. Requests are not atomic, so the position is read before and after the fills, and, when
 * an order is in doubt, the order lists before and after both: what differs has moved (`reliability.md` b.5).
 */
import type { Lots } from '../model/grid.js';
import type { Market } from '../model/market.js';
import { positionLots } from '../model/position.js';
import type { FillRecord, OrderRecord, PositionRecord } from '../model/venue-records.js';
import type { Clock } from '../ports/clock.js';
import { type OrderListState, type PrivateVenueApi, VenueError } from '../ports/venue-api.js';
import { type PageBudget, readWhole } from './whole-list.js';

export type CutReads = Pick<PrivateVenueApi, 'orders' | 'position' | 'fills'>;

export interface CutOptions {
  readonly api: CutReads;
  readonly market: Market;
  readonly clock: Clock;
  /** Rows that one answer holds at most; a longer list is read in pages. */
  readonly limit: number;
  /** The order lists to read. Without `active` a cut cannot prove an order absent. */
  readonly lists: readonly OrderListState[];
  /**
   * Venue ms from which the order lists are read, except `active` and `triggers`, which are read whole. `undefined`: from
   * the first row.
   */
  readonly ordersFrom: number | undefined;
  /** Venue ms from which fills are read. `undefined`: one page of the newest fills. */
  readonly fillsFrom: number | undefined;
  /** Ends the cut before its next request. */
  readonly signal: AbortSignal;
  /**
   * Read the order lists once more at the end. Without that a cut proves no absence: an order may move between two lists.
   */
  readonly twice: boolean;
  /**
   * Called each time that all order lists were read, with what they show: that holds even if a later read fails. `readAt`:
   * monotonic ms before the first of these reads, so that no record is older than what was visible then.
   */
  readonly onOrders?: ((orders: readonly OrderRecord[], readAt: number) => void) | undefined;
}

export interface Cut {
  /** Monotonic ms at which the first request began: nothing in it is older than what was visible then. */
  readonly startedAt: number;
  /** By id, as last read. */
  readonly orders: ReadonlyMap<string, OrderRecord>;
  readonly fills: readonly FillRecord[];
  /** Signed. */
  readonly position: Lots;
  readonly averageEntry: number;
  /** The position, and the orders where they were read twice, were the same at the end as at the beginning. */
  readonly stable: boolean;
  /** Why some list may not be whole; `undefined` when all are. */
  readonly lack: string | undefined;
}

/** The most requests that one cut, or one list, may take beyond the first page of each list. */
export const MOST_PAGES = 100;

/** @throws VenueError when a read fails, or a position contradicts itself; the signal's reason when it aborts. */
export async function readCut(options: CutOptions): Promise<Cut> {
  const { api, market, clock, twice, signal, onOrders } = options;
  const startedAt = clock.monotonic();
  const budget: PageBudget = { left: MOST_PAGES };
  const before = await readOrders(options, budget);
  signal.throwIfAborted();
  onOrders?.([...before.orders.values()], startedAt);
  const first = await api.position(market.pair);
  const fills = await readFills(options, budget);
  signal.throwIfAborted();
  const last = await api.position(market.pair);
  const againAt = clock.monotonic();
  const after = twice ? await readOrders(options, budget) : undefined;
  if (after !== undefined) onOrders?.([...after.orders.values()], againAt);
  const position = lotsOf(market, last);
  return {
    startedAt,
    orders: after === undefined ? before.orders : newer(before.orders, after.orders),
    fills: fills.records,
    position,
    averageEntry: last.averageEntry,
    stable: lotsOf(market, first) === position && (after === undefined || agree(before.orders, after.orders)),
    lack: before.lack ?? fills.lack ?? after?.lack,
  };
}

interface OrderLists {
  readonly orders: ReadonlyMap<string, OrderRecord>;
  readonly lack: string | undefined;
}

async function readOrders(
  { api, market, limit, lists, ordersFrom, signal }: CutOptions,
  budget: PageBudget,
): Promise<OrderLists> {
  const orders = new Map<string, OrderRecord>();
  let lack: string | undefined;
  for (const state of lists) {
    const list = await readWhole({
      read: (query) => api.orders(state, { pair: market.pair, ...query }),
      name: `orders (${state})`,
      limit,
      // The last update of an order that rests or waits may lie arbitrarily far back: these lists have no lower bound.
      from: state === 'active' || state === 'triggers' ? undefined : ordersFrom,
      budget,
      signal,
    });
    lack ??= list.lack;
    for (const record of list.rows) {
      // Refused triggers stay in their list for ever, and only new ones say something.
      if (state === 'triggers' && isOver(record) && record.time < (ordersFrom ?? 0)) continue;
      if (record.pair === market.pair) orders.set(record.id, newest(orders.get(record.id), record));
    }
  }
  return { orders, lack };
}

async function readFills(
  { api, market, limit, fillsFrom, signal }: CutOptions,
  budget: PageBudget,
): Promise<{ readonly records: readonly FillRecord[]; readonly lack: string | undefined }> {
  const { pair } = market;
  const ofPair = (rows: readonly FillRecord[]) => rows.filter((record) => record.pair === pair);
  if (fillsFrom === undefined) {
    // There is no checkpoint yet. The newest page is enough: the first checkpoint will include everything older.
    signal.throwIfAborted();
    return { records: ofPair(await api.fills({ pair, limit })), lack: undefined };
  }
  const { rows, lack } = await readWhole({
    read: (query) => api.fills({ pair, ...query }),
    name: 'fills',
    limit,
    from: fillsFrom,
    budget,
    signal,
  });
  return { records: ofPair(rows), lack };
}

/** Lots, signed. @throws VenueError when size and direction contradict each other, or the size is off the grid */
export function lotsOf(market: Market, { size, direction, pair }: PositionRecord): Lots {
  const lots = positionLots(market, { size, direction });
  if (lots === undefined) {
    throw new VenueError(
      'malformed',
      `the position of ${pair} must be on its lot grid and agree with its direction, received ${size} ${direction ?? ''}`,
    );
  }
  return lots;
}

/** The venue showed a final status. An order whose status nobody knows may be alive. */
export function isOver({ status }: Pick<OrderRecord, 'status'>): boolean {
  return status === 'CANCELLED' || status === 'COMPLETED';
}

/** The newer of two records of one order: the lists of a venue may be of different age. */
function newest(a: OrderRecord | undefined, b: OrderRecord): OrderRecord {
  if (a === undefined || b.time > a.time) return b;
  return b.time === a.time && b.filledQuantity >= a.filledQuantity ? b : a;
}

function newer(
  before: ReadonlyMap<string, OrderRecord>,
  after: ReadonlyMap<string, OrderRecord>,
): ReadonlyMap<string, OrderRecord> {
  const orders = new Map(before);
  for (const [id, record] of after) orders.set(id, newest(orders.get(id), record));
  return orders;
}

function agree(before: ReadonlyMap<string, OrderRecord>, after: ReadonlyMap<string, OrderRecord>): boolean {
  if (before.size !== after.size) return false;
  for (const [id, { status, filledQuantity }] of after) {
    const old = before.get(id);
    if (old?.status !== status || old.filledQuantity !== filledQuantity) return false;
  }
  return true;
}
