import { expect, test } from 'vitest';
import {
  ANNA,
  BERT,
  Desk,
  PAIR,
  type WireFill,
  type WireOrder,
  type WirePosition,
  sign,
  type WireTrade,
} from './desk.js';

test('two accounts trade with each other on a book, and each sees its own side of it', async () => {
  const desk = new Desk();
  const resting = await desk.place(ANNA, { side: 'SELL', price: 60_000, qty: 0.5, post_only: true });
  expect(resting).toMatchObject({
    status: 'ACTIVE',
    qty_filled: 0,
    qty_remaining: 0.5,
    fills: [],
    post_only: true,
  });
  desk.time.advance(40);
  const taking = await desk.place(BERT, { side: 'BUY', price: 60_010, qty: 0.2, time_in_force: 'IOC' });
  expect(taking).toMatchObject({ status: 'COMPLETED', price: 60_010, qty_filled: 0.2, qty_remaining: 0 });

  // 0.2 × 60 000 = 12 000: the maker pays 2 bp of it, the taker 6 bp.
  const annas = (await desk.get<WireFill[]>('/fills', {}, ANNA)).result;
  const berts = (await desk.get<WireFill[]>('/fills', {}, BERT)).result;
  expect(annas).toMatchObject([
    { price: 60_000, qty: 0.2, side: 'SELL', type: 'LIMIT', is_buyer_maker: false, net_commission: 2.4 },
  ]);
  expect(berts).toMatchObject([
    { price: 60_000, qty: 0.2, side: 'BUY', is_buyer_maker: false, net_commission: 7.2 },
  ]);
  const trades = (await desk.get<WireTrade[]>('/trades', { pair: PAIR })).result;
  expect(trades).toMatchObject([
    { id: berts[0]?.id, price: 60_000, qty: 0.2, time: desk.now, is_buyer_maker: false },
  ]);

  const after = (await desk.get<WireOrder>('/order', { id: resting.id }, ANNA)).result;
  expect(after).toMatchObject({ status: 'ACTIVE', qty_filled: 0.2, qty_remaining: 0.3, time: desk.now });
  expect(after.fills).toHaveLength(1);
  const short = (await desk.get<WirePosition>('/position', { pair: PAIR }, ANNA)).result;
  const long = (await desk.get<WirePosition>('/position', { pair: PAIR }, BERT)).result;
  expect([short.size, short.fees, short.stats['direction']]).toEqual([-0.2, -2.4, 'SELL']);
  expect([long.size, long.fees, long.stats['direction']]).toEqual([0.2, -7.2, 'BUY']);
});

test('nobody reads or cancels the order of another account', async () => {
  const desk = new Desk();
  const order = await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
  const read = await desk.get('/order', { id: order.id }, BERT);
  const cancel = await desk.post('/auth/cancel', { id: order.id }, BERT);
  const bulk = await desk.post('/auth/cancel/bulk', { 'ids[0]': order.id }, BERT);
  expect(read).toMatchObject({ status: 503, msg: expect.stringContaining('The order was not found') });
  expect(cancel).toMatchObject({ status: 503, msg: expect.stringContaining('The order was not found') });
  expect(bulk).toMatchObject({ status: 200, result: [] });
  expect((await desk.get<WireOrder>('/order', { id: order.id }, ANNA)).result.status).toBe('ACTIVE');
});

test('a cancel gives the order itself, and a second one says that it is done', async () => {
  const desk = new Desk();
  const order = await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
  const cancel = await desk.post<WireOrder>('/auth/cancel', { id: order.id }, ANNA);
  expect(cancel).toMatchObject({
    status: 200,
    result: { id: order.id, status: 'CANCELLED', qty_remaining: 1 },
  });
  const again = await desk.post('/auth/cancel', { id: order.id }, ANNA);
  expect(again).toMatchObject({
    status: 503,
    code: 503,
    msg: expect.stringMatching(/^order already done: /),
  });
});

