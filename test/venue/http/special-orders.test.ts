/** Orders that ask for something special: triggers, oco, icebergs, hidden, bulk, close. */
import { describe, expect, test } from 'vitest';
import { defineMarket } from '../../../src/model/market.js';
import { ANNA, BERT, bookCore, BTC, Desk, PAIR, type WireOrder, type WirePosition } from './desk.js';

type Special = WireOrder & Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, string | number | boolean>>;

const place = async (desk: Desk, who: typeof ANNA | typeof BERT, fields: Fields) =>
  (await desk.place(who, fields)) as Special;
const list = async (desk: Desk, path: string, query: Fields = {}) =>
  (await desk.get<Special[]>(path, query, ANNA)).result;
const depth = async (desk: Desk) =>
  (await desk.get<{ bids: unknown[]; asks: unknown[] }>('/depth', { pair: PAIR })).result;

describe('triggers', () => {
  test('a stop waits in /triggers as UNTRIGGERED, in no list of orders and no depth, until its price comes', async () => {
    const desk = new Desk();
    await desk.trade(60_000, 0.1);
    const stop = await place(desk, ANNA, { side: 'BUY', qty: 0.2, price: 61_500, trigger_price: 61_000 });
    expect(stop).toMatchObject({
      status: 'UNTRIGGERED',
      type: 'LIMIT',
      price: 61_500,
      trigger_price: 61_000,
      trigger_event: 'MARK_PRICE',
      qty_filled: 0,
      close_on_trigger: false,
    });
    expect(await list(desk, '/triggers')).toEqual([stop]);
    expect((await desk.get('/order', { id: stop.id }, ANNA)).result).toEqual(stop);
    expect((await list(desk, '/orders')).map(({ id }) => id)).not.toContain(stop.id);
    expect(await list(desk, '/active_orders')).toEqual([]);
    expect(await depth(desk)).toEqual({ bids: [], asks: [] });

    await place(desk, BERT, { side: 'SELL', qty: 0.05, price: 61_000 });
    desk.time.advance(10);
    await place(desk, BERT, { side: 'SELL', qty: 0.1, price: 61_400 });
    await place(desk, ANNA, { side: 'BUY', qty: 0.05, price: 61_000 });
    // The trade at 61 000 is the new mark: the stop enters and takes what is offered up to 61 500.
    const fired = (await desk.get<Special>('/order', { id: stop.id }, ANNA)).result;
    expect(fired).toMatchObject({ status: 'ACTIVE', qty_filled: 0.1, qty_remaining: 0.1, time: desk.now });
    expect(await list(desk, '/triggers')).toEqual([]);
    expect((await list(desk, '/active_orders')).map(({ id }) => id)).toEqual([stop.id]);
  });

  test('one that is refused when it fires stays there, CANCELLED, with the reason', async () => {
    const desk = new Desk();
    await desk.trade(60_000, 0.1);
    const stop = await place(desk, ANNA, { side: 'BUY', qty: 4.8, price: 62_000, trigger_price: 60_500 });
    await desk.post('/auth/withdraw', { asset: 'USD', qty: 99_000, address: 'x', timestamp: desk.now }, ANNA);
    await desk.trade(60_500, 0.1);
    const [refused] = await list(desk, '/triggers');
    expect(refused).toMatchObject({ id: stop.id, status: 'CANCELLED', qty_filled: 0 });
    expect(refused?.msg).toMatch(/^Order was rejected due to insufficient balance: needs /);
    expect((await list(desk, '/cancelled_orders')).map(({ id }) => id)).not.toContain(stop.id);
  });

  test('is cancelled by its id, and left alone by a cancel of everything', async () => {
    const desk = new Desk();
    await desk.trade(60_000, 0.1);
    const stop = await place(desk, ANNA, { side: 'BUY', qty: 0.1, trigger_price: 61_000 });
    await desk.place(ANNA, { side: 'BUY', price: 59_000, qty: 0.1 });
    const all = await desk.post<Special[]>('/auth/cancel/bulk', '', ANNA);
    expect(all.result.map(({ id }) => id)).not.toContain(stop.id);
    expect(await list(desk, '/triggers')).toHaveLength(1);
    const one = await desk.post<Special>('/auth/cancel', { id: stop.id }, ANNA);
    expect(one.result).toMatchObject({ id: stop.id, status: 'CANCELLED' });
    expect(await list(desk, '/triggers')).toEqual([]);
  });

  test('lists are filtered by pair, by time and by limit, newest first', async () => {
    const desk = new Desk();
    await desk.trade(60_000, 0.1);
    const ids = [];
    for (const price of [61_000, 62_000, 63_000]) {
      ids.push(
        (
          await place(desk, ANNA, {
            side: 'BUY',
            qty: 0.1,
            trigger_price: price,
            trigger_event: 'LAST_PRICE',
          })
        ).id,
      );
      desk.time.advance(1);
    }
    const shown = async (query: Fields) => (await list(desk, '/triggers', query)).map(({ id }) => id);
    expect(await shown({})).toEqual([...ids].reverse());
    expect(await shown({ limit: 1 })).toEqual([ids[2]]);
    expect(await shown({ end: desk.now - 3 })).toEqual([ids[0]]);
    expect(await shown({ pair: 'USD_ETH_PERP' })).toEqual([]);
  });
});

