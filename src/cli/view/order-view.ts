import type { OrderRecord } from '../../model/venue-records.js';
import { decimalText } from './decimal-text.js';
import { amount, type Column, moment, recordTable, words } from './record-table.js';
import { recordJson } from './record-json.js';

/** The price of an order is the one it was sent with, so a market order has none. */
export function orderJson(order: OrderRecord): Record<string, unknown> {
  const { priceOriginal, price, oco, ...rest } = order;
  return {
    ...recordJson(rest),
    ...(order.type === 'market' ? {} : { price: decimalText(priceOriginal) }),
    ...(oco === undefined ? {} : { oco }),
    ...(order.type === 'market' && order.filledQuantity > 0 ? { lastPrice: decimalText(price) } : {}),
  };
}

const COLUMNS: readonly Column<OrderRecord>[] = [
  moment('TIME', ({ time }) => time),
  words('PAIR', ({ pair }) => pair),
  words('SIDE', ({ side }) => side),
  words('TYPE', ({ type }) => type),
  amount('PRICE', ({ type, priceOriginal }) => (type === 'market' ? undefined : priceOriginal)),
  amount('QUANTITY', ({ quantity }) => quantity),
  amount('FILLED', ({ filledQuantity }) => filledQuantity),
  words('STATUS', ({ status }) => status),
  { head: 'ID', align: 'right', text: ({ id }) => id },
];
const FLAGS = words<OrderRecord>('FLAGS', flagsOf);
const TRIGGER = words<OrderRecord>('TRIGGER', triggerOf);
const MESSAGE = words<OrderRecord>('MESSAGE', ({ message }) => message);

/** Leaves out columns that are empty for all orders. */
export function orderTable(orders: readonly OrderRecord[]): string {
  const extra = [TRIGGER, FLAGS, MESSAGE].filter(({ text }) =>
    orders.some((order) => (text(order) ?? '') !== ''),
  );
  return recordTable(orders, [...COLUMNS, ...extra]);
}

/** An order in one line: `buy 0.5 BTC_USD @ 60000, IOC, reduce-only`. */
export function orderLine(order: OrderRecord): string {
  const { side, quantity, pair, type, priceOriginal } = order;
  const price = type === 'market' ? 'market' : decimalText(priceOriginal);
  const rest = [triggerOf(order), flagsOf(order)].filter((text) => text !== undefined && text !== '');
  return [`${side} ${decimalText(quantity)} ${pair} @ ${price}`, ...rest].join(', ');
}

function triggerOf({ triggerPrice, triggerEvent }: OrderRecord): string | undefined {
  return triggerPrice === undefined ? undefined : `${triggerEvent ?? 'mark'} ${decimalText(triggerPrice)}`;
}

function flagsOf(order: OrderRecord): string {
  const { timeInForce, icebergs, oco, leverage } = order;
  return [
    timeInForce === 'GTC' || order.type === 'market' ? undefined : timeInForce,
    order.postOnly ? 'post-only' : undefined,
    order.reduceOnly ? 'reduce-only' : undefined,
    order.hidden ? 'hidden' : undefined,
    icebergs === undefined ? undefined : `icebergs ${icebergs}`,
    order.closeOnTrigger ? 'close-on-trigger' : undefined,
    oco === undefined ? undefined : `oco ${oco}`,
    leverage === undefined || leverage === 0 ? undefined : `leverage ${decimalText(leverage)}`,
    order.liquidation ? 'liquidation' : undefined,
  ]
    .filter((flag) => flag !== undefined)
    .join(', ');
}