test.each([
  ['indexed brackets', (ids: string[]) => ids.map((id, i) => `ids%5B${i}%5D=${id}`).join('&')],
  [
    'indexed brackets, not encoded and out of order',
    (ids: string[]) => ids.map((id, i) => `ids[${ids.length - i}]=${id}`).join('&'),
  ],
  ['empty brackets', (ids: string[]) => ids.map((id) => `ids[]=${id}`).join('&')],
  ['the bare name', (ids: string[]) => ids.map((id) => `ids=${id}`).join('&')],
])('a bulk cancel takes ids as %s and skips what it cannot cancel', async (_name, body) => {
  const desk = new Desk();
  const orders = [];
  for (const price of [50_000, 50_001, 50_002])
    orders.push(await desk.place(ANNA, { side: 'BUY', price, qty: 1 }));
  const [first, second, third] = orders.map(({ id }) => id);
  const reply = await desk.post<WireOrder[]>(
    '/auth/cancel/bulk',
    body([first ?? '', '999', second ?? '']),
    ANNA,
  );
  expect(new Set(reply.result.map(({ id }) => id))).toEqual(new Set([first, second]));
  const left = (await desk.get<WireOrder[]>('/active_orders', {}, ANNA)).result;
  expect(left.map(({ id }) => id)).toEqual([third]);
});

test.each([
  ['an index that is none', 'ids%5Bx%5D=1'],
  ['one with a leading zero', 'ids[01]=1'],
  ['a key that is not closed', 'ids[0=1'],
  ['objects', 'ids[0][id]=1'],
  ['dots', 'ids.0=1'],
  ['one readable id among others', 'ids[0]=1&ids[x]=2'],
])('a bulk cancel whose ids come as %s is refused, for nothing else would be meant by all', async (_name, body) => {
  const desk = new Desk();
  await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
  await desk.place(ANNA, { side: 'BUY', price: 50_001, qty: 1 });
  const reply = await desk.post('/auth/cancel/bulk', body, ANNA);
  expect(reply).toMatchObject({
    status: 503,
    msg: expect.stringMatching(/^malformed: ids must be spelled ids\[0\]=…, ids\[\]=… or ids=…, received "/),
  });
  expect((await desk.get<WireOrder[]>('/active_orders', {}, ANNA)).result).toHaveLength(2);
});

test('a bulk cancel as JSON is refused, whatever it says of its type, and does not cancel all', async () => {
  const desk = new Desk();
  const order = await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
  const types = ['application/json', 'application/x-www-form-urlencoded-not', undefined];
  for (const body of ['', `{"ids":["${order.id}"]}`, ` ["${order.id}"]`]) {
    for (const type of types) {
      if (body === '' && type === undefined) continue;
      const reply = await desk.request('/auth/cancel/bulk', {
        method: 'POST',
        body,
        headers: {
          'x-api-key': ANNA.key,
          'x-signature': sign(ANNA.secret, body),
          ...(type === undefined ? {} : { 'content-type': type }),
        },
      });
      expect([reply.status, reply.msg]).toEqual([
        503,
        expect.stringMatching(/^malformed: (content-type|body) must be /),
      ]);
    }
  }
  expect((await desk.get<WireOrder[]>('/active_orders', {}, ANNA)).result).toHaveLength(1);
});

test('a bulk cancel without ids takes every working order of the account and of no other', async () => {
  const desk = new Desk();
  await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
  await desk.place(ANNA, { pair: 'USD_ETH_PERP', side: 'SELL', price: 3_000, qty: 1 });
  const other = await desk.place(BERT, { side: 'BUY', price: 50_000, qty: 1 });
  const reply = await desk.post<WireOrder[]>('/auth/cancel/bulk', '', ANNA);
  expect(reply.result.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
  expect((await desk.get<WireOrder[]>('/active_orders', {}, ANNA)).result).toEqual([]);
  expect((await desk.get<WireOrder[]>('/active_orders', {}, BERT)).result.map(({ id }) => id)).toEqual([
    other.id,
  ]);
});

test('what depends on the book is accepted and cancelled at once, with the reason in msg', async () => {
  const desk = new Desk();
  await desk.place(ANNA, { side: 'SELL', price: 60_000, qty: 0.5 });
  const postOnly = await desk.place(BERT, { side: 'BUY', price: 60_000, qty: 0.1, post_only: true });
  const fok = await desk.place(BERT, { side: 'BUY', price: 60_000, qty: 1, time_in_force: 'FOK' });
  const ioc = await desk.place(BERT, { side: 'BUY', price: 60_000, qty: 1, time_in_force: 'IOC' });
  const market = await desk.place(BERT, { side: 'BUY', qty: 1 });
  const reduce = await desk.place(ANNA, { side: 'SELL', price: 61_000, qty: 1, reduce_only: true });
  expect(postOnly).toMatchObject({ status: 'CANCELLED', qty_filled: 0, msg: 'post-only would trade' });
  expect(fok).toMatchObject({ status: 'CANCELLED', qty_filled: 0, msg: 'FOK cannot fill' });
  expect(ioc).toMatchObject({ status: 'CANCELLED', qty_filled: 0.5, msg: 'IOC remainder' });
  expect(market).toMatchObject({
    status: 'CANCELLED',
    type: 'MARKET',
    price: 0,
    price_orig: 0,
    msg: 'no liquidity',
  });
  expect(reduce).toMatchObject({ status: 'CANCELLED', reduce_only: true, msg: 'nothing to reduce' });
});

test('an oco group is any text, however long', async () => {
  const desk = new Desk();
  const oco = `${'é'.repeat(300)} 1`;
  const order = await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1, oco });
  expect((await desk.get<WireOrder>('/order', { id: order.id }, ANNA)).result.oco).toBe(oco);
});

