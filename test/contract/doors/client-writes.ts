import type { VenueClient } from '../../../src/client/client.js';
import type { WithdrawClient } from '../../../src/client/withdraw.js';
import { exactSteps, type Grid, type Lots, type Ticks } from '../../../src/model/grid.js';
import type { Market } from '../../../src/model/market.js';
import type { OrderOptions, TimeInForce, TriggerEvent } from '../../../src/model/order.js';
import type { MarginOutcome, PlaceRequest, WriteFailure } from '../../../src/ports/venue-api.js';
import { CannotDo } from '../cannot-do.js';
import type { Fields, Reply } from '../door.js';
import { balanceWire, orderWire, positionWire, withdrawalWire } from './agreement.js';
import { byPair } from './client-reads.js';
import { refusal } from './refusal.js';

/** One account's. */
export interface Clients {
  readonly client: VenueClient;
  readonly withdrawals: WithdrawClient;
}

export interface Write {
  readonly path: string;
  readonly fields: Fields;
  readonly markets: ReadonlyMap<string, Market>;
}

const ORDER_FIELDS = new Set([
  'pair',
  'side',
  'qty',
  'price',
  'time_in_force',
  'post_only',
  'reduce_only',
  'hidden',
  'icebergs',
  'oco',
  'trigger_price',
  'trigger_event',
  'close_on_trigger',
  'leverage',
]);
const EVENTS: Readonly<Record<string, TriggerEvent>> = {
  MARK_PRICE: 'mark',
  INDEX_PRICE: 'index',
  LAST_PRICE: 'last',
};

/** The typed method for a path; gives its result as the wire had it, or the refusal. */
export async function writeByClient({ client, withdrawals }: Clients, write: Write): Promise<Reply> {
  const { path, fields } = write;
  switch (path) {
    case '/auth/order': {
      const market = marketOf(write);
      const { terms, options } = placeRequest(market, fields);
      const outcome = await client.place(market, terms, undefined, options);
      return outcome.kind === 'accepted' ? done({ order: orderWire(outcome.order) }) : failed(outcome);
    }
    case '/auth/order/bulk': {
      const [first, ...rest] = bulkRequests(write);
      if (first === undefined) throw new CannotDo('the client sends no empty bulk');
      const outcome = await client.placeMany(first.market, [
        first.request,
        ...rest.map(({ request }) => request),
      ]);
      return outcome.kind === 'accepted' ? done({ orders: outcome.orders.map(orderWire) }) : failed(outcome);
    }
    case '/auth/close': {
      const market = marketOf(write);
      const outcome = await client.close(market, {
        lots: steps<Lots>(market.quantityGrid, fields['qty']),
        ticks: steps<Ticks>(market.priceGrid, fields['price']),
      });
      return outcome.kind === 'accepted' ? done({ order: orderWire(outcome.order) }) : failed(outcome);
    }
    case '/auth/cancel': {
      const id = String(fields['id'] ?? '');
      if (id === '') throw new CannotDo('the client cancels no order without an id');
      const outcome = await client.cancel(id);
      if (outcome.kind === 'answered') return done(orderWire(outcome.order));
      return failed(outcome.kind === 'refused' ? outcome : { kind: 'in-doubt', reason: outcome.reason });
    }
    case '/auth/cancel/bulk':
      return Object.keys(fields).length === 0 ? cancelEverything(client) : cancelMany(client, fields);
    case '/leverage':
      return margin(await client.setLeverage(pairOf(fields), amountOf(fields, 'leverage')));
    case '/fund':
      return margin(await client.fund(pairOf(fields), amountOf(fields, 'qty')));
    case '/draw':
      return margin(await client.draw(pairOf(fields), amountOf(fields, 'qty')));
    case '/auth/withdraw': {
      const outcome = await withdrawals.withdraw({
        asset: String(fields['asset']),
        quantity: amountOf(fields, 'qty'),
        address: String(fields['address']),
      });
      return outcome.kind === 'submitted' ? done(withdrawalWire(outcome.withdrawal)) : failed(outcome);
    }
    default:
      throw new CannotDo(`the client has no method for POST ${path}`);
  }
}

async function cancelEverything(client: Clients['client']): Promise<Reply> {
  const outcome = await client.cancelEverything();
  if (outcome.kind === 'answered') return done(outcome.orders.map(orderWire));
  return failed(outcome.kind === 'refused' ? outcome : { kind: 'in-doubt', reason: outcome.reason });
}

/** `cancelMany` says only that it was answered, so this goes through the client's raw door. */
async function cancelMany(client: Clients['client'], fields: Fields): Promise<Reply> {
  const given = Object.entries(fields).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  );
  const answer = await client.request({
    method: 'POST',
    path: '/auth/cancel/bulk',
    auth: 'signed',
    fields: Object.fromEntries(given),
  });
  if (answer.kind === 'result') return done(answer.result);
  return failed({ kind: 'in-doubt', reason: JSON.stringify(answer) });
}

