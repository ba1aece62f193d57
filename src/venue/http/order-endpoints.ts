import { encodeOrder } from './account-endpoints.js';
import type { AccountRequest, Endpoint } from './endpoint.js';
import { type Answer, Refused } from './envelope.js';
import { requiredText } from './fields.js';
import { rememberLeverage } from './leverage.js';
import { requiredMarket } from './list-query.js';
import { orderFields } from './order-fields.js';
import { refusalText } from '../core/refusals.js';

/** What changes something: key and signature, always. */
export const ORDER_ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/auth/order', access: 'signed', answer: place },
  { method: 'POST', path: '/auth/cancel', access: 'signed', answer: cancel },
  { method: 'POST', path: '/auth/cancel/bulk', access: 'signed', answer: cancelMany },
];

function place(request: AccountRequest): Answer {
  const { core, account, now } = request;
  const market = requiredMarket(request);
  if (market instanceof Refused) return market;
  if (!market.active || request.hasEnded(market.pair)) {
    return Refused.because(refusalText('inactive', `${market.pair} takes no orders now`));
  }
  const fields = orderFields(request.fields, market);
  if (fields instanceof Refused) return fields;
  const { terms, tag, leverage } = fields;
  const placement = core.place(account, { pair: market.pair, terms, tag }, now);
  if (placement.kind === 'refused') return Refused.because(placement.reason);
  rememberLeverage(placement.order, leverage);
  return `{"order":${JSON.stringify(encodeOrder(request, placement.order))}}`;
}

function cancel(request: AccountRequest): Answer {
  const id = requiredText(request.fields, 'id', 'the id of an order');
  if (id instanceof Refused) return id;
  const cancellation = request.core.cancel(request.account, id, request.now);
  if (cancellation.kind === 'refused') return Refused.because(cancellation.reason);
  return JSON.stringify(encodeOrder(request, cancellation.order));
}

/** Ids that are unknown or done are skipped; without any id all working orders go. */
function cancelMany(request: AccountRequest): Answer {
  const ids = request.fields.list('ids');
  const canceled = request.core.cancelMany(request.account, ids.length === 0 ? undefined : ids, request.now);
  return JSON.stringify(canceled.map((order) => encodeOrder(request, order)));
}
