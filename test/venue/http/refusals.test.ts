import { expect, test } from 'vitest';
import { SILENT } from '../../../src/ports/log.js';
import { ANNA, bookCore, Desk, form, PAIR, sign } from './desk.js';

const ORDER = { pair: PAIR, side: 'BUY', qty: 1, price: 50_000 };

test.each([
  ['no key', {}, /^missing key: /],
  ['an empty key', { 'x-api-key': '' }, /^missing key: /],
  ['a key that nobody has', { 'x-api-key': 'nobody' }, /^unknown key: /],
])('a private read with %s is refused', async (_name, headers, msg) => {
  const desk = new Desk();
  for (const path of ['/position', '/orders', '/order', '/fills', '/personal', '/active_positions']) {
    const reply = await desk.request(path, { headers });
    expect(reply).toMatchObject({ status: 503, code: 503, msg: expect.stringMatching(msg), result: {} });
  }
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['one made with another secret', sign('bert-secret', form(ORDER))],
  ['one of another body', sign('anna-secret', `${form(ORDER)}&`)],
  ['hexadecimal', Buffer.from(sign('anna-secret', form(ORDER)), 'base64').toString('hex')],
  ['without its padding', sign('anna-secret', form(ORDER)).replace('=', '')],
])('a signed request whose signature is %s is refused and does nothing', async (_name, signature) => {
  const desk = new Desk();
  const reply = await desk.request('/auth/order', {
    method: 'POST',
    body: form(ORDER),
    headers: { 'x-api-key': ANNA.key, ...(signature === undefined ? {} : { 'x-signature': signature }) },
  });
  expect(reply).toMatchObject({ status: 503, code: 503, msg: expect.stringMatching(/^bad signature: /) });
  expect((await desk.get('/orders', {}, ANNA)).result).toEqual([]);
});

test('the signature covers the bytes as they were sent, in whatever encoding', async () => {
  const desk = new Desk();
  const body = `side=BUY&pair=USD%5fBTC%5FPERP&price=50000&qty=1&oco=%E2%82%AC+x`;
  const reply = await desk.post<{ order: { oco: string } }>('/auth/order', body, ANNA);
  expect(reply.result.order.oco).toBe('€ x');
});

test('a signature on a read is ignored', async () => {
  const desk = new Desk();
  const reply = await desk.request('/orders', {
    headers: { 'x-api-key': ANNA.key, 'x-signature': 'nonsense' },
  });
  expect(reply.status).toBe(200);
});

test.each([
  ['GET', '/info'],
  ['GET', '/ping'],
  ['GET', '/'],
  ['GET', '/nothing/here'],
  ['GET', '/time/'],
  ['POST', '/time'],
  ['DELETE', '/trades'],
  ['PUT', '/auth/order'],
  ['GET', '/auth/order'],
  ['PATCH', '/pairs'],
])('%s %s is refused as an unknown path, in the envelope', async (method, path) => {
  const reply = await new Desk().request(path, { method });
  expect(reply).toMatchObject({
    status: 503,
    code: 503,
    msg: expect.stringMatching(/^unknown path: /),
    result: {},
  });
});

