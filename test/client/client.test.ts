import { describe, expect, it } from 'vitest';
import { cautious, tickwright } from '../../src/client/profile.js';
import { signatureOf } from '../../src/client/signer.js';
import { undiciTransport } from '../../src/client/transport.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderTerms } from '../../src/model/order.js';
import { systemClock } from '../../src/platform/clock.js';
import { systemTimers } from '../../src/platform/timers.js';
import { VenueError } from '../../src/ports/venue-api.js';
import { answering, clientDesk, type Fault, KEY, SECRET } from './client-desk.js';
import {
  envelope,
  MARKET,
  PAIR,
  refusal,
  WIRE_FILL,
  WIRE_MARKET,
  WIRE_ORDER,
  WIRE_POSITION,
  WIRE_TRADE,
} from './fixtures.js';
import { closedPort, timersUpWhen } from './local-server.js';
import { scriptedVenue } from './scripted-transport.js';

const { clientOf, publicClientOf, venueThat, logged, closeLater } = clientDesk();

const TERMS: OrderTerms = {
  side: 'buy',
  type: 'limit',
  ticks: 610_005 as Ticks,
  lots: 250 as Lots,
  timeInForce: 'GTC',
  postOnly: true,
  reduceOnly: false,
};

const WORKING = { ...WIRE_ORDER, qty_filled: 0, qty_remaining: 0.25 };

describe.each([429, 418])('a gateway that answers %i with Retry-After and a page', (status) => {
  const gateway = () =>
    scriptedVenue(() => ({
      status,
      headers: { 'retry-after': '60' },
      body: '<html>Too Many Requests</html>',
    }));

  it('is asked nothing for as long as it wants', async () => {
    const { client, seen, time } = gateway();
    const ask = async () => {
      const failed = client.ticker(PAIR).catch((error: VenueError) => error.kind);
      await time.advance(20_000);
      return failed;
    };
    expect([await ask(), await ask(), await ask()]).toEqual(['throttled', 'throttled', 'throttled']);
    expect(seen).toEqual(['GET /ticker']);
    await ask();
    expect(seen).toHaveLength(2);
  });

  it('leaves an order in doubt', async () => {
    const { client, seen, time } = gateway();
    const placed = client.place(MARKET, TERMS, undefined);
    await time.advance(5_000);
    expect(await placed).toMatchObject({ kind: 'in-doubt' });
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });
});

