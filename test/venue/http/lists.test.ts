import { beforeEach, describe, expect, test } from 'vitest';
import { ANNA, BERT, bookCore, Desk, PAIR, type WireFill, type WireOrder, type WireTrade } from './desk.js';

const ETH_PAIR = 'USD_ETH_PERP';

describe('lists of trades and fills', () => {
  let desk: Desk;
  let start: number;

  /** Twelve trades, 10 ms apart, at prices 60 000, 60 001, …, then three more within the last millisecond. */
  beforeEach(async () => {
    desk = new Desk();
    start = desk.now;
    for (let i = 0; i < 12; i++) {
      if (i > 0) desk.time.advance(10);
      await desk.trade(60_000 + i, 0.001);
    }
    for (let i = 12; i < 15; i++) await desk.trade(60_000 + i, 0.001);
  });

  const prices = async (path: string, query: Record<string, string | number>): Promise<number[]> =>
    (await desk.get<(WireTrade | WireFill)[]>(path, { pair: PAIR, ...query }, BERT)).result.map(
      ({ price }) => price - 60_000,
    );

  test.each([
    '/trades',
    '/fills',
  ])('%s gives the newest first, those of one millisecond too', async (path) => {
    expect(await prices(path, {})).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });

  test.each(['/trades', '/fills'])('%s takes both bounds as inclusive milliseconds', async (path) => {
    expect(await prices(path, { start: start + 20, end: start + 40 })).toEqual([4, 3, 2]);
    expect(await prices(path, { start: start + 21, end: start + 39 })).toEqual([3]);
    expect(await prices(path, { start: start + 110 })).toEqual([14, 13, 12, 11]);
    expect(await prices(path, { end: start })).toEqual([0]);
    expect(await prices(path, { start: start + 41, end: start + 49 })).toEqual([]);
    expect(await prices(path, { start: start + 50, end: start + 40 })).toEqual([]);
    expect(await prices(path, { end: start - 1 })).toEqual([]);
  });

  test.each(['/trades', '/fills'])('%s gives the newest `limit` inside the bounds', async (path) => {
    expect(await prices(path, { limit: 2 })).toEqual([14, 13]);
    expect(await prices(path, { limit: 2, end: start + 40 })).toEqual([4, 3]);
    expect(await prices(path, { limit: 1, start: start + 20, end: start + 40 })).toEqual([4]);
  });

  test.each([
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'all'],
    ['limit', ''],
    ['start', '-1'],
    ['start', 'yesterday'],
    ['end', '1e3'],
  ])('%s=%s is malformed and named', async (name, value) => {
    const reply = await desk.get('/trades', { pair: PAIR, [name]: value });
    expect(reply.status).toBe(503);
    expect(reply.msg).toMatch(new RegExp(`^malformed: ${name} must be .*, received "${value}"$`));
  });

  test('/trades needs a pair, /fills gives all pairs without one', async () => {
    expect((await desk.get('/trades')).msg).toMatch(/^malformed: pair must be a pair of this venue/);
    await desk.place(ANNA, { pair: ETH_PAIR, side: 'SELL', price: 3_000, qty: 1 });
    await desk.place(BERT, { pair: ETH_PAIR, side: 'BUY', price: 3_000, qty: 1 });
    const all = (await desk.get<WireFill[]>('/fills', {}, BERT)).result;
    expect([all.length, all[0]?.pair, all[1]?.pair]).toEqual([16, ETH_PAIR, PAIR]);
    expect((await desk.get<WireFill[]>('/fills', { pair: ETH_PAIR }, BERT)).result).toHaveLength(1);
    expect((await desk.get('/fills', { pair: 'NO_SUCH' }, BERT)).msg).toMatch(/^unknown pair/);
  });
});

test("a limit is 100 when not given, and never above the venue's own", async () => {
  const desk = new Desk({ maxLimit: 120 });
  for (let i = 0; i < 130; i++) await desk.trade(60_000, 0.001);
  const count = async (query: Record<string, number>) =>
    (await desk.get<WireTrade[]>('/trades', { pair: PAIR, ...query })).result.length;
  expect([await count({}), await count({ limit: 110 }), await count({ limit: 5_000 })]).toEqual([
    100, 110, 120,
  ]);
});

test('each order list holds exactly the orders of its state, newest change first', async () => {
  const desk = new Desk();
  const tick = async (order: Promise<WireOrder>) => {
    const { id } = await order;
    desk.time.advance(1);
    return id;
  };
  const buy = (price: number, qty = 1) => tick(desk.place(ANNA, { side: 'BUY', price, qty }));
  const untouched = await buy(50_000);
  const canceled = await buy(50_100);
  await desk.post('/auth/cancel', { id: canceled }, ANNA);
  desk.time.advance(1);
  const completed = await buy(60_000, 0.4);
  const partial = await buy(59_000);
  const partlyThenCanceled = await buy(58_000);
  desk.time.advance(1);
  // 0.4 + 1 complete the first two, 0.25 goes to the third.
  await desk.place(BERT, { side: 'SELL', price: 58_000, qty: 1.65 });
  desk.time.advance(1);
  await desk.post('/auth/cancel', { id: partlyThenCanceled }, ANNA);
  desk.time.advance(1);
  const working = await buy(57_000);
  desk.time.advance(1);
  await desk.place(BERT, { side: 'SELL', price: 57_000, qty: 0.1 });

  const ids = async (path: string, query = {}) =>
    (await desk.get<WireOrder[]>(path, query, ANNA)).result.map(({ id }) => id);
  expect(await ids('/orders')).toEqual([
    working,
    partlyThenCanceled,
    partial,
    completed,
    canceled,
    untouched,
  ]);
  expect(await ids('/active_orders')).toEqual([working, untouched]);
  expect(await ids('/completed_orders')).toEqual([partial, completed]);
  expect(await ids('/cancelled_orders')).toEqual([partlyThenCanceled, canceled]);
  expect(await ids('/filled_orders')).toEqual([working, partlyThenCanceled, partial, completed]);
  expect(await ids('/partially_filled_orders')).toEqual([working, partlyThenCanceled]);

  const times = (await desk.get<WireOrder[]>('/orders', {}, ANNA)).result.map(({ time }) => time);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect(await ids('/orders', { start: times[2] ?? 0, end: times[1] ?? 0 })).toEqual([
    partlyThenCanceled,
    partial,
    completed,
  ]);
  expect(await ids('/orders', { limit: 2 })).toEqual([working, partlyThenCanceled]);
  expect(await ids('/orders', { pair: ETH_PAIR })).toEqual([]);
  expect(await ids('/orders')).toEqual(await ids('/orders'));
});