/** One order each, and the start of what the venue says; numbers by hand from the market's filters. */
test.each<[string, Record<string, string>, string | RegExp]>([
  ['an unknown pair', { pair: 'USD_XYZ_PERP' }, /^unknown pair: .*USD_BTC_PERP.*"USD_XYZ_PERP"$/],
  ['a market that is not active', { pair: 'USD_OLD_PERP' }, /^market not active: /],
  ['an unknown side', { side: 'LONG' }, 'malformed: side must be BUY or SELL, received "LONG"'],
  ['an unknown time in force', { time_in_force: 'DAY' }, /^malformed: time_in_force must be /],
  [
    'post_only that is no boolean',
    { post_only: 'yes' },
    'malformed: post_only must be true or false, received "yes"',
  ],
  ['an empty price', { price: '' }, /^malformed: price must be /],
  ['a negative price', { price: '-1' }, /^malformed: price must be /],
  ['an exponent', { qty: '1e-3' }, /^malformed: qty must be /],
  ['hexadecimal', { qty: '0x10' }, /^malformed: qty must be /],
  ['a quantity that is no number', { qty: 'NaN' }, /^malformed: qty must be /],
  ['an empty oco', { oco: '' }, /^malformed: oco must be /],
  ['a leverage that is no number', { leverage: 'ten' }, /^malformed: leverage must be /],
  [
    'post_only with IOC',
    { post_only: 'true', time_in_force: 'IOC' },
    /^malformed: post_only must not go with IOC/,
  ],
  ['hidden that is no boolean', { hidden: '1' }, 'malformed: hidden must be true or false, received "1"'],
  ['one iceberg', { icebergs: '1' }, /^malformed: icebergs must be a whole number of slices, at least 2/],
  ['half an iceberg', { icebergs: '2.5' }, /^malformed: icebergs must be a whole number/],
  ['hidden icebergs', { icebergs: '2', hidden: 'true' }, 'malformed: hidden must not go with icebergs'],
  [
    'icebergs that are FOK',
    { icebergs: '2', time_in_force: 'FOK' },
    'malformed: icebergs must not go with FOK',
  ],
  [
    'a trigger event without a price',
    { trigger_event: 'MARK_PRICE' },
    'malformed: trigger_event must be left out without a trigger_price, received "MARK_PRICE"',
  ],
  [
    'an unknown trigger event',
    { trigger_price: '1', trigger_event: 'BID' },
    'malformed: trigger_event must be MARK_PRICE or INDEX_PRICE or LAST_PRICE, received "BID"',
  ],
  ['a trigger price off tick', { trigger_price: '50000.3' }, /^price off tick: trigger_price /],
  ['a trigger price that is no number', { trigger_price: '' }, /^malformed: trigger_price must be /],
  [
    'close_on_trigger without a trigger',
    { close_on_trigger: 'true' },
    'malformed: close_on_trigger must go with trigger_price',
  ],
  ['a price off tick', { price: '50000.3' }, 'price off tick: 50000.3 is not a multiple of 0.5'],
  [
    'a price between two grid steps',
    { price: '50000.55' },
    'price off tick: 50000.55 is not a multiple of 0.5',
  ],
  ['a price below the filter', { price: '0' }, 'price outside filter: 0 is not within 0.5 to 1000000'],
  [
    'a price above the filter',
    { price: '1000000.5' },
    'price outside filter: 1000000.5 is not within 0.5 to 1000000',
  ],
  ['a quantity off step', { qty: '0.0015' }, 'quantity off step: 0.0015 is not a multiple of 0.001'],
  ['a quantity below the filter', { qty: '0' }, 'quantity outside filter: 0 is not within 0.001 to 100'],
  [
    'a quantity above the filter',
    { qty: '100.001' },
    'quantity outside filter: 100.001 is not within 0.001 to 100',
  ],
  ['a position beyond interest', { qty: '5.001' }, 'interest exceeded: 5.001 is not within 0 to 5'],
  [
    'too little money',
    { qty: '5', price: '900000' },
    /^insufficient balance: needs \d+(\.\d+)? USD, available 100000 USD$/,
  ],
])('an order with %s is refused with the rule and both numbers, and leaves no record', async (_name, changes, msg) => {
  const desk = new Desk();
  const reply = await desk.post('/auth/order', { ...ORDER, ...changes }, ANNA);
  expect(reply).toMatchObject({ status: 503, code: 503, result: {} });
  expect(reply.msg).toMatch(
    typeof msg === 'string' ? new RegExp(`^${msg.replaceAll(/[.()]/g, '\\$&')}$`) : msg,
  );
  expect((await desk.get('/orders', {}, ANNA)).result).toEqual([]);
});

test.each([
  ['pair', /^malformed: pair must be a pair of this venue, received nothing$/],
  ['side', /^malformed: side must be BUY or SELL, received nothing$/],
  ['qty', /^malformed: qty must be .*, received nothing$/],
])('an order without %s is refused', async (name, msg) => {
  const { [name as keyof typeof ORDER]: _left, ...rest } = ORDER;
  expect((await new Desk().post('/auth/order', rest, ANNA)).msg).toMatch(msg);
});

