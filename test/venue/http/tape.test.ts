import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SILENT } from '../../../src/ports/log.js';
import { venueApp } from '../../../src/venue/http/venue-app.js';
import type { Trade } from '../../../src/model/trade.js';
import type { MarketDriver } from '../../../src/venue/market-driver.js';
import { TapePlayer } from '../../../src/venue/tape-player.js';
import {
  ANNA,
  bookCore,
  BTC,
  Desk,
  ETH,
  PAIR,
  print,
  tapeCore,
  type WireFill,
  type WireOrder,
  type WireTrade,
} from './desk.js';
import { VirtualTime } from './virtual-time.js';

const T0 = 1_650_000_000_000;

function tapeDesk(
  trades: readonly Trade[],
  options: { speed?: number; maxLimit?: number; time?: VirtualTime } = {},
) {
  const core = tapeCore();
  return new Desk({ core, drivers: [new TapePlayer(core, PAIR, trades)], ...options });
}

const idsOf = (trades: readonly WireTrade[]) => trades.map(({ id }) => Number(id));

test('venue time starts at the first print and the tape plays as it passes', async () => {
  const desk = tapeDesk([print(1, T0, 60_000), print(2, T0 + 500, 60_001), print(3, T0 + 501, 60_002)]);
  const trades = async () => idsOf((await desk.get<WireTrade[]>('/trades', { pair: PAIR })).result);
  expect((await desk.get('/time')).result).toBe(T0);
  expect(await trades()).toEqual([1]);
  desk.time.advance(499);
  expect(await trades()).toEqual([1]);
  desk.time.advance(1);
  expect(await trades()).toEqual([2, 1]);
  desk.time.advance(1);
  expect(await trades()).toEqual([3, 2, 1]);
});

test('that the tape is over, and the clock stands, is logged once', () => {
  const time = new VirtualTime();
  const core = tapeCore();
  const trades = [print(1, T0, 60_000), print(2, T0 + 500, 60_001)];
  const said: unknown[] = [];
  const log = { ...SILENT, warn: (message: string, fields?: object) => said.push([message, fields]) };
  const { host } = venueApp({
    core,
    drivers: [new TapePlayer(core, PAIR, trades)],
    clock: time,
    accounts: [],
    log,
  });
  time.advance(499);
  host.catchUp();
  expect(said).toEqual([]);
  for (const ms of [1, 50, 50]) {
    time.advance(ms);
    host.catchUp();
  }
  expect(said).toEqual([
    ['the tape is over: no trade comes any more, and the clock stands', { at: T0 + 500 }],
  ]);
});

test('prints keep their own ids, times, prices and quantities, on the grid or not', async () => {
  const desk = tapeDesk([print(77, T0, 60_000.123, 0.000_05, true)]);
  const { result } = await desk.get('/trades', { pair: PAIR });
  expect(result).toEqual([
    {
      id: '77',
      pair: PAIR,
      is_buyer_maker: true,
      is_best_match: true,
      qty: 0.000_05,
      price: 60_000.123,
      time: T0,
    },
  ]);
});

test('a burst of one millisecond is seen whole or not at all, and paging by time loses what a page cannot hold', async () => {
  const burst = Array.from({ length: 250 }, (_, i) => print(10 + i, T0 + 10, 60_000 + (i % 3)));
  const desk = tapeDesk([print(1, T0, 60_000), ...burst, print(999, T0 + 20, 60_000)]);
  const trades = async (query: object) =>
    idsOf((await desk.get<WireTrade[]>('/trades', { pair: PAIR, limit: 1_000, ...query })).result);
  const seen = new Set<number>();
  for (let ms = 0; ms < 25; ms++) {
    seen.add((await trades({})).length);
    desk.time.advance(1);
  }
  expect([...seen]).toEqual([1, 251, 252]);
  expect(await trades({ limit: 100, start: T0 + 10, end: T0 + 10 })).toEqual(
    Array.from({ length: 100 }, (_, i) => 259 - i),
  );
});

test('speed multiplies the passing of venue time, in the Date header too', async () => {
  const desk = tapeDesk([print(1, T0, 60_000), print(2, T0 + 100_000, 60_000)], { speed: 10 });
  desk.time.advance(1_234.56);
  const reply = await desk.get('/time');
  expect(reply.result).toBe(T0 + 12_345);
  expect(reply.headers['date']).toBe(new Date(T0 + 12_000).toUTCString());
});

test('when the tape is over venue time stands still, and the market has ended', async () => {
  const desk = tapeDesk([print(1, T0, 60_000), print(2, T0 + 1_000, 60_001)]);
  type Markets = Record<string, { status: string; active: boolean }>;
  const status = async () => (await desk.get<Markets>('/pairs')).result[PAIR];
  desk.time.advance(999);
  expect(await status()).toMatchObject({ status: 'TRADING', active: true });
  desk.time.advance(60_000);
  expect((await desk.get('/time')).result).toBe(T0 + 1_000);
  expect(await status()).toMatchObject({ status: 'ENDED', active: false });
  const order = await desk.post('/auth/order', { pair: PAIR, side: 'BUY', qty: 1, price: 50_000 }, ANNA);
  expect(order).toMatchObject({
    status: 503,
    msg: expect.stringMatching(/^market not active: USD_BTC_PERP/),
  });
});

