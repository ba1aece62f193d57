import type { Market } from '../model/market.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { OrderListState, PrivateVenueApi } from '../ports/venue-api.js';
import { isOver, MOST_PAGES } from './cut.js';
import { readWhole, type WholeList } from './whole-list.js';

export interface AliveOptions {
  readonly api: Pick<PrivateVenueApi, 'orders'>;
  readonly market: Market;
  /** Rows that one answer of the venue holds at most. */
  readonly limit: number;
  /** Also read the orders that wait for their trigger. */
  readonly withTriggers: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the orders of a pair that are active or, if asked for, wait for their trigger: ours and those of others. */
export async function readAlive(options: AliveOptions): Promise<WholeList<OrderRecord>> {
  const { api, market, limit, withTriggers, signal } = options;
  const { pair } = market;
  const budget = { left: MOST_PAGES };
  const alive = new Map<string, OrderRecord>();
  let lack: string | undefined;
  // The triggers first: an order that fires between the two reads is in the second one.
  const lists: readonly OrderListState[] = withTriggers ? ['triggers', 'active'] : ['active'];
  for (const state of lists) {
    const list = await readWhole({
      read: (query) => api.orders(state, { pair, ...query }),
      name: `orders (${state})`,
      limit,
      from: undefined,
      budget,
      signal,
    });
    lack ??= list.lack;
    // Triggers that were refused when they fired stay in their list.
    for (const record of list.rows) if (state === 'active' || !isOver(record)) alive.set(record.id, record);
  }
  return { rows: [...alive.values()], lack };
}