describe('placing an order', () => {
  it('sends one signed form and takes the order from the answer', async () => {
    const venue = await venueThat(answering(envelope({ order: WORKING })));
    const before = Math.floor(systemClock.wall());
    const outcome = await clientOf(venue.url).place(MARKET, TERMS, 's1-7');
    expect(outcome).toMatchObject({ kind: 'accepted', order: { id: '77', quantity: 0.25 } });
    const [post, ...rest] = venue.posts();
    expect(rest).toEqual([]);
    expect(post?.url).toBe('/auth/order');
    expect(post?.headers['x-api-key']).toBe(KEY);
    expect(post?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(post?.headers['x-signature']).toBe(signatureOf(SECRET, post?.body ?? ''));
    const sent = Object.fromEntries(new URLSearchParams(post?.body));
    expect(sent).toMatchObject({
      pair: PAIR,
      qty: '0.25',
      side: 'BUY',
      price: '61000.5',
      post_only: 'true',
      oco: 's1-7',
    });
    const tookMs = systemClock.wall() - before;
    expect(Math.abs(Number(sent['timestamp']) - before)).toBeLessThan(1_000 + tookMs);
    expect(Number(sent['recv_window'])).toBeGreaterThanOrEqual(5_000);
  });

  it('takes the order when it stands bare in the result, or in an array', async () => {
    for (const result of [WORKING, [WORKING], { order: [WORKING] }]) {
      const venue = await venueThat(answering(envelope(result)));
      expect((await clientOf(venue.url).place(MARKET, TERMS, undefined)).kind).toBe('accepted');
    }
  });

  it('is accepted when the venue cancelled it at once: there is an order', async () => {
    const venue = await venueThat(
      answering(envelope({ order: { ...WORKING, status: 'CANCELLED', msg: 'post-only would trade' } })),
    );
    expect(await clientOf(venue.url).place(MARKET, TERMS, undefined)).toMatchObject({
      kind: 'accepted',
      order: { status: 'CANCELLED', message: 'post-only would trade' },
    });
  });

  it('is refused by a message that proves it', async () => {
    const venue = await venueThat(answering(refusal('insufficient balance: needs 10, has 5'), 503));
    expect(await clientOf(venue.url).place(MARKET, TERMS, undefined)).toEqual({
      kind: 'refused',
      reason: 'insufficient balance: needs 10, has 5',
    });
  });

  it('is in doubt by the same message at a venue where nothing is proven', async () => {
    const venue = await venueThat(answering(refusal('insufficient balance: needs 10, has 5'), 503));
    expect((await clientOf(venue.url, {}, cautious).place(MARKET, TERMS, undefined)).kind).toBe('in-doubt');
  });

  const faults: readonly [string, Fault][] = [
    ['a bare 503', answering(refusal('The request is invalid'), 503)],
    ['a 503 without a message', answering(refusal(''), 503)],
    ['a 200 with code 503', answering(refusal('Internal error'))],
    ['a 500 with code 200', answering(envelope({ order: WORKING }), 500)],
    ['a gateway page', answering('<html><body>502 Bad Gateway</body></html>', 502)],
    ['a captive portal', answering('<html>Please log in</html>')],
    ['a 200 that is cut off', answering(envelope({ order: WORKING }).slice(0, 60))],
    ['a 200 without an order', answering(envelope({}))],
    ['a 200 without an id', answering(envelope({ order: { ...WORKING, id: null } }))],
    ['a 200 with nothing in it', answering('')],
    ['another side', answering(envelope({ order: { ...WORKING, side: 'SELL' } }))],
    ['another quantity', answering(envelope({ order: { ...WORKING, qty_orig: 0.251 } }))],
    ['another price', answering(envelope({ order: { ...WORKING, price_orig: 61_001 } }))],
    ['another pair', answering(envelope({ order: { ...WORKING, pair: 'OTHER' } }))],
    ['a market order for a limit', answering(envelope({ order: { ...WORKING, type: 'MARKET' } }))],
    ['a redirect', (response) => void response.writeHead(307, { location: '/auth/order' }).end()],
    ['a connection that is reset', (_response, request) => void request.connection.resetAndDestroy()],
    ['a connection that is closed', (_response, request) => void request.connection.destroy()],
    [
      'half an answer',
      (response, request) => {
        response.writeHead(200, { 'content-length': '500' });
        response.write('{"code":200', () => request.connection.destroy());
      },
    ],
    ['nine megabytes', answering('x'.repeat(9 * 1024 * 1024))],
    ['trailing rubbish', answering(`${envelope({ order: WORKING })}{}`)],
  ];

  it.each(faults)('is in doubt, and was posted once, after %s', async (_, fault) => {
    const venue = await venueThat(fault);
    const outcome = await clientOf(venue.url).place(MARKET, TERMS, undefined);
    expect(outcome.kind).toBe('in-doubt');
    expect(JSON.stringify(outcome)).not.toMatch(/canary/);
    expect(venue.posts()).toHaveLength(1);
  });

  it('is in doubt, and was posted once, when there is no answer in time', async () => {
    const venue = await venueThat(() => undefined);
    const timers = timersUpWhen(() => venue.posts().length > 0);
    const hurried = undiciTransport({ baseUrl: venue.url, clock: systemClock, timers, environment: {} });
    closeLater(hurried);
    expect((await clientOf(venue.url, { transport: hurried }).place(MARKET, TERMS, undefined)).kind).toBe(
      'in-doubt',
    );
    expect(venue.posts()).toHaveLength(1);
  });

  it('was not sent when nobody listens', async () => {
    const venue = await venueThat(() => undefined);
    const client = clientOf(venue.url);
    await client.clock.sync();
    await venue.close();
    const outcome = await client.place(MARKET, TERMS, undefined);
    expect(outcome.kind).toBe('not-sent');
  });

  it('was not sent when the time of the venue is not known', async () => {
    const url = await closedPort();
    expect(await clientOf(url).place(MARKET, TERMS, undefined)).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringMatching(/clock is not known/),
    });
  });

  it('was not sent when its terms are no order', async () => {
    const venue = await venueThat(answering(envelope({ order: WORKING })));
    expect(await clientOf(venue.url).place(MARKET, { ...TERMS, ticks: undefined }, undefined)).toMatchObject({
      kind: 'not-sent',
      reason: 'a limit order must have a price, received none',
    });
    expect(venue.posts()).toEqual([]);
    expect(logged().some((line) => line.startsWith('error write not made'))).toBe(true);
  });
});

