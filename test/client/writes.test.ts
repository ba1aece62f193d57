/** Every write but a plain order: what goes out, once, and what its answer proves. */
import { describe, expect, it } from 'vitest';
import { cautious, tickwright } from '../../src/client/profile.js';
import { signatureOf } from '../../src/client/signer.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import type { PlaceOptions, PlaceRequest } from '../../src/ports/venue-api.js';
import { answering, clientDesk, type Fault, KEY, SECRET, type Venue } from './client-desk.js';
import { envelope, MARKET, PAIR, refusal, WIRE_ORDER } from './fixtures.js';
import { FULL_BALANCE, FULL_POSITION, FULL_WITHDRAWAL } from './wire-samples.js';

const { clientOf, venueThat, withdrawClientOf } = clientDesk();

const TERMS: OrderTerms = {
  side: 'buy',
  type: 'limit',
  ticks: 610_005 as Ticks,
  lots: 250 as Lots,
  timeInForce: 'GTC',
  postOnly: true,
  reduceOnly: false,
};
const PLACED = { ...WIRE_ORDER, qty_filled: 0, qty_remaining: 0.25 };
const ACCOUNT = { balances: { USD: FULL_BALANCE }, positions: { [PAIR]: FULL_POSITION } };

const onlyPost = (venue: Venue) => {
  const [post, ...others] = venue.posts();
  expect(others).toEqual([]);
  return { ...post, fields: Object.fromEntries(new URLSearchParams(post?.body)) };
};

describe('an order with options', () => {
  const trigger = { ticks: 605_000 as Ticks, event: 'index' } as const;
  const place = async (record: object, options: PlaceOptions) => {
    const venue = await venueThat(answering(envelope({ order: { ...PLACED, ...record } })));
    return clientOf(venue.url).place(MARKET, TERMS, 'tag', options);
  };

  it('is accepted when it waits for its trigger', async () => {
    const record = { status: 'UNTRIGGERED', trigger_price: 60_500, trigger_event: 'INDEX_PRICE' };
    expect(await place(record, { trigger })).toMatchObject({
      kind: 'accepted',
      order: { status: 'UNTRIGGERED', triggerPrice: 60_500, triggerEvent: 'index' },
    });
  });

  it.each<[string, object, PlaceOptions, string]>([
    ['its trigger was lost: it may be in the market', {}, { trigger }, 'trigger_price'],
    [
      'its trigger moved',
      { trigger_price: 60_500.5, trigger_event: 'INDEX_PRICE' },
      { trigger },
      'trigger_price',
    ],
    [
      'it watches another price',
      { trigger_price: 60_500, trigger_event: 'MARK_PRICE' },
      { trigger },
      'trigger_event',
    ],
    ['it has a trigger nobody asked for', { trigger_price: 60_500 }, {}, 'trigger_price'],
    ['it shows', {}, { hidden: true }, 'hidden'],
    ['it hides', { hidden: true }, {}, 'hidden'],
    ['it shows all at once', {}, { icebergs: 4 }, 'icebergs'],
    ['it closes more than was meant', { close_on_trigger: true }, {}, 'close_on_trigger'],
  ])('is in doubt when %s', async (_, record, options, field) => {
    expect(await place(record, options)).toEqual({
      kind: 'in-doubt',
      reason: `the venue answered with another order: ${field}`,
    });
  });
});