describe('oco', () => {
  test('the first fill of a member cancels the others, with the reason', async () => {
    const desk = new Desk();
    const low = await place(desk, ANNA, { side: 'BUY', price: 59_000, qty: 0.1, oco: 'pair' });
    const high = await place(desk, ANNA, { side: 'SELL', price: 61_000, qty: 0.1, oco: 'pair' });
    await place(desk, BERT, { side: 'BUY', price: 61_000, qty: 0.05 });
    expect((await desk.get('/order', { id: low.id }, ANNA)).result).toMatchObject({
      status: 'CANCELLED',
      oco: 'pair',
      msg: 'oco sibling',
    });
    expect((await desk.get('/order', { id: high.id }, ANNA)).result).toMatchObject({ status: 'ACTIVE' });
    const late = await desk.post(
      '/auth/order',
      { pair: PAIR, side: 'BUY', price: 1, qty: 1, oco: 'pair' },
      ANNA,
    );
    expect(late).toMatchObject({ status: 503, msg: expect.stringMatching(/^oco group ended: pair/) });
  });
});

describe('what the depth does not show', () => {
  test('a hidden order trades without having been seen', async () => {
    const desk = new Desk();
    const hidden = await place(desk, ANNA, { side: 'SELL', price: 60_000, qty: 0.3, hidden: true });
    expect(hidden).toMatchObject({ hidden: true, status: 'ACTIVE' });
    expect(await depth(desk)).toEqual({ bids: [], asks: [] });
    expect(await place(desk, BERT, { side: 'BUY', price: 60_000, qty: 0.1 })).toMatchObject({
      status: 'COMPLETED',
    });
  });

  test('an iceberg shows one slice at a time', async () => {
    const desk = new Desk();
    const iceberg = await place(desk, ANNA, { side: 'SELL', price: 60_000, qty: 1, icebergs: 4 });
    expect(iceberg).toMatchObject({ icebergs: 4, qty_remaining: 1 });
    expect((await depth(desk)).asks).toEqual([{ price: 60_000, qty: 0.25 }]);
    await place(desk, BERT, { side: 'BUY', price: 60_000, qty: 0.3 });
    expect((await depth(desk)).asks).toEqual([{ price: 60_000, qty: 0.2 }]);
    expect((await desk.get('/order', { id: iceberg.id }, ANNA)).result).toMatchObject({ qty_remaining: 0.7 });
  });

  test('a slice outside the iceberg filter is refused', async () => {
    const market = defineMarket({
      pair: PAIR,
      base: 'BTC',
      quote: 'USD',
      price: { min: '0.5', max: '1000000', step: '0.5' },
      quantity: { min: '0.001', max: '100', step: '0.001' },
      icebergs: { min: '0.1', max: '1', step: '0.001' },
      fees: { maker: '0.0002', taker: '0.0006' },
    });
    const desk = new Desk({ core: bookCore([{ market }]) });
    const order = { pair: PAIR, side: 'BUY', price: 1_000, qty: 0.5 };
    expect((await desk.post('/auth/order', { ...order, icebergs: 6 }, ANNA)).msg).toBe(
      'iceberg slice outside filter: 0.084 is not within 0.1 to 1',
    );
    expect((await desk.post('/auth/order', { ...order, icebergs: 5 }, ANNA)).status).toBe(200);
  });
});