test('a field given twice is refused, because it is not clear which one is meant', async () => {
  const reply = await new Desk().post('/auth/order', `${form(ORDER)}&qty=2`, ANNA);
  expect(reply.msg).toBe('malformed: qty must be given once, received "1, 2"');
});

/** Each request breaks two rules; the one that stands first in the venue's order is the one it hears. */
test.each<[string, Record<string, string>, RegExp]>([
  ['pair before side', { pair: 'X', side: 'Y' }, /^unknown pair/],
  ['inactive before malformed', { pair: 'USD_OLD_PERP', side: 'Y' }, /^market not active/],
  ['malformed before tick', { side: 'Y', price: '1.3' }, /^malformed: side/],
  ['tick before lot', { price: '1.3', qty: '0.0001' }, /^price off tick/],
  ['price range before lot', { price: '2000000', qty: '0.0001' }, /^price outside filter/],
  ['lot before interest', { qty: '7.0001' }, /^quantity off step/],
  ['interest before balance', { qty: '6', price: '1000000' }, /^interest exceeded/],
])('refusals come in one order: %s', async (_name, changes, msg) => {
  expect((await new Desk().post('/auth/order', { ...ORDER, ...changes }, ANNA)).msg).toMatch(msg);
});

test('an unreadable body, a foreign content type and a body too large are refused', async () => {
  const desk = new Desk();
  const send = async (body: string | Uint8Array<ArrayBuffer>, type = 'application/x-www-form-urlencoded') => {
    const signature = sign(
      ANNA.secret,
      typeof body === 'string' ? body : Buffer.from(body).toString('latin1'),
    );
    return desk.request('/auth/order', {
      method: 'POST',
      body,
      headers: { 'x-api-key': ANNA.key, 'x-signature': signature, 'content-type': type },
    });
  };
  expect((await send('pair=%E0%A4%A')).msg).toMatch(/^malformed: parameters must be percent-encoded UTF-8/);
  expect((await send('{"pair":"x"}', 'application/json')).msg).toMatch(/^malformed: content-type must be /);
  expect((await send(`pair=${'x'.repeat(65_536)}`)).msg).toMatch(
    /^malformed: body must be at most 65536 bytes/,
  );
});

test('a read with a broken escape in its query is refused', async () => {
  expect((await new Desk().request('/trades?pair=%E0%A4%A')).msg).toMatch(/^malformed: parameters must be /);
});

test.each([
  ['just inside the default window', -5_000, undefined, 200],
  ['just outside it', -5_001, undefined, 408],
  ['inside a window of its own', -9_000, 10_000, 200],
  ['outside a narrower one', -101, 100, 408],
  ['a little in the future', 1_000, undefined, 200],
  ['further in the future', 1_001, 60_000, 408],
])('a timestamp %s gets %4$i', async (_name, offset, window, status) => {
  const desk = new Desk();
  const fields = {
    ...ORDER,
    timestamp: desk.now + offset,
    ...(window === undefined ? {} : { recv_window: window }),
  };
  const reply = await desk.post('/auth/order', fields, ANNA);
  expect(reply.status).toBe(status);
  if (status === 408) {
    expect(reply).toMatchObject({ code: 414, msg: 'The timestamp is too old.', result: null });
  }
});

test('a timestamp may carry a fraction and must be a number', async () => {
  const desk = new Desk();
  expect((await desk.post('/auth/order', { ...ORDER, timestamp: `${desk.now}.25` }, ANNA)).status).toBe(200);
  expect((await desk.post('/auth/order', { ...ORDER, timestamp: 'now' }, ANNA)).msg).toMatch(
    /^malformed: timestamp/,
  );
  expect((await desk.post('/auth/order', { ...ORDER, recv_window: '-1' }, ANNA)).msg).toMatch(
    /^malformed: recv_window/,
  );
});

test('a stale timestamp is judged after the signature and before everything else', async () => {
  const desk = new Desk();
  const stale = form({ pair: 'X', timestamp: desk.now - 60_000 });
  const unsigned = await desk.request('/auth/order', {
    method: 'POST',
    body: stale,
    headers: { 'x-api-key': ANNA.key },
  });
  expect(unsigned.msg).toMatch(/^bad signature/);
  expect((await desk.post('/auth/order', stale, ANNA)).status).toBe(408);
});