describe('a bulk order', () => {
  const second: OrderTerms = { ...TERMS, side: 'sell', ticks: 620_000 as Ticks };
  const requests: readonly [PlaceRequest, PlaceRequest] = [
    { terms: TERMS, tag: 'a' },
    { terms: second, tag: 'b' },
  ];
  const records = [
    { ...PLACED, oco: 'a' },
    { ...PLACED, id: '78', side: 'SELL', price: 62_000, price_orig: 62_000, oco: 'b' },
  ];
  const [first, other] = records;
  const placeMany = async (fault: Fault, profile = tickwright) => {
    const venue = await venueThat(fault);
    const outcome = await clientOf(venue.url, {}, profile).placeMany(MARKET, requests);
    return { outcome, venue };
  };

  it('goes out as one signed form, and its records come back in the order they were asked for', async () => {
    const { outcome, venue } = await placeMany(answering(envelope({ orders: [other, first] })));
    expect(outcome).toMatchObject({ kind: 'accepted', orders: [{ id: '77' }, { id: '78' }] });
    const post = onlyPost(venue);
    expect(post.url).toBe('/auth/order/bulk');
    expect(post.headers?.['x-signature']).toBe(signatureOf(SECRET, post.body ?? ''));
    expect(post.fields).toMatchObject({ 'orders[0][side]': 'BUY', 'orders[1][side]': 'SELL' });
  });

  it('takes a bare array, and members that were cancelled at once', async () => {
    const ended = { ...other, status: 'CANCELLED', msg: 'post-only would trade' };
    expect((await placeMany(answering(envelope([first, ended])))).outcome).toMatchObject({
      kind: 'accepted',
      orders: [{ status: 'ACTIVE' }, { message: 'post-only would trade' }],
    });
  });

  it('tells members that are equal apart by their tags', async () => {
    const twins: readonly [PlaceRequest, PlaceRequest] = [
      { terms: TERMS, tag: 'a' },
      { terms: TERMS, tag: 'b' },
    ];
    const answer = [
      { ...PLACED, id: '2', oco: 'b' },
      { ...PLACED, id: '1', oco: 'a' },
    ];
    const venue = await venueThat(answering(envelope(answer)));
    expect(await clientOf(venue.url).placeMany(MARKET, twins)).toMatchObject({
      orders: [{ id: '1' }, { id: '2' }],
    });
  });

  it('gives each of two equal members a record of its own, tags or not', async () => {
    const twins: readonly [PlaceRequest, PlaceRequest] = [{ terms: TERMS }, { terms: TERMS }];
    const venue = await venueThat(answering(envelope([PLACED, { ...PLACED, id: '78' }])));
    expect(await clientOf(venue.url).placeMany(MARKET, twins)).toMatchObject({
      kind: 'accepted',
      orders: [{ id: '77' }, { id: '78' }],
    });
    const twice = await venueThat(answering(envelope([PLACED, PLACED])));
    expect((await clientOf(twice.url).placeMany(MARKET, twins)).kind).toBe('in-doubt');
  });

  it.each<[string, Fault]>([
    ['a record is missing', answering(envelope({ orders: [first] }))],
    ['there is one too many', answering(envelope({ orders: [first, other, { ...first, id: '79' }] }))],
    ['one is another order', answering(envelope({ orders: [first, { ...other, qty_orig: 1 }] }))],
    ['one answers two members', answering(envelope({ orders: [first, first] }))],
    ['one cannot be read', answering(envelope({ orders: [first, { id: '78' }] }))],
    ['the answer proves nothing', answering(refusal('busy'), 503)],
  ])('is in doubt as a whole when %s', async (_, fault) => {
    const { outcome, venue } = await placeMany(fault);
    expect(outcome.kind).toBe('in-doubt');
    expect(venue.posts()).toHaveLength(1);
  });

  it('is refused as a whole only where the venue refuses all or nothing', async () => {
    const fault = answering(refusal('insufficient balance: needs 10, has 5'), 503);
    expect((await placeMany(fault)).outcome.kind).toBe('refused');
    const singly = { ...tickwright, bulk: { ...tickwright.bulk, atomic: false } };
    expect((await placeMany(fault, singly)).outcome.kind).toBe('in-doubt');
  });

  it('is not sent when it breaks a rule of bulks', async () => {
    const venue = await venueThat(answering(envelope([])));
    const reducing = [{ terms: { ...TERMS, reduceOnly: true } }] as const;
    expect((await clientOf(venue.url).placeMany(MARKET, reducing)).kind).toBe('not-sent');
    expect(venue.posts()).toEqual([]);
  });
});

