import type { OrderRecord } from '../../model/venue-records.js';
import type { OrderListState } from '../../ports/venue-api.js';
import { withConnection } from '../compose/connection.js';
import { readSettings } from '../compose/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { decimalText } from '../view/decimal-text.js';
import { momentText, parseMoment } from '../view/moment.js';
import { printJson, printText } from '../view/output.js';
import { table } from '../view/table.js';

export interface OrdersOptions {
  readonly venue?: string | undefined;
  readonly state: OrderListState;
  readonly pair?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly config?: string | undefined;
  readonly allowEnvKey?: true | undefined;
  readonly json?: true | undefined;
}

export async function orders(options: OrdersOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const query = {
    limit: options.limit,
    ...(options.pair === undefined ? {} : { pair: options.pair }),
    ...(options.from === undefined ? {} : { from: parseMoment(options.from, '--from') }),
    ...(options.to === undefined ? {} : { to: parseMoment(options.to, '--to') }),
  };
  const venue = await settings.venueWithKeys(options);
  const found = await withConnection(machine, venue, ({ api }) => api.orders(options.state, query));
  if (options.json === true) await printJson({ orders: found.map(orderJson) });
  else await printText(found.length === 0 ? `no ${options.state} orders` : orderTable(found));
  return EXIT.ok;
}

function orderJson(order: OrderRecord) {
  const { id, pair, side, type, status, time, timeInForce, postOnly, reduceOnly, message } = order;
  return {
    id,
    pair,
    side,
    type,
    ...(type === 'limit' ? { price: decimalText(order.priceOriginal) } : {}),
    quantity: decimalText(order.quantity),
    filledQuantity: decimalText(order.filledQuantity),
    leavesQuantity: decimalText(order.leavesQuantity),
    status,
    time,
    timeInForce,
    postOnly,
    reduceOnly,
    ...(message === undefined ? {} : { message }),
  };
}

function orderTable(found: readonly OrderRecord[]): string {
  const rows = found.map((order) => [
    momentText(order.time),
    order.pair,
    order.side,
    order.type,
    order.type === 'limit' ? decimalText(order.priceOriginal) : '',
    decimalText(order.quantity),
    decimalText(order.filledQuantity),
    order.status,
    order.id,
  ]);
  const heads = ['TIME', 'PAIR', 'SIDE', 'TYPE', 'PRICE', 'QUANTITY', 'FILLED', 'STATUS', 'ID'];
  return table(heads, rows, ['left', 'left', 'left', 'left', 'right', 'right', 'right', 'left', 'right']);
}
