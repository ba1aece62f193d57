import type { CoreFill, CoreOrder } from '../core/account.js';
import { refusalText } from '../core/refusals.js';
import type { OrderQueryState } from '../core/venue-core.js';
import type { AccountRequest, Endpoint } from './endpoint.js';
import { type Answer, Refused } from './envelope.js';
import { requiredText } from './fields.js';
import { leverageOf } from './leverage.js';
import { accountListQuery, requiredMarket } from './list-query.js';
import { balancesRecord } from './records/balance-record.js';
import { fillRecord } from './records/fill-record.js';
import { orderRecord } from './records/order-record.js';
import { positionRecord } from './records/position-record.js';

/** What the holder of a key may read of its own account. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/orders', access: 'key', answer: orders('all') },
  { method: 'GET', path: '/active_orders', access: 'key', answer: orders('active') },
  { method: 'GET', path: '/completed_orders', access: 'key', answer: orders('completed') },
  { method: 'GET', path: '/cancelled_orders', access: 'key', answer: orders('canceled') },
  { method: 'GET', path: '/filled_orders', access: 'key', answer: orders('filled') },
  { method: 'GET', path: '/partially_filled_orders', access: 'key', answer: orders('partial') },
  { method: 'GET', path: '/order', access: 'key', answer: order },
  { method: 'GET', path: '/fills', access: 'key', answer: fills },
  { method: 'GET', path: '/position', access: 'key', answer: position },
  { method: 'GET', path: '/active_positions', access: 'key', answer: activePositions },
  { method: 'GET', path: '/personal', access: 'key', answer: personal },
];

/** One order as every endpoint shows it. */
export function encodeOrder({ markets }: AccountRequest, order: CoreOrder) {
  const { market } = order.holding.state;
  return orderRecord(markets.get(market.pair) ?? market, order, leverageOf(order));
}

function orders(state: OrderQueryState): (request: AccountRequest) => Answer {
  return (request) => {
    const query = accountListQuery(request);
    if (query instanceof Refused) return query;
    const found = request.core.orders(request.account, state, query);
    return JSON.stringify(found.map((each) => encodeOrder(request, each)));
  };
}

function order(request: AccountRequest): Answer {
  const id = requiredText(request.fields, 'id', 'the id of an order');
  if (id instanceof Refused) return id;
  const found = request.core.order(request.account, id);
  if (found !== undefined) return JSON.stringify(encodeOrder(request, found));
  return Refused.because(
    refusalText('notFound', `id ${JSON.stringify(id.slice(0, 40))} is no order of this account`),
  );
}

function fills(request: AccountRequest): Answer {
  const query = accountListQuery(request);
  if (query instanceof Refused) return query;
  return JSON.stringify(request.core.fills(request.account, query).map((fill) => encodeFill(request, fill)));
}

function position(request: AccountRequest): Answer {
  const market = requiredMarket(request);
  return market instanceof Refused ? market : JSON.stringify(positionRecord(request, market));
}

function activePositions(request: AccountRequest): Answer {
  const { account, markets } = request;
  const open = [...markets.values()].filter(({ pair }) => (account.holdings.get(pair)?.lots ?? 0) !== 0);
  const records = open.map((market) => {
    const own = fillsSinceFlat(request, market.pair).map((fill) => encodeFill(request, fill));
    return [market.pair, { ...positionRecord(request, market), fills: own }] as const;
  });
  return JSON.stringify(Object.fromEntries(records));
}

/** The account's facts; the simulated venue knows no person behind it. */
function personal({ core, account }: AccountRequest): Answer {
  return JSON.stringify({
    customer_id: account.name,
    email: '',
    verification_level: 0,
    withdrawal_allowance: 0,
    deposit_addresses: {},
    actions: { trade: true, deposit: false, withdraw: false },
    permissions: { read: true, trade: true, withdraw: false },
    balances: balancesRecord(core.balances(account)),
  });
}

/** The fills that made the position what it is, newest first: back to where it was flat or on the other side. */
function fillsSinceFlat({ core, account, maxLimit }: AccountRequest, pair: string): CoreFill[] {
  let lots: number = account.holdings.get(pair)?.lots ?? 0;
  const sign = Math.sign(lots);
  const found: CoreFill[] = [];
  for (const fill of core.fills(account, { pair, limit: maxLimit })) {
    if (Math.sign(lots) !== sign) break;
    found.push(fill);
    lots -= fill.side === 'buy' ? fill.lots : -fill.lots;
  }
  return found;
}

function encodeFill({ core, account, markets }: AccountRequest, fill: CoreFill) {
  const market = markets.get(fill.pair) ?? core.market(fill.pair).market;
  // An order that the venue has already forgotten was a limit order if it made the trade; what took it is not known.
  const type =
    core.order(account, fill.orderId)?.terms.type ?? (fill.liquidity === 'maker' ? 'limit' : 'market');
  return fillRecord(market, fill, type);
}