describe('closing a position', () => {
  const closing = {
    ...PLACED,
    side: 'SELL',
    reduce_only: true,
    post_only: false,
    type: 'MARKET',
    price_orig: 0,
  };
  const close = async (record: object, query?: { lots?: Lots; ticks?: Ticks }) => {
    const venue = await venueThat(answering(envelope({ order: { ...closing, ...record } })));
    return { outcome: await clientOf(venue.url).close(MARKET, query), venue };
  };

  it('is whole and at market unless told otherwise', async () => {
    const { outcome, venue } = await close({ qty_orig: 1.5 });
    expect(outcome).toMatchObject({ kind: 'accepted', order: { quantity: 1.5 } });
    const { url, fields } = onlyPost(venue);
    expect(url).toBe('/auth/close');
    expect(Object.keys(fields)).toEqual(['pair', 'timestamp', 'recv_window']);
  });

  it('says how much and at which price', async () => {
    const record = { type: 'LIMIT', price_orig: 61_000.5 };
    const { outcome, venue } = await close(record, { lots: 250 as Lots, ticks: 610_005 as Ticks });
    expect(outcome.kind).toBe('accepted');
    expect(onlyPost(venue).fields).toMatchObject({ pair: PAIR, qty: '0.25', price: '61000.5' });
  });

  it.each<[string, object, { lots?: Lots; ticks?: Ticks }]>([
    ['an order that may open', { reduce_only: false }, {}],
    ['another pair', { pair: 'OTHER' }, {}],
    ['another quantity', {}, { lots: 100 as Lots }],
    ['a market order for a limit', {}, { ticks: 610_005 as Ticks }],
    ['another price', { type: 'LIMIT', price_orig: 61_001 }, { ticks: 610_005 as Ticks }],
  ])('is in doubt after %s', async (_, record, query) => {
    expect((await close(record, query)).outcome.kind).toBe('in-doubt');
  });
});

describe('margin and leverage', () => {
  const done = answering(envelope(ACCOUNT));

  it('fund, draw and set leverage in USD and as decimals, and give balances and positions', async () => {
    const venue = await venueThat(done);
    const client = clientOf(venue.url);
    const outcomes = [
      await client.fund(PAIR, '0.0000001'),
      await client.draw(PAIR, 25.5),
      await client.setLeverage(PAIR, '12.5'),
      await client.setLeverage(PAIR, 0),
    ];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        kind: 'done',
        account: { balances: [{ asset: 'USD' }], positions: [{ pair: PAIR, size: -0.25 }] },
      });
    }
    const sent = venue.posts().map(({ url, body }) => {
      const { timestamp, recv_window: _, ...rest } = Object.fromEntries(new URLSearchParams(body));
      expect(timestamp).toMatch(/^\d{13}$/);
      return [url, rest];
    });
    expect(sent).toEqual([
      ['/fund', { pair: PAIR, qty: '0.0000001' }],
      ['/draw', { pair: PAIR, qty: '25.5' }],
      ['/leverage', { pair: PAIR, leverage: '12.5' }],
      ['/leverage', { pair: PAIR, leverage: '0' }],
    ]);
  });

  it('carry a signature where the profile says so, and the key always', async () => {
    const venue = await venueThat(done);
    const profile = { ...tickwright, signed: { fund: true, draw: false, leverage: false } };
    const client = clientOf(venue.url, {}, profile);
    await client.fund(PAIR, 1);
    await client.draw(PAIR, 1);
    await client.setLeverage(PAIR, 1);
    const heads = venue
      .posts()
      .map(({ headers, body }) => [
        headers['x-api-key'] === KEY,
        headers['x-signature'] === signatureOf(SECRET, body),
        headers['content-type'],
      ]);
    const form = 'application/x-www-form-urlencoded';
    expect(heads).toEqual([
      [true, true, form],
      [true, false, form],
      [true, false, form],
    ]);
    expect(venue.posts()[1]?.headers['x-signature']).toBeUndefined();
  });

  it('do not go back to cross where nobody knows how', async () => {
    const venue = await venueThat(done);
    expect(await clientOf(venue.url, {}, cautious).setLeverage(PAIR, 0)).toMatchObject({ kind: 'not-sent' });
    expect(venue.posts()).toEqual([]);
  });

  it.each<[string, Fault, string]>([
    [
      'refused by a message that proves it',
      answering(refusal('not isolated: USD_BTC_PERP is in cross'), 503),
      'refused',
    ],
    ['in doubt by a bare 503', answering(refusal('busy'), 503), 'in-doubt'],
    ['in doubt by a result without balances', answering(envelope({})), 'in-doubt'],
    ['in doubt by a reset', (_response, request) => void request.connection.resetAndDestroy(), 'in-doubt'],
  ])('are %s, after one request', async (_, fault, kind) => {
    const venue = await venueThat(fault);
    expect((await clientOf(venue.url).fund(PAIR, 1)).kind).toBe(kind);
    expect(venue.posts()).toHaveLength(1);
  });

  it.each([0, -1, 'much', '1e3', Number.NaN])('take no amount of %s', async (amount) => {
    const venue = await venueThat(done);
    await expect(clientOf(venue.url).fund(PAIR, amount)).rejects.toThrow(/amount must be a decimal above 0/);
    expect(venue.seen).toEqual([]);
  });
});