test('working orders can still be cancelled when the tape is over', async () => {
  const desk = tapeDesk([print(1, T0, 60_000), print(2, T0 + 1_000, 60_001)]);
  const order = await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
  desk.time.advance(5_000);
  const cancel = await desk.post<WireOrder>('/auth/cancel', { id: order.id }, ANNA);
  expect(cancel).toMatchObject({ status: 200, result: { status: 'CANCELLED', time: T0 + 1_000 } });
});

test('an order whose window is open when the tape ends is ended then, and its margin is free', async () => {
  const desk = tapeDesk([print(1, T0, 60_000), print(2, T0 + 1_000, 60_001)]);
  const bid = await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
  desk.time.advance(600);
  const order = await desk.place(ANNA, { side: 'BUY', price: 61_000, qty: 1, time_in_force: 'IOC' });
  const active = async () =>
    (await desk.get<WireOrder[]>('/active_orders', { pair: PAIR }, ANNA)).result.map(({ id }) => id);
  expect(await active()).toEqual([order.id, bid.id]);
  desk.time.advance(10_000);
  expect(await active()).toEqual([bid.id]);
  expect((await desk.get<WireOrder>('/order', { id: order.id }, ANNA)).result).toMatchObject({
    status: 'CANCELLED',
    time: T0 + 1_000,
  });
});

test("a resting order fills on the print that goes through it, at its own price and that print's time", async () => {
  const desk = tapeDesk([
    print(1, T0, 60_000),
    print(2, T0 + 100, 60_001, 0.01, false),
    print(3, T0 + 200, 59_999.5, 0.02, true),
    print(4, T0 + 300, 60_000),
  ]);
  const order = await desk.place(ANNA, { side: 'BUY', price: 59_999.5, qty: 0.01 });
  desk.time.advance(200);
  expect((await desk.get<WireOrder>('/order', { id: order.id }, ANNA)).result.qty_filled).toBe(0);
  const through = tapeDesk([
    print(1, T0, 60_000),
    print(2, T0 + 250, 59_990, 0.02, true),
    print(3, T0 + 900, 60_000),
  ]);
  const bid = await through.place(ANNA, { side: 'BUY', price: 59_999.5, qty: 0.01 });
  through.time.advance(700);
  const filled = (await through.get<WireOrder>('/order', { id: bid.id }, ANNA)).result;
  expect(filled).toMatchObject({ status: 'COMPLETED', price: 59_999.5, time: T0 + 250 });
  expect((await through.get<WireFill[]>('/fills', {}, ANNA)).result).toMatchObject([
    { price: 59_999.5, time: T0 + 250 },
  ]);
});

test('what happens does not depend on how often somebody looks', async () => {
  const trades = Array.from({ length: 400 }, (_, i) =>
    print(i + 1, T0 + i * 37, 60_000 + ((i * 7919) % 41) * 0.5, 0.003 + (i % 5) * 0.001, i % 2 === 0),
  );
  const outcome = async (looks: readonly number[]) => {
    const desk = tapeDesk(trades);
    for (const [side, price] of [
      ['BUY', 60_002],
      ['SELL', 60_018],
      ['BUY', 60_000.5],
    ] as const) {
      await desk.place(ANNA, { side, price, qty: 0.05 });
    }
    for (const ms of looks) {
      desk.time.advance(ms);
      await desk.get('/time');
    }
    return (await desk.get('/fills', {}, ANNA)).result;
  };
  const once = await outcome([15_000]);
  expect((once as unknown[]).length).toBeGreaterThan(2);
  expect(await outcome(Array.from({ length: 1_500 }, () => 10))).toEqual(once);
  expect(await outcome([1, 7_000, 3, 7_996])).toEqual(once);
});

test("a tape shows the touch that its prints tell, and the accounts' own orders beside it", async () => {
  const desk = tapeDesk([
    print(1, T0, 60_001, 0.02, false),
    print(2, T0 + 1, 60_000, 0.03, true),
    print(3, T0 + 9_000, 60_000),
  ]);
  desk.time.advance(5);
  await desk.place(ANNA, { side: 'BUY', price: 59_999, qty: 0.5 });
  type Levels = Record<'bids' | 'asks', { price: number; qty: number }[]>;
  const { bids, asks } = (await desk.get<Levels>('/depth', { pair: PAIR })).result;
  expect(bids.map(({ price }) => price)).toEqual([60_000, 59_999]);
  expect(asks.map(({ price }) => price)).toEqual([60_001]);
  expect(bids[1]?.qty).toBe(0.5);
  expect(bids[0]?.qty).toBeGreaterThan(0);
  const ticker = (await desk.get<Record<string, object>>('/ticker', { pair: PAIR })).result[PAIR];
  expect(ticker).toMatchObject({
    bid_price: 60_000,
    bid_qty: bids[0]?.qty,
    ask_price: 60_001,
    ask_qty: asks[0]?.qty,
  });
});