test('oco and leverage are stored and echoed, and change nothing', async () => {
  const desk = new Desk();
  const order = await desk.place(ANNA, {
    side: 'BUY',
    price: 50_000,
    qty: 1,
    oco: 'a tag & more',
    leverage: 12.5,
  });
  const read = (await desk.get<WireOrder>('/order', { id: order.id }, ANNA)).result;
  expect(read).toMatchObject({ oco: 'a tag & more', leverage: 12.5, status: 'ACTIVE', customer_id: 'anna' });
});

test.each([
  ['33.333333333333336', 33.3333333333333],
  ['2.123456789', 2.123456789],
  ['1000000', 1_000_000],
  ['0.034500000000000003', 0.0345],
  ['12345678901234567', 12_345_678_901_234_600],
  ['0.00', 0],
])('a leverage of %s is stored and echoed as %d', async (leverage, echoed) => {
  const desk = new Desk();
  const order = await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1, leverage });
  expect(order.leverage).toBe(echoed);
});

test('a market order shows the price of its last fill', async () => {
  const desk = new Desk();
  await desk.place(ANNA, { side: 'SELL', price: 60_000, qty: 0.1 });
  await desk.place(ANNA, { side: 'SELL', price: 60_001, qty: 0.1 });
  const order = await desk.place(BERT, { side: 'BUY', qty: 0.2 });
  expect(order).toMatchObject({ type: 'MARKET', price: 60_001, price_orig: 0, status: 'COMPLETED' });
  expect(order.fills.map(({ price, type }) => [price, type])).toEqual([
    [60_000, 'MARKET'],
    [60_001, 'MARKET'],
  ]);
});

test("a number printed with a double's noise is the number that was meant", async () => {
  const desk = new Desk();
  const order = await desk.post<{ order: WireOrder }>(
    '/auth/order',
    `pair=${PAIR}&side=BUY&price=50000.500000000000004&qty=0.034000000000000003&ks=1`,
    ANNA,
  );
  expect(order.result.order).toMatchObject({ price_orig: 50_000.5, qty_orig: 0.034 });
});
