/**
 * What the venue says about one pair, read so that it can be believed: the position before and after the fills, and, when
 * something is in doubt, the order lists before and after both (`reliability.md` b.5).
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
  /** Order lists that are read; without `active` none can prove that nothing is there. */
  readonly lists: readonly OrderListState[];
  /** Reads of the lists begin here; venue ms. */
  readonly ordersFrom: number | undefined;
  readonly fillsFrom: number | undefined;
  /** Nothing more is read after it. */
  readonly signal: AbortSignal;
  /** The lists are read once more at the end: only then does absence mean anything. */
  readonly twice: boolean;
  /**
   * Is told what the lists show each time that all of them were read: that is true whatever becomes of the other reads.
   * `readAt`: monotonic ms; none of it is older than what was visible then.
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
  /** Nothing moved while it was read. */
  readonly stable: boolean;
  /** Why some list may not be whole; `undefined` when all are. */
  readonly lack: string | undefined;
}

/** Requests of one cut, or of one list, for what did not fit into the first answers. */
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
      // What is active now was perhaps touched long ago: that list has no beginning.
      from: state === 'active' ? undefined : ordersFrom,
      budget,
      signal,
    });
    lack ??= list.lack;
    for (const record of list.rows) {
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
    // Without a beginning the newest answer is enough: what is older is in the checkpoint.
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

/** Lots, signed. @throws VenueError when size and direction say different things, or it is off the grid */
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

/** Of two records of one order the one that shows more; lists of one venue may be of different age. */
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
