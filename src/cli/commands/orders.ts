import { UsageError } from '../../model/errors.js';
import type { OrderRecord } from '../../model/venue-records.js';
import type { OrderListState } from '../../ports/venue-api.js';
import { type KeyedOptions, type ListOptions, listQuery, withAccount } from '../settings/venue-access.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { orderJson, orderTable } from '../view/order-view.js';
import { printJson, printText } from '../view/output.js';

export interface OrdersOptions extends KeyedOptions, ListOptions {
  readonly state?: OrderListState | undefined;
}

/** Lists the orders of a state, or those with the given ids. */
export async function orders(ids: readonly string[], options: OrdersOptions): Promise<ExitCode> {
  const found = await (ids.length === 0 ? listed(options) : named(ids, options));
  if (options.json === true) await printJson({ orders: found.map(orderJson) });
  else await printText(found.length === 0 ? nothing(options.state) : orderTable(found));
  return EXIT.ok;
}

function nothing(state: OrderListState = 'active'): string {
  return state === 'all' ? 'no orders' : `no ${state} orders`;
}

function listed(options: OrdersOptions): Promise<readonly OrderRecord[]> {
  const query = listQuery(options);
  return withAccount(options, ({ api }) => api.orders(options.state ?? 'active', query));
}

function named(ids: readonly string[], options: OrdersOptions): Promise<readonly OrderRecord[]> {
  const { state, pair, from, to, limit } = options;
  if ((state ?? pair ?? from ?? to ?? limit) !== undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_ORDERS',
      'ids must stand alone: --state, --pair, --from, --to and --limit choose from a list',
    );
  }
  return withAccount(options, async ({ api }) => {
    const found: OrderRecord[] = [];
    for (const id of ids) found.push(await api.order(id));
    return found;
  });
}
