import { beforeEach, describe, expect, test } from 'vitest';
import { ANNA, BERT, bookCore, BTC, Desk, ETH, exchange, PAIR, type WirePosition } from './desk.js';
import { adminApp } from '../../../src/venue/http/admin-app.js';
import { SILENT } from '../../../src/ports/log.js';

let desk: Desk;
const ticker = async () =>
  (await desk.get<Record<string, Record<string, number | null>>>('/ticker', { pair: PAIR })).result[PAIR];

/** A venue with index prices, as over HTTP. */
beforeEach(() => {
  desk = new Desk({
    core: bookCore([{ market: BTC, prices: 'index' }, { market: ETH }], { insurance: { USD: '1000' } }),
  });
});

describe('the index', () => {
  test('moves to what it is told at the next update, and the mark and the band with it', async () => {
    await desk.trade(60_000, 0.1);
    const told = await desk.admin('/index', { pair: PAIR, price: '63000.5' });
    expect(told).toMatchObject({ status: 200, result: { pair: PAIR, price: 63_000.5 } });
    desk.time.advance(1_000);
    expect(await ticker()).toMatchObject({
      index_price: 63_000.5,
      mark_price: 63_000.5,
      last_price: 60_000,
      // 10 % around the mark: 56 700.45 and 69 300.55, inward to the tick of 0.5.
      min_price: 56_700.5,
      max_price: 69_300.5,
    });
    expect((await ticker())?.['next_funding_time']).toBe((Math.floor(desk.now / 3_600_000) + 1) * 3_600_000);
    const position = (await desk.get<WirePosition>('/position', { pair: PAIR }, BERT)).result;
    // 0.1 × (63 000.5 − 60 000).
    expect(position.stats['upnl']).toBe(300.05);
  });

  test('is the last price again when told nothing', async () => {
    await desk.trade(60_000, 0.1);
    await desk.admin('/index', { pair: PAIR, price: 63_000 });
    desk.time.advance(1_000);
    await desk.get('/time');
    expect((await desk.admin('/index', { pair: PAIR, price: '' })).result).toEqual({
      pair: PAIR,
      price: null,
    });
    desk.time.advance(1_000);
    expect(await ticker()).toMatchObject({ index_price: 60_000, mark_price: 60_000 });
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['no pair', { price: '1' }, /^malformed: pair must be a pair of this venue/],
    ['an unknown pair', { pair: 'X', price: '1' }, /^unknown pair: /],
    [
      'a price off tick',
      { pair: PAIR, price: '60000.3' },
      /^malformed: price must be a price that the price filter of USD_BTC_PERP allows/,
    ],
    ['a price of 0', { pair: PAIR, price: '0' }, /^malformed: price must be /],
    ['a price below the filter', { pair: PAIR, price: '0.4' }, /^malformed: price must be /],
    ['a price above the filter', { pair: PAIR, price: '1000000.5' }, /^malformed: price must be /],
    ['no number', { pair: PAIR, price: 'up' }, /^malformed: price must be /],
  ])('with %s is refused', async (_name, fields, msg) => {
    const reply = await desk.admin('/index', fields);
    expect(reply).toMatchObject({ status: 503, code: 503, result: {} });
    expect(reply.msg).toMatch(msg);
  });

  test('liquidates whom it takes below maintenance; order and fills say so on both sides', async () => {
    await desk.trade(60_000, 0.5);
    await desk.post('/leverage', { pair: PAIR, leverage: 10 }, BERT);
    await desk.place(ANNA, { side: 'BUY', price: 54_980, qty: 1 });
    // Example G: E 500 < MM 515.625 at a mark of 55 000: a slice of 0.05 at 54 980.
    await desk.admin('/index', { pair: PAIR, price: 55_000 });
    desk.time.advance(1_000);
    type Record_ = Readonly<Record<string, unknown>>;
    const [order] = (await desk.get<Record_[]>('/completed_orders', {}, BERT)).result;
    expect(order).toMatchObject({ side: 'SELL', qty_orig: 0.05, price: 54_000, is_liquidation: true });
    const [fill] = (await desk.get<Record_[]>('/fills', {}, BERT)).result;
    // 0.003 × 0.05 × 54 980.
    expect(fill).toMatchObject({ price: 54_980, qty: 0.05, liquidation: true, net_commission: 8.247 });
    expect((await desk.get<Record_[]>('/fills', {}, ANNA)).result[0]).toMatchObject({ liquidation: true });
    const position = (await desk.get<WirePosition>('/position', { pair: PAIR }, BERT)).result;
    expect(position).toMatchObject({ size: 0.45, free: 2_740.753, realized: -251 });
    expect((await desk.admin('/insurance')).result).toEqual({ USD: 1_008.247 });
  });
});