describe('bulk orders', () => {
  const bulk = (orders: readonly Fields[]) =>
    orders
      .flatMap((order, i) =>
        Object.entries({ pair: PAIR, ...order }).map(
          ([name, value]) => `orders%5B${i}%5D%5B${name}%5D=${encodeURIComponent(String(value))}`,
        ),
      )
      .join('&');
  const BUY = { side: 'BUY', qty: 0.1, price: 59_000 };
  const send = (desk: Desk, body: string) => desk.post<{ orders: Special[] }>('/auth/order/bulk', body, ANNA);

  test('all members enter, in order, and come back in order', async () => {
    const desk = new Desk();
    await desk.place(BERT, { side: 'SELL', price: 60_000, qty: 0.05 });
    const reply = await send(
      desk,
      bulk([
        BUY,
        { side: 'BUY', qty: 0.2, price: 60_000, time_in_force: 'IOC' },
        { ...BUY, price: 58_000, hidden: true },
      ]),
    );
    expect(reply.result.orders).toMatchObject([
      { price: 59_000, status: 'ACTIVE' },
      { price: 60_000, status: 'CANCELLED', qty_filled: 0.05, msg: 'IOC remainder' },
      { price: 58_000, status: 'ACTIVE', hidden: true },
    ]);
  });

  test.each<[string, readonly Fields[], RegExp]>([
    ['two markets', [BUY, { ...BUY, pair: 'USD_ETH_PERP', price: 2_000 }], /^bulk: more than one market: /],
    [
      '51 orders',
      Array.from({ length: 51 }, () => ({ ...BUY, qty: 0.001 })),
      /^bulk: not 1 to 50 orders: received 51/,
    ],
    ['a reduce-only order', [BUY, { ...BUY, reduce_only: true }], /^bulk: reduce-only inside: order 2 of 2/],
    ['an unknown pair', [BUY, { ...BUY, pair: 'X' }], /^unknown pair: .* \(order 2 of 2\)$/],
    [
      'a market that is not active',
      [{ ...BUY, pair: 'USD_OLD_PERP' }],
      /^market not active: .* \(order 1 of 1\)$/,
    ],
    ['an unknown side', [BUY, BUY, { ...BUY, side: 'UP' }], /^malformed: side must be .* \(order 3 of 3\)$/],
    ['a price off tick', [BUY, { ...BUY, price: '59000.1' }], /^price off tick: .* \(order 2 of 2\)$/],
    [
      'a total beyond the position limit',
      [
        { ...BUY, qty: 3 },
        { ...BUY, qty: 3 },
      ],
      /^interest exceeded: .* \(order 2 of 2\)$/,
    ],
    ['nothing', [], /^malformed: orders must be a list of orders/],
  ])('%s refuses all of it, and leaves no record', async (_name, orders, msg) => {
    const desk = new Desk();
    const reply = await send(desk, bulk(orders));
    expect(reply).toMatchObject({ status: 503, code: 503, result: {} });
    expect(reply.msg).toMatch(msg);
    expect(await list(desk, '/orders')).toEqual([]);
  });

  test.each([
    ['an index with a leading zero', 'orders[00][qty]=5'],
    ['an index that is none', 'orders[x][qty]=5'],
    ['a field that is not closed', 'orders[0][qty=5'],
    ['a whole order in one field', 'orders[1]=%7B%7D'],
    ['an order without an index', 'orders[][qty]=5'],
  ])('%s refuses all of it, for an order that is not understood is not left out', async (_name, stray) => {
    const desk = new Desk();
    const reply = await send(desk, `${bulk([BUY])}&${stray}`);
    expect(reply).toMatchObject({
      status: 503,
      msg: expect.stringMatching(
        /^malformed: orders must be spelled orders\[0\]\[pair\]=…, received "orders\[/,
      ),
    });
    expect(await list(desk, '/orders')).toEqual([]);
  });

  test('a timestamp may stand in each order, and one that is too old refuses all', async () => {
    const desk = new Desk();
    const fresh = { ...BUY, timestamp: desk.now };
    const old = { ...BUY, timestamp: desk.now - 6_000 };
    expect((await send(desk, bulk([fresh, fresh]))).status).toBe(200);
    expect(await send(desk, bulk([fresh, old]))).toMatchObject({ status: 408, code: 414, result: null });
    expect((await send(desk, `recv_window=10000&${bulk([fresh, old])}`)).status).toBe(200);
    expect(await list(desk, '/active_orders')).toHaveLength(4);
  });
});