function done(result: unknown): Reply {
  return { status: 200, code: 200, msg: 'OK', result };
}

/** Only what the client calls definite is a refusal; doubt about our own venue's answer is a failure. */
function failed(outcome: WriteFailure): Reply {
  if (outcome.kind === 'refused') return refusal(outcome.reason);
  if (outcome.kind === 'not-sent') throw new CannotDo(`the client does not send it: ${outcome.reason}`);
  throw new Error(`the client must know what became of it, received doubt: ${outcome.reason}`);
}

function margin(outcome: MarginOutcome): Reply {
  if (outcome.kind !== 'done') return failed(outcome);
  const { balances, positions } = outcome.account;
  return done({
    balances: byPair(balances.map((each) => [each.asset, balanceWire(each)])),
    positions: byPair(positions.map((each) => [each.pair, positionWire(each)])),
  });
}

function pairOf({ pair }: Fields): string {
  return String(pair);
}

function amountOf(fields: Fields, name: string): string {
  const value = String(fields[name] ?? '');
  if (!/^\d+(\.\d+)?$/.test(value)) throw new CannotDo(`the client takes ${name} as a decimal`);
  return value;
}

function marketOf({ fields, markets }: Write): Market {
  const market = markets.get(String(fields['pair']));
  if (market === undefined) throw new CannotDo('the client takes a market, so it asks for no unknown pair');
  return market;
}

function steps<T extends number>(grid: Grid, value: Fields[string]): T | undefined {
  if (value === undefined) return undefined;
  const count = exactSteps(grid, String(value));
  if (count === undefined) throw new CannotDo("the client counts in steps of the market's grids");
  return count as T;
}

function bulkRequests({ fields, markets }: Write) {
  const members = new Map<number, Record<string, string | number | boolean | undefined>>();
  for (const [name, value] of Object.entries(fields)) {
    const parts = /^orders\[(\d+)\]\[(\w+)\]$/.exec(name);
    if (parts === null) throw new CannotDo('the client writes the fields of a bulk in its own way');
    const index = Number(parts[1]);
    members.set(index, { ...members.get(index), [parts[2] as string]: value });
  }
  const requests = [...members.values()].map((member) => {
    const market = marketOf({ path: '', fields: member, markets });
    return { market, request: placeRequest(market, member) };
  });
  if (new Set(requests.map(({ market }) => market.pair)).size > 1) {
    throw new CannotDo('the client makes a bulk of one market');
  }
  return requests;
}

function placeRequest(market: Market, fields: Fields): PlaceRequest {
  const strange = Object.keys(fields).find((name) => !ORDER_FIELDS.has(name));
  if (strange !== undefined) throw new CannotDo(`the client has no name for ${strange}`);
  const { side, qty, time_in_force: timeInForce } = fields;
  if (side !== 'BUY' && side !== 'SELL') throw new CannotDo('the client knows two sides');
  const lots = steps<Lots>(market.quantityGrid, qty);
  if (lots === undefined) throw new CannotDo('the client places no order without a quantity');
  const ticks = steps<Ticks>(market.priceGrid, fields['price']);
  return {
    terms: {
      side: side === 'BUY' ? 'buy' : 'sell',
      type: ticks === undefined ? 'market' : 'limit',
      ticks,
      lots,
      timeInForce: timeInForceOf(timeInForce ?? 'GTC'),
      postOnly: flag(fields['post_only']),
      reduceOnly: flag(fields['reduce_only']),
    },
    options: {
      ...optionsOf(market, fields),
      ...(fields['oco'] === undefined ? {} : { oco: String(fields['oco']) }),
    },
  };
}

function optionsOf(market: Market, fields: Fields): OrderOptions {
  const { hidden, icebergs, close_on_trigger: closeOnTrigger, leverage } = fields;
  const ticks = steps<Ticks>(market.priceGrid, fields['trigger_price']);
  const event = EVENTS[String(fields['trigger_event'] ?? 'MARK_PRICE')];
  if (event === undefined) throw new CannotDo('the client knows three trigger events');
  if (ticks === undefined && fields['trigger_event'] !== undefined) {
    throw new CannotDo('the client names no event without a trigger price');
  }
  return {
    ...(hidden === undefined ? {} : { hidden: flag(hidden) }),
    ...(icebergs === undefined ? {} : { icebergs: Number(icebergs) }),
    ...(closeOnTrigger === undefined ? {} : { closeOnTrigger: flag(closeOnTrigger) }),
    ...(leverage === undefined ? {} : { leverage: Number(leverage) }),
    ...(ticks === undefined ? {} : { trigger: { ticks, event } }),
  };
}

function flag(value: Fields[string]): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new CannotDo('the client knows yes and no');
}

function timeInForceOf(value: Fields[string]): TimeInForce {
  if (value === 'GTC' || value === 'IOC' || value === 'FOK') return value;
  throw new CannotDo('the client knows three times in force');
}
