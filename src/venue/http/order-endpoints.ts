import type { Lots } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { PlaceRequest } from '../core/commands.js';
import { refusalText } from '../core/refusals.js';
import type { AccountRequest, Endpoint } from './endpoint.js';
import { type Answer, Refused } from './envelope.js';
import { malformed, requiredText, text } from './fields.js';
import { type Form, UnreadableKey } from './form.js';
import { readSteps } from './decimal-text.js';
import { marketField } from './list-query.js';
import { orderFields, priceField } from './order-fields.js';
import { encodeOrder } from './records/order-record.js';
import { refuseStale } from './timestamp.js';

/** Endpoints that place and cancel orders; they always require key and signature. */
export const ORDER_ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/auth/order', access: 'signed', answer: place },
  { method: 'POST', path: '/auth/order/bulk', access: 'signed', answer: placeMany },
  { method: 'POST', path: '/auth/cancel', access: 'signed', answer: cancel },
  { method: 'POST', path: '/auth/cancel/bulk', access: 'signed', answer: cancelMany },
  { method: 'POST', path: '/auth/close', access: 'signed', answer: close },
];

function place(request: AccountRequest): Answer {
  const order = placeRequest(request, request.fields);
  if (order instanceof Refused) return order;
  const placement = request.core.place(request.account, order, request.now);
  if (placement.kind === 'refused') return Refused.because(placement.reason);
  return `{"order":${JSON.stringify(encodeOrder(request, placement.order))}}`;
}

/** Places all orders of a bulk or none; each may carry its own timestamp. */
function placeMany(request: AccountRequest): Answer {
  const { core, account, fields, now } = request;
  const groups = fields.groups('orders');
  if (groups instanceof UnreadableKey) return malformed('orders', 'spelled orders[0][pair]=…', groups.key);
  if (groups.length === 0) return malformed('orders', 'a list of orders, orders[0][pair]=… and so on');
  const orders: PlaceRequest[] = [];
  for (const [index, group] of groups.entries()) {
    const order = refuseStale(group, now, fields) ?? placeRequest(request, group);
    if (order instanceof Refused) return order.inside(`order ${index + 1} of ${groups.length}`);
    orders.push(order);
  }
  const placement = core.placeMany(account, orders, now);
  if (placement.kind === 'refused') return Refused.because(placement.reason);
  return `{"orders":${JSON.stringify(placement.orders.map((order) => encodeOrder(request, order)))}}`;
}

function cancel(request: AccountRequest): Answer {
  const id = requiredText(request.fields, 'id', 'the id of an order');
  if (id instanceof Refused) return id;
  const cancellation = request.core.cancel(request.account, id, request.now);
  if (cancellation.kind === 'refused') return Refused.because(cancellation.reason);
  return JSON.stringify(encodeOrder(request, cancellation.order));
}

/**
 * Cancels several orders; skips ids that are unknown or done. Without any id, cancels all working orders, but not those
 * that wait for a trigger.
 */
function cancelMany(request: AccountRequest): Answer {
  const ids = request.fields.list('ids');
  if (ids instanceof UnreadableKey) return malformed('ids', 'spelled ids[0]=…, ids[]=… or ids=…', ids.key);
  const canceled = request.core.cancelMany(request.account, ids.length === 0 ? undefined : ids, request.now);
  return JSON.stringify(canceled.map((order) => encodeOrder(request, order)));
}

/** Closes a position: the whole of it without `qty`, at market without `price`. */
function close(request: AccountRequest): Answer {
  const { core, account, fields, now } = request;
  const market = tradedMarket(request, fields);
  if (market instanceof Refused) return market;
  const quantity = text(fields, 'qty');
  if (quantity instanceof Refused) return quantity;
  const lots = quantity === undefined ? undefined : readSteps(market.quantityGrid, quantity);
  if (quantity !== undefined && lots === undefined)
    return malformed('qty', 'a plain decimal number', quantity);
  const ticks = priceField(fields, 'price', market);
  if (ticks instanceof Refused) return ticks;
  const placement = core.close(account, { pair: market.pair, lots: lots as Lots | undefined, ticks }, now);
  if (placement.kind === 'refused') return Refused.because(placement.reason);
  return `{"order":${JSON.stringify(encodeOrder(request, placement.order))}}`;
}

function placeRequest(request: AccountRequest, fields: Form): PlaceRequest | Refused {
  const market = tradedMarket(request, fields);
  if (market instanceof Refused) return market;
  const order = orderFields(fields, market);
  return order instanceof Refused ? order : { pair: market.pair, ...order };
}

/** The market of an order; refused if it takes no orders. */
function tradedMarket(request: AccountRequest, fields: Form): Market | Refused {
  const market = marketField(request, fields);
  if (market instanceof Refused) return market;
  if (request.core.isActive(market.pair) && !request.hasEnded(market.pair)) return market;
  return Refused.because(refusalText('inactive', `${market.pair} takes no orders now`));
}