describe('close', () => {
  test('without quantity and price: the whole position, at market, reduce-only', async () => {
    const desk = new Desk();
    await desk.trade(60_000, 0.3);
    await desk.place(BERT, { side: 'SELL', price: 60_010, qty: 1 });
    const { result } = await desk.post<{ order: Special }>('/auth/close', { pair: PAIR }, ANNA);
    expect(result.order).toMatchObject({
      side: 'BUY',
      type: 'MARKET',
      reduce_only: true,
      qty_orig: 0.3,
      status: 'COMPLETED',
      price: 60_010,
    });
    expect((await desk.get<WirePosition>('/position', { pair: PAIR }, ANNA)).result.size).toBe(0);
  });

  test('with both: that much, as a resting limit order', async () => {
    const desk = new Desk();
    await desk.trade(60_000, 0.3);
    const { result } = await desk.post<{ order: Special }>(
      '/auth/close',
      { pair: PAIR, qty: 0.1, price: 59_500 },
      ANNA,
    );
    expect(result.order).toMatchObject({
      side: 'BUY',
      type: 'LIMIT',
      price: 59_500,
      qty_orig: 0.1,
      status: 'ACTIVE',
    });
  });

  test.each<[string, Fields, RegExp]>([
    ['no pair', {}, /^malformed: pair must be a pair of this venue/],
    ['no position', { pair: 'USD_ETH_PERP' }, /^nothing to reduce: /],
    ['a quantity off step', { pair: PAIR, qty: '0.0001' }, /^quantity off step: /],
    ['an unreadable quantity', { pair: PAIR, qty: 'all' }, /^malformed: qty must be /],
    ['an empty price', { pair: PAIR, price: '' }, /^malformed: price must be /],
  ])('%s is refused', async (_name, fields, msg) => {
    const desk = new Desk();
    await desk.trade(60_000, 0.3);
    const reply = await desk.post('/auth/close', fields, ANNA);
    expect(reply).toMatchObject({ status: 503, result: {} });
    expect(reply.msg).toMatch(msg);
  });
});

test('spot: balances change hands, and there is no position', async () => {
  const market = defineMarket({
    pair: 'BTC_USD',
    base: 'BTC',
    quote: 'USD',
    contract: 'spot',
    price: { min: '0.5', max: '1000000', step: '0.5' },
    quantity: { min: '0.001', max: '100', step: '0.001' },
    fees: { maker: '0.0002', taker: '0.0006' },
  });
  const desk = new Desk({ core: bookCore([{ market: BTC }, { market }]) });
  await desk.admin('/deposit', { account: 'anna', asset: 'BTC', qty: 1 });
  await desk.place(ANNA, { pair: 'BTC_USD', side: 'SELL', price: 60_000, qty: 0.5 });
  const locked = (await desk.get<Record<string, unknown>>('/balances', {}, ANNA)).result;
  expect(locked['BTC']).toMatchObject({ free: 0.5, locked: 0.5 });
  await desk.place(BERT, { pair: 'BTC_USD', side: 'BUY', price: 60_000, qty: 0.1 });
  const annas = (await desk.get<Record<string, unknown>>('/balances', {}, ANNA)).result;
  const berts = (await desk.get<Record<string, unknown>>('/balances', {}, BERT)).result;
  // 0.1 × 60 000 = 6 000; maker 1.2, taker 3.6, both in USD.
  expect(annas).toMatchObject({ BTC: { free: 0.5, locked: 0.4 }, USD: { free: 105_998.8, fees: 1.2 } });
  expect(berts).toMatchObject({ BTC: { free: 0.1 }, USD: { free: 93_996.4, fees: 3.6 } });
  expect((await desk.get<WirePosition>('/position', { pair: 'BTC_USD' }, BERT)).result).toMatchObject({
    size: 0,
    free: 0,
  });
  expect((await desk.get('/active_positions', {}, BERT)).result).toEqual({});
  const stop = { pair: 'BTC_USD', side: 'BUY', qty: 0.1, trigger_price: 61_000 };
  expect((await desk.post<{ order: Special }>('/auth/order', stop, BERT)).result.order).toMatchObject({
    trigger_event: 'LAST_PRICE',
  });
  expect((await desk.post('/auth/order', { ...stop, trigger_event: 'MARK_PRICE' }, BERT)).msg).toMatch(
    /^malformed: /,
  );
  const markets = (await desk.get<Record<string, unknown>>('/pairs')).result;
  expect(markets['BTC_USD']).toMatchObject({
    contract: 'SPOT',
    symbol: 'BTC/USD',
    funding_interval: 0,
    min_initial_margin: 0,
  });
});
