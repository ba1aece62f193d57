import type { Side } from '../model/side.js';
import type { FillRecord, OrderRecord } from '../model/venue-records.js';
import {
  booleanOf,
  DecodeError,
  field,
  idOf,
  listOf,
  messageOf,
  notNegativeOf,
  numberOf,
  positiveOf,
  recordOf,
  textOf,
  untrusted,
} from './wire.js';

export function decodeSide(value: unknown, what: string): Side {
  if (value === 'BUY') return 'buy';
  if (value === 'SELL') return 'sell';
  throw new DecodeError(what, 'BUY or SELL', value);
}

/** Specification: Order. A status that is not known stays as it is: it is for the reader not to take it as final. */
export function decodeOrder(value: unknown): OrderRecord {
  const wire = recordOf(value, 'an order');
  const pair = textOf(field(wire, 'pair'), 'order.pair');
  const type = field(wire, 'type');
  if (type !== 'LIMIT' && type !== 'MARKET') throw new DecodeError('order.type', 'LIMIT or MARKET', type);
  const fills = field(wire, 'fills');
  return {
    id: idOf(field(wire, 'id'), 'order.id'),
    pair,
    side: decodeSide(field(wire, 'side'), 'order.side'),
    type: type === 'LIMIT' ? 'limit' : 'market',
    priceOriginal:
      type === 'LIMIT'
        ? positiveOf(field(wire, 'price_orig'), 'order.price_orig')
        : notNegativeOf(field(wire, 'price_orig') ?? 0, 'order.price_orig'),
    price: notNegativeOf(field(wire, 'price') ?? 0, 'order.price'),
    quantity: positiveOf(field(wire, 'qty_orig'), 'order.qty_orig'),
    filledQuantity: notNegativeOf(field(wire, 'qty_filled'), 'order.qty_filled'),
    leavesQuantity: notNegativeOf(field(wire, 'qty_remaining'), 'order.qty_remaining'),
    status: untrusted(textOf(field(wire, 'status'), 'order.status')),
    time: notNegativeOf(field(wire, 'time'), 'order.time'),
    timeInForce: untrusted(textOf(field(wire, 'time_in_force') ?? 'GTC', 'order.time_in_force')),
    postOnly: booleanOf(field(wire, 'post_only'), 'order.post_only', false),
    reduceOnly: booleanOf(field(wire, 'reduce_only'), 'order.reduce_only', false),
    oco: echoOf(field(wire, 'oco')),
    message: messageOf(field(wire, 'msg')),
    fills:
      fills === undefined ? undefined : listOf(fills, 'order.fills').map((fill) => decodeFill(fill, pair)),
  };
}

/** Compared with what was sent, so it stays as it is. */
function echoOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** GET /orders and its kin: newest first as we know it; the order is not relied on. */
export function decodeOrders(result: unknown): readonly OrderRecord[] {
  return listOf(result, 'orders').map(decodeOrder);
}

/** Specification: Fill. `pair` is what a fill inside an order may leave out. */
export function decodeFill(value: unknown, pair?: string): FillRecord {
  const wire = recordOf(value, 'a fill');
  const side = field(wire, 'side');
  return {
    id: idOf(field(wire, 'id'), 'fill.id'),
    pair: textOf(field(wire, 'pair') ?? pair, 'fill.pair'),
    side: side === undefined ? undefined : decodeSide(side, 'fill.side'),
    isBuyerMaker: booleanOf(field(wire, 'is_buyer_maker'), 'fill.is_buyer_maker'),
    quantity: positiveOf(field(wire, 'qty'), 'fill.qty'),
    price: positiveOf(field(wire, 'price'), 'fill.price'),
    netCommission: numberOf(field(wire, 'net_commission', 'gross_commission'), 'fill.net_commission'),
    liquidation: booleanOf(field(wire, 'liquidation'), 'fill.liquidation', false),
    time: notNegativeOf(field(wire, 'time'), 'fill.time'),
  };
}

export function decodeFills(result: unknown): readonly FillRecord[] {
  return listOf(result, 'fills').map((fill) => decodeFill(fill));
}
