import type { VenueClient } from '../../../src/client/client.js';
import type { WireRecord } from '../../../src/model/venue-records.js';
import type { ListQuery, OrderListState } from '../../../src/ports/venue-api.js';
import { CannotDo } from '../cannot-do.js';
import type { Fields } from '../door.js';
import {
  assetWire,
  balanceWire,
  depositWire,
  fillWire,
  marketWire,
  orderWire,
  positionWire,
  tickerWire,
  withdrawalWire,
} from './agreement.js';

const ORDER_LISTS: Readonly<Record<string, OrderListState>> = {
  '/orders': 'all',
  '/active_orders': 'active',
  '/completed_orders': 'completed',
  '/cancelled_orders': 'canceled',
  '/filled_orders': 'filled',
  '/partially_filled_orders': 'partial',
};

/** The typed method for a path; gives its result as the wire had it. */
export async function readByClient(client: VenueClient, path: string, query: Fields): Promise<unknown> {
  const state = ORDER_LISTS[path];
  if (state !== undefined) return (await client.orders(state, listQuery(query))).map(orderWire);
  switch (path) {
    case '/time':
      return client.time();
    case '/pairs':
      return Object.fromEntries(
        [...(await client.marketRecords())].map(([pair, m]) => [pair, marketWire(m)]),
      );
    case '/assets':
      return Object.fromEntries((await client.assets()).map((asset) => [asset.key, assetWire(asset)]));
    case '/ticker': {
      const tickers = await client.tickers(query['pair'] === undefined ? undefined : textOf(query, 'pair'));
      return Object.fromEntries([...tickers].map(([pair, ticker]) => [pair, tickerWire(ticker)]));
    }
    case '/trades':
      return tradesOf(client, query);
    case '/depth':
      return depthOf(client, query);
    case '/ohlcv':
      return candlesOf(client, query);
    case '/order':
      return orderWire(await client.order(textOf(query, 'id')));
    case '/triggers':
      return (await client.triggers(listQuery(query))).map(orderWire);
    case '/fills':
      return (await client.fills(listQuery(query))).map(fillWire);
    case '/position':
      return positionWire(await client.position(textOf(query, 'pair')));
    case '/active_positions':
      return byPair((await client.activePositions()).map((each) => [each.pair, positionWire(each)]));
    case '/completed_positions':
      return (await client.completedPositions(listQuery(query))).map((each) =>
        byPair([[each.pair, positionWire(each)]]),
      );
    case '/deposits':
      return (await client.deposits(listQuery(query))).map(depositWire);
    case '/withdrawals':
      return (await client.withdrawals(listQuery(query))).map(withdrawalWire);
    case '/personal': {
      const personal = await client.personal();
      const balances = byPair(personal.balances.map((each) => [each.asset, balanceWire(each)]));
      return { ...personal.wire, balances };
    }
    case '/balances':
      return byPair((await client.raw('balances', {})).map((each) => [each.asset, balanceWire(each)]));
    case '/account': {
      const account = await client.account();
      return {
        balances: byPair(account.balances.map((each) => [each.asset, balanceWire(each)])),
        positions: byPair(account.positions.map((each) => [each.pair, positionWire(each)])),
      };
    }
    default:
      throw new CannotDo(`the client has no method for GET ${path}`);
  }
}

export function byPair(
  entries: readonly (readonly [string, WireRecord])[],
): Readonly<Record<string, WireRecord>> {
  return Object.fromEntries(entries);
}

/** The client gives trades oldest first. */
async function tradesOf(client: VenueClient, query: Fields): Promise<readonly WireRecord[]> {
  const trades = await client.trades({ ...listQuery(query), pair: textOf(query, 'pair') });
  return trades.toReversed().map((trade) => ({
    id: trade.id,
    pair: trade.pair,
    is_buyer_maker: trade.isBuyerMaker,
    is_best_match: trade.isBestMatch,
    qty: trade.quantity,
    price: trade.price,
    time: trade.time,
  }));
}

async function depthOf(client: VenueClient, query: Fields): Promise<WireRecord> {
  const depth = await client.depth(textOf(query, 'pair'), wholeOf(query, 'limit'));
  const level = ({ price, quantity }: { readonly price: number; readonly quantity: number }) => ({
    price,
    qty: quantity,
  });
  return { bids: depth.bids.map(level), asks: depth.asks.map(level) };
}

async function candlesOf(
  client: VenueClient,
  { interval, ...query }: Fields,
): Promise<readonly WireRecord[]> {
  const candles = await client.candles({
    ...listQuery(query),
    pair: textOf(query, 'pair'),
    ...(interval === undefined ? {} : { interval: String(interval) }),
  });
  return candles.map((candle) => ({
    open: candle.open,
    high: candle.high,
    low: candle.low,
    close: candle.close,
    base_volume: candle.baseVolume,
    quote_volume: candle.quoteVolume,
    open_time: candle.openTime,
    close_time: candle.closeTime,
    trades: candle.trades,
    last_price: candle.lastPrice,
    last_qty: candle.lastQuantity,
  }));
}

function listQuery(query: Fields): ListQuery {
  const from = wholeOf(query, 'start');
  const to = wholeOf(query, 'end');
  const limit = wholeOf(query, 'limit');
  if (limit !== undefined && limit < 1) throw new CannotDo('the client asks for no empty list');
  return {
    ...(query['pair'] === undefined ? {} : { pair: textOf(query, 'pair') }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function textOf(query: Fields, name: string): string {
  const value = query[name];
  if (typeof value !== 'string') throw new CannotDo(`the client's method needs ${name}`);
  return value;
}

function wholeOf(query: Fields, name: string): number | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'number') return value;
  throw new CannotDo(`the client's ${name} is a number`);
}
