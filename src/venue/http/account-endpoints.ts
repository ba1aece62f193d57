import { refusalText } from '../core/refusals.js';
import type { OrderQueryState } from '../core/venue-core.js';
import type { AccountRequest, Endpoint } from './endpoint.js';
import { type Answer, Refused, Rows } from './envelope.js';
import { requiredText } from './fields.js';
import { accountListQuery, requiredMarket } from './list-query.js';
import { balancesRecord } from './records/balance-record.js';
import { fillText } from './records/fill-record.js';
import { orderText } from './records/order-record.js';
import {
  completedPositionRecord,
  positionRecord,
  positionsRecord,
  positionWithFillsText,
} from './records/position-record.js';
import { rounded, usdOnWire } from './wire-number.js';

/** The endpoints with which the holder of a key reads its own account. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/orders', access: 'key', answer: orders('all') },
  { method: 'GET', path: '/active_orders', access: 'key', answer: orders('active') },
  { method: 'GET', path: '/completed_orders', access: 'key', answer: orders('completed') },
  { method: 'GET', path: '/cancelled_orders', access: 'key', answer: orders('canceled') },
  { method: 'GET', path: '/filled_orders', access: 'key', answer: orders('filled') },
  { method: 'GET', path: '/partially_filled_orders', access: 'key', answer: orders('partial') },
  { method: 'GET', path: '/order', access: 'key', answer: order },
  { method: 'GET', path: '/triggers', access: 'key', answer: triggers },
  { method: 'GET', path: '/fills', access: 'key', answer: fills },
  { method: 'GET', path: '/position', access: 'key', answer: position },
  { method: 'GET', path: '/active_positions', access: 'key', answer: activePositions },
  { method: 'GET', path: '/completed_positions', access: 'key', answer: completedPositions },
  { method: 'GET', path: '/personal', access: 'key', answer: personal },
  { method: 'GET', path: '/balances', access: 'key', answer: balances },
  { method: 'GET', path: '/account', access: 'key', answer: account },
];

function orders(state: OrderQueryState): (request: AccountRequest) => Answer {
  return (request) => {
    const query = accountListQuery(request);
    if (query instanceof Refused) return query;
    const found = request.core.orders(request.account, state, query);
    return new Rows(found.map((each) => orderText(request, each)));
  };
}

function order(request: AccountRequest): Answer {
  const id = requiredText(request.fields, 'id', 'the id of an order');
  if (id instanceof Refused) return id;
  const found = request.core.order(request.account, id);
  if (found !== undefined) return orderText(request, found);
  return Refused.because(
    refusalText('notFound', `id ${JSON.stringify(id.slice(0, 40))} is no order of this account`),
  );
}

/** Lists the orders that wait for their trigger, and those that were refused when it fired. */
function triggers(request: AccountRequest): Answer {
  const query = accountListQuery(request);
  if (query instanceof Refused) return query;
  const found = request.core.triggers(request.account, query);
  return new Rows(found.map((each) => orderText(request, each)));
}

function fills(request: AccountRequest): Answer {
  const query = accountListQuery(request);
  if (query instanceof Refused) return query;
  return new Rows(request.core.fills(request.account, query).map((fill) => fillText(request, fill)));
}

function position(request: AccountRequest): Answer {
  const market = requiredMarket(request);
  return market instanceof Refused ? market : JSON.stringify(positionRecord(request, market));
}

function activePositions(request: AccountRequest): Answer {
  const { account, markets } = request;
  const open = [...markets.values()].filter(({ pair }) => (account.holdings.get(pair)?.lots ?? 0) !== 0);
  const entries = open.map(
    (market) => `${JSON.stringify(market.pair)}:${positionWithFillsText(request, market)}`,
  );
  return `{${entries.join(',')}}`;
}

function completedPositions(request: AccountRequest): Answer {
  const query = accountListQuery(request);
  if (query instanceof Refused) return query;
  const found = request.core.completedPositions(request.account, query);
  return JSON.stringify(found.map((each) => completedPositionRecord(request, each)));
}

/**
 * The account's facts; the simulated venue knows no person behind it. The withdrawal allowance is the USD value of the
 * free balances of withdrawable assets.
 */
function personal({ core, account }: AccountRequest): Answer {
  const { wallet } = core;
  const balances = core.balances(account);
  const allowance = balances
    .filter(({ asset, free }) => free > 0n && wallet.asset(asset)?.withdrawable === true)
    .reduce((sum, { asset, free, precision }) => sum + usdOnWire(free, precision, core.usdPrice(asset)), 0);
  const addresses = wallet.assets.map((asset) => [asset.key, wallet.depositAddress(account, asset)] as const);
  return JSON.stringify({
    customer_id: account.name,
    email: '',
    verification_level: 0,
    withdrawal_allowance: rounded(allowance),
    deposit_addresses: Object.fromEntries(addresses),
    actions: { trade: true, deposit: true, withdraw: true },
    permissions: { read: true, trade: true, withdraw: true },
    balances: balancesRecord(balances),
  });
}

function balances({ core, account }: AccountRequest): Answer {
  return JSON.stringify(balancesRecord(core.balances(account)));
}

function account(request: AccountRequest): Answer {
  return JSON.stringify({
    balances: balancesRecord(request.core.balances(request.account)),
    positions: positionsRecord(request, request.markets.values()),
  });
}