describe('cancelling', () => {
  it('names the order and gives the record as it was answered', async () => {
    const venue = await venueThat(answering(envelope(WORKING)));
    expect(await clientOf(venue.url).cancel('77')).toMatchObject({
      kind: 'answered',
      order: { id: '77', status: 'ACTIVE' },
    });
    expect(venue.posts().map(({ url, body }) => [url, body])).toEqual([['/auth/cancel', 'id=77']]);
  });

  it.each<[string, Fault, string]>([
    ['refused when the order is done', answering(refusal('order already done: 77'), 503), 'refused'],
    ['refused when there is no such order', answering(refusal('The order was not found'), 503), 'refused'],
    ['unanswered by a bare 503', answering(refusal('busy'), 503), 'unanswered'],
    ['unanswered by another order', answering(envelope({ ...WORKING, id: '78' })), 'unanswered'],
    [
      'unanswered by a reset',
      (_response, request) => void request.connection.resetAndDestroy(),
      'unanswered',
    ],
  ])('is %s, after one request', async (_, fault, kind) => {
    const venue = await venueThat(fault);
    expect((await clientOf(venue.url).cancel('77')).kind).toBe(kind);
    expect(venue.posts()).toHaveLength(1);
  });

  it('of many names them by index, a hundred at a time', async () => {
    const venue = await venueThat(answering(envelope([])));
    const ids = Array.from({ length: 101 }, (_, i) => `o${i}`) as [string, ...string[]];
    expect(await clientOf(venue.url).cancelMany(ids)).toEqual({ kind: 'answered', orders: [] });
    const bodies = venue.posts().map(({ body }) => new URLSearchParams(body));
    expect(bodies.map((body) => [...body.values()].length)).toEqual([100, 1]);
    expect(bodies[1]?.get('ids[0]')).toBe('o100');
  });

  it('never sends a bulk cancel that names nothing: it would cancel everything', async () => {
    const venue = await venueThat(answering(envelope([])));
    const client = clientOf(venue.url);
    await expect(client.cancelMany([] as unknown as [string])).rejects.toThrow(/must name its orders/);
    await expect(client.cancelMany(['1', ''])).rejects.toThrow(/must name its orders/);
    await expect(client.cancel('')).rejects.toThrow(/must name its orders/);
    expect(venue.seen).toEqual([]);
  });

  it('of many is as good as its worst part', async () => {
    let calls = 0;
    const venue = await venueThat((response) => {
      calls++;
      if (calls === 1) response.writeHead(503).end(refusal('busy'));
      else response.end(envelope([]));
    });
    const ids = Array.from({ length: 150 }, (_, i) => `o${i}`) as [string, ...string[]];
    expect(await clientOf(venue.url).cancelMany(ids)).toEqual({ kind: 'unanswered', reason: 'busy' });
    expect(calls).toBe(2);
  });
});