test('a tape that is empty, out of order or holds a trade twice is refused', () => {
  const core = tapeCore();
  const make = (trades: readonly Trade[]) => () => new TapePlayer(core, PAIR, trades);
  expect(make([])).toThrow(/at least one trade/);
  expect(make([print(2, T0 + 1, 1), print(1, T0, 1)])).toThrow(/in order of \(time, id\)/);
  expect(make([print(2, T0, 1), print(1, T0, 1)])).toThrow(/in order of \(time, id\)/);
  expect(make([print(1, T0, 1), print(1, T0, 1)])).toThrow(/in order of \(time, id\)/);
  expect(make([print(9, T0, 1), print(10, T0, 1)])).not.toThrow();
});

test('several tapes move in one order of time, and venue time runs from the first start to the last end', async () => {
  const applied: [string, number][] = [];
  const sink = { print: (pair: string, { time }: Trade) => applied.push([pair, time - T0]) };
  const a = new TapePlayer(sink, PAIR, [print(1, T0 + 5, 1), print(2, T0 + 30, 1), print(3, T0 + 31, 1)]);
  const b = new TapePlayer(sink, ETH.pair, [print(1, T0, 1), print(2, T0 + 30, 1), print(3, T0 + 90, 1)]);
  const desk = new Desk({ core: bookCore([{ market: BTC }, { market: ETH }]), drivers: [a, b] });
  desk.time.advance(1_000);
  expect((await desk.get('/time')).result).toBe(T0 + 90);
  expect(applied).toEqual([
    [ETH.pair, 0],
    [PAIR, 5],
    [PAIR, 30],
    [ETH.pair, 30],
    [PAIR, 31],
    [ETH.pair, 90],
  ]);
});

test('a venue with one endless market never stops its clock', async () => {
  const endless: MarketDriver = { advanceTo: () => undefined, nextTime: Number.POSITIVE_INFINITY };
  const core = tapeCore();
  const time = new VirtualTime();
  const tape = new TapePlayer(core, PAIR, [print(1, T0, 60_000), print(2, T0 + 10, 60_000)]);
  const desk = new Desk({ core, drivers: [tape, endless], time });
  desk.time.advance(5_000);
  expect((await desk.get('/time')).result).toBe(T0 + 5_000);
});

const TAPE = new URL('../../../../shared/data/USD_BTC_PERP-trades-20240808.csv.gz', import.meta.url);

test('the real tape is served whole: every one of its 21 313 trades exactly once, as recorded', async ({
  skip,
}) => {
  let csv: string;
  try {
    csv = gunzipSync(readFileSync(TAPE)).toString('utf8');
  } catch {
    if (process.env['CI'] === 'true') throw new Error('the tape must be there in CI');
    return skip('the recorded tape is not beside this checkout');
  }
  const [header = '', ...lines] = csv.trim().split('\n');
  const columns = header.split(',');
  const at = (name: string) => {
    const index = columns.indexOf(name);
    if (index < 0) throw new Error(`the tape must have a column ${name}, received ${header}`);
    return index;
  };
  const [id, time, price, quantity, maker] = [
    at('id'),
    at('time'),
    at('price'),
    at('qty'),
    at('is_buyer_maker'),
  ];
  const trades = lines
    .map((line) => line.split(','))
    .map((cells) => ({
      id: cells[id] ?? '',
      time: Number(cells[time]),
      price: Number(cells[price]),
      quantity: Number(cells[quantity]),
      isBuyerMaker: cells[maker] === 'true',
    }))
    .sort((a, b) => a.time - b.time || Number(a.id) - Number(b.id));
  const desk = tapeDesk(trades, { speed: 10 });
  const seen = new Map<string, WireTrade>();
  let newest = 0;
  for (let poll = 0; poll < 500; poll++) {
    desk.time.advance(100);
    let end = Number.MAX_SAFE_INTEGER;
    // Back to what was known before, a page at a time, each page overlapping the last millisecond of the one before.
    for (;;) {
      const query = { pair: PAIR, start: newest, end: Math.min(end, 9e14), limit: 1_000 };
      const page = (await desk.get<WireTrade[]>('/trades', query)).result;
      const fresh = page.filter((trade) => !seen.has(trade.id));
      for (const trade of fresh) seen.set(trade.id, trade);
      if (page.length < 1_000 || fresh.length === 0) break;
      end = page[page.length - 1]?.time ?? 0;
    }
    newest = Math.max(newest, ...[...seen.values()].slice(-1_000).map((trade) => trade.time));
  }
  expect(seen.size).toBe(21_313);
  for (const trade of trades) {
    const { price: p, qty, time: t, is_buyer_maker } = seen.get(trade.id) as WireTrade;
    if (
      p !== trade.price ||
      qty !== trade.quantity ||
      t !== trade.time ||
      is_buyer_maker !== trade.isBuyerMaker
    ) {
      expect(seen.get(trade.id)).toMatchObject(trade);
    }
  }
});