test('paging back by `end` sees every trade of a long history exactly once', async () => {
  const desk = new Desk();
  for (let i = 0; i < 400; i++) {
    await desk.trade(60_000 + (i % 7), 0.001);
    if (i % 3 === 0) desk.time.advance(1);
  }
  const seen = new Set<string>();
  let end: number | undefined;
  for (let page = 0; page < 200; page++) {
    const query = { pair: PAIR, limit: 20, ...(end === undefined ? {} : { end }) };
    const trades = (await desk.get<WireTrade[]>('/trades', query)).result;
    const fresh = trades.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    if (fresh.length === 0) break;
    end = trades[trades.length - 1]?.time;
  }
  expect(seen.size).toBe(400);
});

test('a fill keeps the type of its order after the venue has forgotten the order', async () => {
  const desk = new Desk({ core: bookCore(undefined, { historyLimit: 1 }) });
  await desk.place(ANNA, { side: 'SELL', price: 50_000, qty: 1 });
  const taking = await desk.place(BERT, { side: 'BUY', price: 50_000, qty: 1 });
  for (const price of [40_000, 41_000]) {
    const { id } = await desk.place(BERT, { side: 'BUY', price, qty: 1 });
    await desk.post('/auth/cancel', { id }, BERT);
  }
  expect((await desk.get('/order', { id: taking.id }, BERT)).msg).toMatch(/^The order was not found/);
  const [fill] = (await desk.get<readonly WireFill[]>('/fills', { pair: PAIR }, BERT)).result;
  expect(fill).toMatchObject({ type: 'LIMIT', is_buyer_maker: false });
});

test('/depth gives as many levels a side as asked for, best first, adding up what stands at a price', async () => {
  const desk = new Desk();
  for (let i = 0; i < 50; i++) {
    await desk.place(ANNA, { side: 'BUY', price: 50_000 - i, qty: 0.001 });
    await desk.place(ANNA, { side: 'SELL', price: 51_000 + i, qty: 0.001 });
  }
  await desk.place(BERT, { side: 'BUY', price: 50_000, qty: 0.004 });
  type Levels = { bids: { price: number; qty: number }[]; asks: { price: number; qty: number }[] };
  const depth = async (query: Record<string, number>) =>
    (await desk.get<Levels>('/depth', { pair: PAIR, ...query })).result;
  const two = await depth({ limit: 2 });
  expect(two).toEqual({
    bids: [
      { price: 50_000, qty: 0.005 },
      { price: 49_999, qty: 0.001 },
    ],
    asks: [
      { price: 51_000, qty: 0.001 },
      { price: 51_001, qty: 0.001 },
    ],
  });
  expect((await depth({})).bids).toHaveLength(40);
  expect((await depth({ limit: 500 })).asks).toHaveLength(50);
  expect((await desk.get('/depth', { pair: PAIR, limit: '0' })).msg).toMatch(/^malformed: limit/);
});

test('/ohlcv makes ascending candles of five minutes, or of the interval asked for', async () => {
  const desk = new Desk();
  const first = desk.now - (desk.now % 300_000);
  desk.time.advance(first + 300_000 - desk.now);
  const at = desk.now;
  await desk.trade(60_000, 0.001);
  await desk.trade(60_010, 0.003);
  desk.time.advance(61_000);
  await desk.trade(59_990, 0.002);
  desk.time.advance(300_000);
  await desk.trade(60_020, 0.001);
  type Candle = Record<string, number>;
  const candles = async (query: Record<string, string | number>) =>
    (await desk.get<Candle[]>('/ohlcv', { pair: PAIR, ...query })).result;
  const five = await candles({});
  expect(five).toMatchObject([
    {
      open: 60_000,
      high: 60_010,
      low: 59_990,
      close: 59_990,
      trades: 3,
      open_time: at,
      close_time: at + 299_999,
    },
    { open: 60_020, close: 60_020, trades: 1, open_time: at + 300_000, last_qty: 0.001 },
  ]);
  expect(five[0]?.['base_volume']).toBeCloseTo(0.006, 12);
  expect((await candles({ interval: '1m' }))[0]).toMatchObject({ close: 60_010, trades: 2, open_time: at });
  expect(await candles({ limit: 1 })).toMatchObject([{ open_time: at + 300_000 }]);
  expect(await candles({ end: at })).toMatchObject([{ open_time: at }]);
  expect((await desk.get('/ohlcv', { pair: PAIR, interval: '7m' })).msg).toMatch(
    /^malformed: interval must be 1m or 3m/,
  );
});