describe('reads', () => {
  it('ask the paths of the specification with its parameters, and the key only where it is needed', async () => {
    const results: Record<string, unknown> = {
      '/pairs': { [PAIR]: WIRE_MARKET },
      '/assets': {},
      '/trades': [WIRE_TRADE],
      '/ticker': { [PAIR]: { last_price: 5 } },
      '/depth': { bids: [], asks: [] },
      '/position': WIRE_POSITION,
      '/order': WIRE_ORDER,
      '/fills': [WIRE_FILL],
      '/personal': { balances: { USD: { free: 1 } } },
    };
    const venue = await venueThat((response, { url }) => {
      const path = url.split('?')[0] as string;
      response.end(envelope(path in results ? results[path] : [WIRE_ORDER]));
    });
    const client = clientOf(venue.url);
    const query = { pair: PAIR, from: 1, to: 9, limit: 5_000 };
    await client.markets();
    await client.assets();
    await client.trades(query);
    await client.ticker(PAIR);
    await client.depth(PAIR);
    await client.position(PAIR);
    for (const state of ['all', 'active', 'completed', 'canceled', 'filled', 'partial', 'triggers'] as const)
      await client.orders(state, query);
    await client.order('a&b=c');
    await client.fills();
    await client.balances();
    const list = `pair=${PAIR}&start=1&end=9&limit=1000`;
    expect(venue.seen.map(({ url, headers }) => [url, headers['x-api-key'] === KEY])).toEqual([
      ['/pairs', false],
      ['/assets', false],
      [`/trades?${list}`, false],
      [`/ticker?pair=${PAIR}`, false],
      [`/depth?pair=${PAIR}`, false],
      [`/position?pair=${PAIR}`, true],
      [`/orders?${list}`, true],
      [`/active_orders?${list}`, true],
      [`/completed_orders?${list}`, true],
      [`/cancelled_orders?${list}`, true],
      [`/filled_orders?${list}`, true],
      [`/partially_filled_orders?${list}`, true],
      [`/triggers?${list}`, true],
      ['/order?id=a%26b%3Dc', true],
      ['/fills', true],
      ['/personal', true],
    ]);
    expect(venue.seen.every(({ headers }) => headers['x-signature'] === undefined)).toBe(true);
  });

  it('have a raw door in the words of the wire', async () => {
    const candle = { open: 1, high: 1, low: 1, close: 1, base_volume: 1, open_time: 0, close_time: 300_000 };
    const venue = await venueThat(answering(envelope([candle])));
    const [first] = await clientOf(venue.url).raw('ohlcv', { pair: PAIR, interval: '5m' });
    expect(first?.closeTime).toBe(300_000);
    expect(venue.seen[0]?.url).toBe(`/ohlcv?pair=${PAIR}&interval=5m`);
  });

  it('say once which markets were left out', async () => {
    const venue = await venueThat(answering(envelope({ [PAIR]: WIRE_MARKET, ODD: { contract: 'INVERSE' } })));
    const client = clientOf(venue.url);
    for (let i = 0; i < 2; i++) expect([...(await client.markets()).keys()]).toEqual([PAIR]);
    expect(logged().filter((line) => line.includes('market left out'))).toHaveLength(1);
  });

  it.each<[string, Fault, VenueError['kind'], number]>([
    ['no JSON', answering('<html>'), 'malformed', 1],
    ['a gateway page', answering('<html>', 502), 'unreachable', 3],
    ['a reset', (_response, request) => void request.connection.resetAndDestroy(), 'unreachable', 3],
    ['an unknown 503', answering(refusal('The request is invalid'), 503), 'refused', 2],
    ['a definite 503', answering(refusal('The order was not found'), 503), 'refused', 1],
    [
      'a throttle',
      answering('{"code":429,"msg":"slow down, try again in 0.25 seconds?","result":null}', 429),
      'throttled',
      1,
    ],
    [
      'a throttle that a gateway answers',
      (response) => void response.writeHead(429, { 'retry-after': '1' }).end('<html>'),
      'throttled',
      1,
    ],
    ['a result of the wrong kind', answering(envelope({})), 'malformed', 1],
    ['nine megabytes', answering('x'.repeat(9 * 1024 * 1024)), 'malformed', 1],
  ])('fail by %s as a VenueError, after the requests they may make', async (name, fault, kind, requests) => {
    const venue = await venueThat(fault);
    const error = await clientOf(venue.url)
      .fills()
      .then(
        () => undefined,
        (failure: unknown) => failure as VenueError,
      );
    expect(error).toBeInstanceOf(VenueError);
    expect(error?.kind).toBe(kind);
    expect(String(error?.stack)).not.toMatch(/canary/);
    expect(venue.seen).toHaveLength(requests);
    if (kind === 'throttled') expect(error?.retryAfterMs).toBe(name === 'a throttle' ? 250 : 1_000);
  });

  it.each<[string, number, Record<string, string>, string]>([
    [
      'a redirect, which is not followed',
      301,
      { location: 'https://elsewhere.test/api/fills?token=canary' },
      'GET /fills: HTTP 301 without a JSON envelope: it redirects to https://elsewhere.test/api/fills',
    ],
    [
      'a compressed answer, which was not asked for',
      200,
      { 'content-encoding': 'gzip' },
      'GET /fills: HTTP 200 without a JSON envelope: it is compressed: gzip',
    ],
  ])('say why %s cannot be read', async (_, status, headers, message) => {
    const venue = await venueThat((response) => response.writeHead(status, headers).end('\u001f'));
    await expect(clientOf(venue.url).fills()).rejects.toThrow(new VenueError('malformed', message));
  });

  it('succeed when the second try does', async () => {
    let calls = 0;
    const venue = await venueThat((response, request) => {
      if (++calls === 1) request.connection.resetAndDestroy();
      else response.end(envelope([WIRE_FILL]));
    });
    expect(await clientOf(venue.url).fills()).toHaveLength(1);
  });

  it('stop retrying when a tenth of them would be retries', async () => {
    // Two of three reads are answered: the breaker has no reason to open.
    const venue = await venueThat((response, request) =>
      request.url.startsWith('/fills')
        ? answering('<html>', 502)(response, request)
        : answering(envelope(WIRE_ORDER))(response, request),
    );
    const client = clientOf(venue.url, {
      timers: { after: (_ms, task) => systemTimers.soon(task), soon: (task) => systemTimers.soon(task) },
    });
    for (let i = 0; i < 30; i++) {
      await client.fills().catch(() => undefined);
      await client.order('77');
      await client.order('77');
    }
    const fills = venue.seen.filter(({ url }) => url.startsWith('/fills')).length;
    // 10 to start with and 0.1 for each of 90 reads: at most 19 retries of 30.
    expect(fills).toBeGreaterThan(30);
    expect(fills).toBeLessThanOrEqual(49);
  });

  it('slow down after a throttle', async () => {
    const venue = await venueThat(
      answering('{"code":429,"msg":"try again in 0.01 seconds?","result":null}', 429),
    );
    const client = clientOf(venue.url);
    await client.fills().catch(() => undefined);
    expect(client.requestsPerSecond).toBe(tickwright.budget.perSecond / 2);
  });

  it('go without any credentials where the venue needs none', async () => {
    const venue = await venueThat(answering(envelope([])));
    expect(await publicClientOf(venue.url).trades({ pair: PAIR })).toEqual([]);
    expect(venue.seen[0]?.headers['x-api-key']).toBeUndefined();
  });
});

describe('the time of the venue', () => {
  it('is what a ticker without a time is given', async () => {
    const venue = await venueThat(answering(envelope({ [PAIR]: { last_price: 5 } })));
    const client = clientOf(venue.url);
    await client.clock.sync();
    const before = systemClock.wall();
    const { time } = await client.ticker(PAIR);
    const tookMs = systemClock.wall() - before;
    expect(Math.abs(time - before)).toBeLessThan(500 + tookMs);
  });
});
