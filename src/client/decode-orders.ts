import type { OrderType, TriggerEvent } from '../model/order.js';
import type { Side } from '../model/side.js';
import type { FillRecord, OrderRecord, WireRecord } from '../model/venue-records.js';
import {
  booleanOf,
  DecodeError,
  entriesOf,
  factNumber,
  factText,
  field,
  idOf,
  listOf,
  messageOf,
  notNegativeOf,
  numberOf,
  optionalNumberOf,
  positiveOf,
  recordOf,
  textOf,
  untrusted,
} from './wire.js';

/** Strict: with an unknown side nobody could tell which way an order or fill moves the position. */
function decodeSide(value: unknown, what: string): Side {
  if (value === 'BUY') return 'buy';
  if (value === 'SELL') return 'sell';
  throw new DecodeError(what, 'BUY or SELL', value);
}

/**
 * Specification: Order; triggers have the same form. An unknown status, type, time in force or trigger event is kept as
 * text, and callers must not treat it as one of the known values.
 */
export function decodeOrder(value: unknown): OrderRecord {
  const wire = recordOf(value, 'an order');
  const pair = textOf(field(wire, 'pair'), 'order.pair');
  const type = typeOf(field(wire, 'type'), 'order.type');
  const fills = field(wire, 'fills');
  const originalPrice = field(wire, 'price_orig');
  const quantity = positiveOf(field(wire, 'qty_orig'), 'order.qty_orig');
  return {
    id: idOf(field(wire, 'id'), 'order.id'),
    pair,
    side: decodeSide(field(wire, 'side'), 'order.side'),
    type,
    priceOriginal:
      type === 'limit'
        ? positiveOf(originalPrice, 'order.price_orig')
        : notNegativeOf(originalPrice ?? 0, 'order.price_orig'),
    price: notNegativeOf(field(wire, 'price') ?? 0, 'order.price'),
    quantity,
    quantityUsd: factNumber(wire, 'qty_orig_usd'),
    filledQuantity: partOf(quantity, field(wire, 'qty_filled'), 'order.qty_filled'),
    leavesQuantity: partOf(quantity, field(wire, 'qty_remaining'), 'order.qty_remaining'),
    status: untrusted(textOf(field(wire, 'status'), 'order.status')),
    time: notNegativeOf(field(wire, 'time'), 'order.time'),
    timeInForce: untrusted(textOf(field(wire, 'time_in_force') ?? 'GTC', 'order.time_in_force')),
    postOnly: flagOf(wire, 'post_only'),
    reduceOnly: flagOf(wire, 'reduce_only'),
    hidden: flagOf(wire, 'hidden'),
    closeOnTrigger: flagOf(wire, 'close_on_trigger'),
    oco: echoOf(field(wire, 'oco')),
    icebergs: factNumber(wire, 'icebergs'),
    triggerPrice: triggerPriceOf(wire),
    triggerEvent: triggerEventOf(field(wire, 'trigger_event')),
    leverage: factNumber(wire, 'leverage'),
    customerId: factText(wire, 'customer_id'),
    liquidation: flagOf(wire, 'is_liquidation', 'liquidation'),
    message: messageOf(field(wire, 'msg')),
    fills:
      fills === undefined ? undefined : listOf(fills, 'order.fills').map((fill) => decodeFill(fill, pair)),
    wire,
  };
}

/**
 * A negative part down to minus this fraction of the whole is
 * float noise of a difference and counts as 0 (`dialect.md` §1).
 */
const NOISE = 1e-9;

function partOf(whole: number, value: unknown, what: string): number {
  const part = numberOf(value, what);
  return part < 0 && part > -NOISE * whole ? 0 : notNegativeOf(value, what);
}

function flagOf(wire: WireRecord, ...names: readonly [string, ...string[]]): boolean {
  return booleanOf(field(wire, ...names), `order.${names[0]}`, false);
}

function typeOf(value: unknown, what: string): OrderRecord['type'] {
  const known: OrderType | undefined =
    value === 'LIMIT' ? 'limit' : value === 'MARKET' ? 'market' : undefined;
  return known ?? untrusted(textOf(value, what));
}

/** `undefined`: the order has no trigger, for which a venue may print 0. */
function triggerPriceOf(wire: WireRecord): number | undefined {
  const price = optionalNumberOf(field(wire, 'trigger_price'), 'order.trigger_price');
  if (price !== undefined && price < 0) throw new DecodeError('order.trigger_price', 'at least 0', price);
  return price === 0 ? undefined : price;
}

const TRIGGER_EVENTS: ReadonlyMap<unknown, TriggerEvent> = new Map([
  ['MARK_PRICE', 'mark'],
  ['INDEX_PRICE', 'index'],
  ['LAST_PRICE', 'last'],
]);

function triggerEventOf(value: unknown): OrderRecord['triggerEvent'] {
  return TRIGGER_EVENTS.get(value) ?? messageOf(value);
}

/** Kept exactly as it came, since it is compared with the tag that was sent. */
function echoOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** GET /orders and its kin: newest first as we know it; the order is not relied on. */
export function decodeOrders(result: unknown): readonly OrderRecord[] {
  return listOf(result, 'orders').map(decodeOrder);
}

/** Specification: Fill. `pair` is what a fill inside an order or a position may leave out. */
export function decodeFill(value: unknown, pair?: string): FillRecord {
  const wire = recordOf(value, 'a fill');
  const side = field(wire, 'side');
  const type = field(wire, 'type');
  return {
    id: idOf(field(wire, 'id'), 'fill.id'),
    pair: textOf(field(wire, 'pair') ?? pair, 'fill.pair'),
    side: side === undefined ? undefined : decodeSide(side, 'fill.side'),
    type: typeof type === 'string' && type !== '' ? typeOf(type, 'fill.type') : undefined,
    isBuyerMaker: booleanOf(field(wire, 'is_buyer_maker'), 'fill.is_buyer_maker'),
    quantity: positiveOf(field(wire, 'qty'), 'fill.qty'),
    quantityUsd: factNumber(wire, 'qty_usd'),
    price: positiveOf(field(wire, 'price'), 'fill.price'),
    cost: factNumber(wire, 'cost'),
    grossCommission: factNumber(wire, 'gross_commission'),
    grossCommissionAsset: factText(wire, 'gross_commission_asset'),
    netCommission: numberOf(field(wire, 'net_commission', 'gross_commission'), 'fill.net_commission'),
    netCommissionAsset: factText(wire, 'net_commission_asset'),
    netCommissionUsd: factNumber(wire, 'net_commission_usd'),
    discount: factNumber(wire, 'discount'),
    conversionRate: factNumber(wire, 'conversion_rate'),
    liquidation: booleanOf(field(wire, 'liquidation'), 'fill.liquidation', false),
    time: notNegativeOf(field(wire, 'time'), 'fill.time'),
    wire,
  };
}

export function decodeFills(result: unknown): readonly FillRecord[] {
  return listOf(result, 'fills').map((fill) => decodeFill(fill));
}

/** GET /triggers: an array, as every list; an object of them is accepted too, since nothing is said about it. */
export function decodeTriggers(result: unknown): readonly OrderRecord[] {
  if (Array.isArray(result)) return decodeOrders(result);
  return entriesOf(result, 'triggers').map(([, value]) => decodeOrder(value));
}