describe('cancelling everything', () => {
  it('is the bulk cancel without ids, signed, and has to be asked for by name', async () => {
    const venue = await venueThat(answering(envelope([PLACED])));
    expect(await clientOf(venue.url).cancelEverything()).toMatchObject({
      kind: 'answered',
      orders: [{ id: '77' }],
    });
    const post = onlyPost(venue);
    expect([post.url, post.body]).toEqual(['/auth/cancel/bulk', '']);
    expect(post.headers?.['x-signature']).toBe(signatureOf(SECRET, ''));
  });

  it('is unanswered when nobody knows', async () => {
    const venue = await venueThat(answering(refusal('busy'), 503));
    expect((await clientOf(venue.url).cancelEverything()).kind).toBe('unanswered');
  });

  it('names ids by the profile, as many at once as it says', async () => {
    const venue = await venueThat(answering(envelope([])));
    const profile = { ...tickwright, bulk: { ...tickwright.bulk, maxIds: 2, idsField: 'order_ids' } };
    await clientOf(venue.url, {}, profile).cancelMany(['1', '2', '3']);
    const names = venue.posts().map(({ body }) => [...new URLSearchParams(body).keys()]);
    expect(names).toEqual([['order_ids[0]', 'order_ids[1]'], ['order_ids[0]']]);
  });
});

describe('the raw door', () => {
  it('gives the result of a read as it came', async () => {
    const odd = { nobody: ['knows', null] };
    const venue = await venueThat(answering(envelope(odd)));
    const client = clientOf(venue.url);
    const request = { method: 'GET', path: '/new_thing', auth: 'key', query: { a: 'b&c', n: 1 } } as const;
    expect(await client.request(request)).toEqual(odd);
    expect(venue.seen[0]?.url).toBe('/new_thing?a=b%26c&n=1');
    expect(venue.seen[0]?.headers['x-api-key']).toBe(KEY);
    await client.request({ method: 'GET', path: '/new_thing', auth: 'public' });
    expect(venue.seen[1]?.headers['x-api-key']).toBeUndefined();
  });

  it('sends a write once, signed over exactly its body, whatever comes of it', async () => {
    const faults: readonly [Fault, string][] = [
      [answering(envelope({ a: 1 })), 'result'],
      [answering(refusal('insufficient balance: x'), 503), 'error'],
      [answering('<html>', 502), 'unreadable'],
      [(_response, request) => void request.connection.resetAndDestroy(), 'lost'],
    ];
    for (const [fault, kind] of faults) {
      const venue = await venueThat(fault);
      const fields = { pair: PAIR, qty: 1.5, flag: true };
      const answer = await clientOf(venue.url).request({
        method: 'POST',
        path: '/auth/new',
        auth: 'signed',
        fields,
      });
      expect(answer.kind).toBe(kind);
      const post = onlyPost(venue);
      expect(post.body).toBe(`pair=${PAIR}&qty=1.5&flag=true`);
      expect(post.headers?.['x-signature']).toBe(signatureOf(SECRET, post.body ?? ''));
    }
  });

  it.each([
    '/auth/withdraw',
    '/AUTH/Withdraw',
    '/auth//withdraw',
    '/a/../b',
    '/a?b=1',
    'orders',
    '//host/a',
    '/a%2fb',
    '/',
  ])('is closed for %s', async (path) => {
    const venue = await venueThat(answering(envelope({})));
    const client = clientOf(venue.url);
    await expect(client.request({ method: 'POST', path, auth: 'signed' })).rejects.toThrow(
      /path of a raw request/,
    );
    await expect(client.request({ method: 'GET', path, auth: 'key' })).rejects.toThrow(
      /path of a raw request/,
    );
    expect(venue.seen).toEqual([]);
  });

  it('reads /withdrawals, which takes nothing out', async () => {
    const venue = await venueThat(answering(envelope([])));
    expect(await clientOf(venue.url).request({ method: 'GET', path: '/withdrawals', auth: 'key' })).toEqual(
      [],
    );
  });
});