test('beyond the rate limit a caller is told how long to wait, and may ask again after that', async () => {
  const desk = new Desk({ rateLimit: 20 });
  for (let i = 0; i < 20; i++) expect((await desk.get('/orders', {}, ANNA)).status).toBe(200);
  const reply = await desk.get('/orders', {}, ANNA);
  expect(reply).toMatchObject({ status: 429, code: 429, result: null });
  // The 20 took no time, so the next token is there after 1/20 s.
  expect(reply.msg).toMatch(/try again in 0\.050 seconds\?$/);
  expect((await desk.get('/time')).status).toBe(200);
  desk.time.advance(49);
  expect((await desk.get('/orders', {}, ANNA)).status).toBe(429);
  desk.time.advance(1);
  expect((await desk.get('/orders', {}, ANNA)).status).toBe(200);
});

test('without a rate limit nobody is throttled', async () => {
  const desk = new Desk();
  for (let i = 0; i < 300; i++) expect((await desk.get('/time')).status).toBe(200);
});

test('keys of an unknown account, twice the same key and impossible limits are mistakes of whoever starts it', () => {
  const core = bookCore();
  expect(() => new Desk({ core, accounts: [{ key: 'a', secret: 'b', account: 'nobody' }] })).toThrow(
    /account nobody/,
  );
  expect(() => new Desk({ core, accounts: [ANNA, ANNA] })).toThrow(/no key twice/);
  expect(() => new Desk({ core, accounts: [{ ...ANNA, secret: '' }] })).toThrow(/must be given/);
  expect(() => new Desk({ core, maxLimit: 0 })).toThrow(/maxLimit must be/);
  expect(() => new Desk({ core, rateLimit: 0 })).toThrow(/rateLimit must be/);
  expect(() => new Desk({ core, speed: 0 })).toThrow(/speed must be/);
});

test('a key like __proto__ is a field like any other', async () => {
  const desk = new Desk();
  const reply = await desk.post(
    '/auth/order',
    `${form(ORDER)}&__proto__=1&__proto__[qty]=2&constructor=3`,
    ANNA,
  );
  expect(reply.status).toBe(200);
  expect(({} as Record<string, unknown>)['qty']).toBeUndefined();
  const unknown = await desk.get('/trades', { pair: '__proto__' });
  expect(unknown.msg).toMatch(/^unknown pair: /);
  const key = await desk.request('/orders', { headers: { 'x-api-key': '__proto__' } });
  expect(key.msg).toMatch(/^unknown key: /);
});

test('an order that the account does not have is not found, and an id must be given', async () => {
  const desk = new Desk();
  for (const id of ['1', '01', '999', 'x', '-1', '1e0']) {
    expect(await desk.get('/order', { id }, ANNA)).toMatchObject({
      status: 503,
      msg: expect.stringMatching(/^The order was not found: /),
    });
  }
  await desk.place(ANNA, { side: 'BUY', price: 50_000, qty: 1 });
  expect((await desk.get('/order', { id: '1' }, ANNA)).status).toBe(200);
  expect((await desk.get('/order', { id: '01' }, ANNA)).status).toBe(503);
  expect((await desk.get('/order', {}, ANNA)).msg).toMatch(/^malformed: id must be the id of an order/);
  expect((await desk.post('/auth/cancel', '', ANNA)).msg).toMatch(
    /^malformed: id must be the id of an order/,
  );
  expect((await desk.get('/position', {}, ANNA)).msg).toMatch(
    /^malformed: pair must be a pair of this venue/,
  );
});

test('a bug in an endpoint is answered in the envelope, logged, and is no definite refusal', async () => {
  const errors: string[] = [];
  const log = { ...SILENT, error: (message: string) => errors.push(message) };
  const core = bookCore();
  const desk = new Desk({ core, log });
  Object.defineProperty(core, 'trades', {
    value: () => {
      throw new Error('planted');
    },
  });
  const reply = await desk.get('/trades', { pair: PAIR });
  expect(reply).toMatchObject({ status: 503, code: 503, msg: 'internal error', result: {} });
  expect(errors).toEqual(['a venue endpoint threw']);
});
