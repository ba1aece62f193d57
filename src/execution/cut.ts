/**
 * What the venue says about one pair, read so that it can be believed: the position before and after the fills, and, when
 * something is in doubt, the order lists before and after both (`reliability.md` b.5).
 */
import type { Lots } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { FillRecord, OrderRecord, PositionRecord } from '../model/venue-records.js';
import type { Clock } from '../ports/clock.js';
import { type ListQuery, type OrderListState, type PrivateVenueApi, VenueError } from '../ports/venue-api.js';
import { stepsNear } from './read-fill.js';

export type CutReads = Pick<PrivateVenueApi, 'orders' | 'position' | 'fills'>;

export interface CutOptions {
  readonly api: CutReads;
  readonly market: Market;
  readonly clock: Clock;
  /** Rows that a list holds at most; as many may be fewer than there are. */
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
  /** Some list may have been cut off. */
  readonly full: boolean;
}

/** The most pages of fills in one cut. */
const MOST_PAGES = 50;

/** @throws VenueError when a read fails, or a position contradicts itself; the signal's reason when it aborts. */
export async function readCut(options: CutOptions): Promise<Cut> {
  const { api, market, clock, twice, signal } = options;
  const startedAt = clock.monotonic();
  const before = await readOrders(options);
  signal.throwIfAborted();
  const first = await api.position(market.pair);
  const fills = await readFills(options);
  signal.throwIfAborted();
  const last = await api.position(market.pair);
  const after = twice ? await readOrders(options) : undefined;
  const position = lotsOf(market, last);
  return {
    startedAt,
    orders: after === undefined ? before.orders : newer(before.orders, after.orders),
    fills: fills.records,
    position,
    averageEntry: last.averageEntry,
    stable: lotsOf(market, first) === position && (after === undefined || agree(before.orders, after.orders)),
    full: before.full || fills.full || after?.full === true,
  };
}

interface OrderLists {
  readonly orders: ReadonlyMap<string, OrderRecord>;
  readonly full: boolean;
}

async function readOrders({
  api,
  market,
  limit,
  lists,
  ordersFrom,
  signal,
}: CutOptions): Promise<OrderLists> {
  const orders = new Map<string, OrderRecord>();
  let full = false;
  for (const state of lists) {
    signal.throwIfAborted();
    // What is active now was perhaps touched long ago: that list has no beginning.
    const since = state === 'active' || ordersFrom === undefined ? {} : { from: Math.floor(ordersFrom) };
    const records = await api.orders(state, { pair: market.pair, limit, ...since });
    full ||= records.length >= limit;
    for (const record of records) {
      if (record.pair === market.pair) orders.set(record.id, newest(orders.get(record.id), record));
    }
  }
  return { orders, full };
}

/** Fills from `fillsFrom` on, page by page towards the past; a page that is not full is the last. */
async function readFills({
  api,
  market,
  limit,
  fillsFrom,
  signal,
}: CutOptions): Promise<{ readonly records: readonly FillRecord[]; readonly full: boolean }> {
  const records = new Map<string, FillRecord>();
  const from = fillsFrom === undefined ? {} : { from: Math.floor(fillsFrom) };
  let to: number | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    signal.throwIfAborted();
    const query: ListQuery = { pair: market.pair, limit, ...from, ...(to === undefined ? {} : { to }) };
    const page = await api.fills(query);
    for (const record of page) if (record.pair === market.pair) records.set(record.id, record);
    if (page.length < limit) return { records: [...records.values()], full: false };
    // Without a beginning the newest page is enough: what is older is in the checkpoint.
    if (fillsFrom === undefined) break;
    const oldest = Math.min(...page.map(({ time }) => time));
    // A millisecond that holds more than a page cannot be read to its end.
    if (to !== undefined && oldest >= to) return { records: [...records.values()], full: true };
    to = oldest;
  }
  return { records: [...records.values()], full: fillsFrom !== undefined };
}

/** Lots, signed. @throws VenueError when size and direction say different things, or it is off the grid */
function lotsOf(market: Market, { size, direction, pair }: PositionRecord): Lots {
  const lots = stepsNear(market.quantityGrid, size);
  const contradicts = size !== 0 && direction !== undefined && size > 0 !== (direction === 'buy');
  if (Number.isNaN(lots) || contradicts) {
    throw new VenueError(
      'malformed',
      `the position of ${pair} must be on its lot grid and agree with its direction, received ${size} ${direction ?? ''}`,
    );
  }
  return lots as Lots;
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