describe('a withdrawal', () => {
  const request = { asset: 'BTC', quantity: '1.5', address: 'bc1-address' };

  it('goes out once, signed, with a timestamp of 13 digits', async () => {
    const venue = await venueThat(answering(envelope([{ ...FULL_WITHDRAWAL, status: 'ACTIVE' }])));
    expect(await withdrawClientOf(venue.url).withdraw(request)).toMatchObject({
      kind: 'submitted',
      withdrawal: { id: 'w-1', status: 'ACTIVE', net: 1.4995 },
    });
    const post = onlyPost(venue);
    expect(post.url).toBe('/auth/withdraw');
    expect(post.headers?.['x-signature']).toBe(signatureOf(SECRET, post.body ?? ''));
    expect(post.fields).toMatchObject({ asset: 'BTC', qty: '1.5', address: 'bc1-address' });
    expect(post.fields['timestamp']).toMatch(/^\d{13}$/);
  });

  it.each([
    ['12345678.12345678', 12_345_678.1234568],
    ['12.3', 12.300000000000001],
  ])('of %s is submitted where the venue prints it as %d', async (quantity, printed) => {
    const venue = await venueThat(answering(envelope({ ...FULL_WITHDRAWAL, qty: printed })));
    const outcome = await withdrawClientOf(venue.url).withdraw({ ...request, quantity });
    expect(outcome).toMatchObject({ kind: 'submitted', withdrawal: { quantity: printed } });
  });

  it.each<[string, Fault, string]>([
    [
      'in doubt by a quantity that differs in the last place',
      answering(envelope({ ...FULL_WITHDRAWAL, qty: 1.50000001 })),
      'in-doubt',
    ],
    ['refused below the minimum', answering(refusal('withdrawal below minimum: 1.5 of 2'), 503), 'refused'],
    ['in doubt by a bare 503', answering(refusal('busy'), 503), 'in-doubt'],
    ['in doubt by a reset', (_response, request_) => void request_.connection.resetAndDestroy(), 'in-doubt'],
    ['in doubt by another quantity', answering(envelope({ ...FULL_WITHDRAWAL, qty: 15 })), 'in-doubt'],
    ['in doubt by another address', answering(envelope({ ...FULL_WITHDRAWAL, address: 'x' })), 'in-doubt'],
    ['in doubt by another asset', answering(envelope({ ...FULL_WITHDRAWAL, asset: 'ETH' })), 'in-doubt'],
    ['in doubt by a record without an id', answering(envelope({ ...FULL_WITHDRAWAL, id: null })), 'in-doubt'],
  ])('is %s, after one request', async (_, fault, kind) => {
    const venue = await venueThat(fault);
    expect((await withdrawClientOf(venue.url).withdraw(request)).kind).toBe(kind);
    expect(venue.posts()).toHaveLength(1);
  });

  it.each([
    { ...request, quantity: '0' },
    { ...request, quantity: 'all' },
    { ...request, address: 'two words' },
    { ...request, address: '' },
    { ...request, asset: 'B&C' },
  ])('is not made of %o', async (odd) => {
    const venue = await venueThat(answering(envelope({})));
    await expect(withdrawClientOf(venue.url).withdraw(odd)).rejects.toThrow(/of a withdrawal must be/);
    expect(venue.seen).toEqual([]);
  });

  it('has the lists beside it that a person needs before asking again', async () => {
    const venue = await venueThat(
      (response, { url }) =>
        void response.end(envelope(url.startsWith('/withdrawals') ? [FULL_WITHDRAWAL] : {})),
    );
    const client = withdrawClientOf(venue.url);
    expect(await client.withdrawals()).toMatchObject([{ id: 'w-1', manuallyApproved: true }]);
    expect(await client.assets()).toEqual([]);
  });
});

describe('balances', () => {
  it.each([
    ['personal', '/personal', { balances: { USD: FULL_BALANCE } }],
    ['account', '/account', ACCOUNT],
    ['balances', '/balances', { USD: FULL_BALANCE }],
  ] as const)('are read from %s where the profile says so', async (balancesFrom, path, result) => {
    const venue = await venueThat(answering(envelope(result)));
    const [balance] = await clientOf(venue.url, {}, { ...tickwright, balancesFrom }).balances();
    expect(balance).toMatchObject({ asset: 'USD', free: 100.5 });
    expect(venue.seen.map(({ url }) => url)).toEqual([path]);
  });
});