describe('a market', () => {
  test('that is halted takes no orders but cancels, and says so, until it goes on', async () => {
    const resting = await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
    expect((await desk.admin('/market', { pair: PAIR, active: false })).result).toEqual({
      pair: PAIR,
      active: false,
    });
    const order = { pair: PAIR, side: 'BUY', price: 50_000, qty: 1 };
    for (const [path, fields] of [
      ['/auth/order', order],
      ['/auth/close', { pair: PAIR }],
      [
        '/auth/order/bulk',
        Object.fromEntries(Object.entries(order).map(([name, value]) => [`orders[0][${name}]`, value])),
      ],
    ] as const) {
      expect((await desk.post(path, fields, ANNA)).msg).toMatch(/^market not active: USD_BTC_PERP/);
    }
    const markets = (await desk.get<Record<string, unknown>>('/pairs')).result;
    expect(markets[PAIR]).toMatchObject({ status: 'HALTED', active: false });
    expect((await desk.post('/auth/cancel', { id: resting.id }, ANNA)).status).toBe(200);
    await desk.admin('/market', { pair: PAIR, active: true });
    expect((await desk.post('/auth/order', order, ANNA)).status).toBe(200);
  });

  test('must be told whether it is active', async () => {
    expect((await desk.admin('/market', { pair: PAIR })).msg).toMatch(
      /^malformed: active must be true or false/,
    );
    expect((await desk.admin('/market', { pair: PAIR, active: 'yes' })).msg).toMatch(
      /^malformed: active must be /,
    );
  });
});

describe('the insurance fund', () => {
  test('is shown, and added to', async () => {
    expect((await desk.admin('/insurance')).result).toEqual({ USD: 1_000 });
    expect((await desk.admin('/insurance', { asset: 'USD', qty: '50.5' })).result).toEqual({ USD: 1_050.5 });
    expect((await desk.admin('/insurance', { asset: 'XYZ', qty: 1 })).msg).toMatch(
      /^malformed: asset must be /,
    );
    expect((await desk.admin('/insurance', { asset: 'USD' })).msg).toMatch(/^malformed: qty must be /);
    expect((await desk.admin('/insurance', { qty: 500 })).msg).toBe(
      'malformed: asset must be an asset of this venue, received nothing',
    );
  });
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'an unknown account',
    { account: 'carl', asset: 'USD', qty: '1' },
    /^malformed: account must be an account of this venue, received "carl"/,
  ],
  [
    "an account of the venue's own",
    { account: 'street', asset: 'USD', qty: '1' },
    /^malformed: account must be /,
  ],
  ['an unknown asset', { account: 'anna', asset: 'XYZ', qty: '1' }, /^malformed: an asset must be one of /],
  ['no amount', { account: 'anna', asset: 'USD' }, /^malformed: qty must be /],
  [
    'an amount below a unit',
    { account: 'anna', asset: 'USD', qty: '0.000000001' },
    /^malformed: an amount must be /,
  ],
  [
    'an unknown status',
    { account: 'anna', asset: 'USD', qty: '1', status: 'DONE' },
    /^malformed: status must be /,
  ],
])('a deposit with %s is refused', async (_name, fields, msg) => {
  const reply = await desk.admin('/deposit', fields);
  expect(reply).toMatchObject({ status: 503, code: 503, result: {} });
  expect(reply.msg).toMatch(msg);
});

test.each([
  '/deposit/confirm',
  '/withdrawal/confirm',
  '/withdrawal/drop',
])('%s needs an id that waits', async (path) => {
  expect((await desk.admin(path)).msg).toMatch(/^malformed: id must be /);
  expect((await desk.admin(path, { id: '9' })).msg).toMatch(
    /^malformed: a .* must be pending, received "9", which is none/,
  );
});

test('the admin door has its own paths and methods only, and none of it is on the public side', async () => {
  const handle = adminApp({ venue: desk.venue.host, headers: desk.venue.headers, log: SILENT });
  for (const [method, path] of [
    ['GET', '/insurance'],
    ['POST', '/auth/order'],
    ['GET', '/time'],
  ] as const) {
    expect(exchange(handle, path, { method }).msg).toMatch(
      /^unknown path: the admin door has .*POST \/index, \/market, /,
    );
  }
  for (const path of ['/index', '/deposit', '/insurance', '/market']) {
    expect((await desk.request(path, { method: 'POST' })).msg).toMatch(/^unknown path: /);
  }
});

test('the admin door answers no web page', async () => {
  const handle = adminApp({ venue: desk.venue.host, headers: desk.venue.headers, log: SILENT });
  const reply = exchange(handle, '/insurance', { method: 'POST', headers: { origin: 'http://example.org' } });
  expect(reply).toMatchObject({ status: 503, msg: expect.stringMatching(/^not allowed: /), result: {} });
});
