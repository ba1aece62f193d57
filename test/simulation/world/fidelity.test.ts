/**
 * The same fault menu on a real loopback server, through the real transport, and on the simulated network: the same
 * client sees the same (reliability, d.2), and the same has happened at the venue.
 */
import { createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createVenueClient, type VenueClient } from '../../../src/client/client.js';
import { tickwright } from '../../../src/client/profile.js';
import { undiciTransport } from '../../../src/client/transport.js';
import type { FaultEffect, FaultRule } from '../../../src/model/fault-rule.js';
import { seededRandom } from '../../../src/model/random.js';
import { systemClock } from '../../../src/platform/clock.js';
import { systemTimers } from '../../../src/platform/timers.js';
import type { Clock, Timers } from '../../../src/ports/clock.js';
import { HttpFailure, type HttpRequest, type HttpTransport } from '../../../src/ports/http.js';
import { SILENT } from '../../../src/ports/log.js';
import { ASSETS } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import { startVenueServer } from '../../../src/venue/http/server.js';
import { LightStreet } from '../../../src/simulation/world/light-street.js';
import { ANNA, BID, BTC, START_TICKS, world } from './desk.js';

/** For exchanges that end by it, and for all others; real ms. */
const SHORT_MS = 600;
const LONG_MS = 8_000;

/** One outcome of the transport, as it is tagged. */
interface Tagged {
  readonly lane: string;
  readonly outcome:
    | {
        readonly status: number;
        readonly body: string;
        readonly type: string;
        readonly location: string | undefined;
      }
    | { readonly reason: HttpFailure['reason']; readonly sent: boolean; readonly message: string };
}

/** Without addresses, and without the codes by which sockets say one thing in several ways. */
const plain = (message: string) => message.replace(/http:\S+|\(\w+\)|\d+ ms/g, '');

interface Place {
  readonly client: VenueClient;
  readonly transport: HttpTransport;
  readonly baseUrl: string;
  /** What came of the requests on `watched`, in the order in which it was known. */
  readonly seen: Tagged[];
  orders(): number;
  /** Requests that the plan has decided about. */
  strikes(): number;
  settled<T>(promise: Promise<T>): Promise<T>;
  until(holds: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const SEED = 1;
/** The same quotes at both venues, and then nobody moves. */
const STILL = { market: BTC, startTicks: START_TICKS, everyMs: 1e9 };
const KEYS = [{ key: ANNA.key, secret: ANNA.secret, account: ANNA.name }];

function recorded(inner: HttpTransport, watched: string, deadlineMs: number, seen: Tagged[]): HttpTransport {
  return {
    async exchange(request: HttpRequest) {
      const isWatched = request.url.includes(watched);
      const lane = request.lane ?? 'poll';
      const note = (outcome: Tagged['outcome']) => {
        if (isWatched) seen.push({ lane, outcome });
      };
      try {
        const response = await inner.exchange({
          ...request,
          deadlineMs: Math.min(request.deadlineMs, isWatched ? deadlineMs : LONG_MS),
        });
        const { status, headers, body } = response;
        note({
          status,
          body: body.replaceAll(/"(time|close_time|next_funding_time)":\d+/g, '"$1":0').trimEnd(),
          type: headers['content-type'] ?? '',
          location: headers['location'],
        });
        return response;
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error;
        note({
          reason: error.reason,
          sent: error.sent,
          message: plain(error.message),
        });
        throw error;
      }
    },
    close: () => inner.close(),
  };
}

function clientOn(baseUrl: string, transport: HttpTransport, clock: Clock, timers: Timers): VenueClient {
  const credentials = { apiKey: ANNA.key, apiSecret: ANNA.secret };
  const random = seededRandom(1);
  return createVenueClient({
    baseUrl,
    profile: tickwright,
    transport,
    clock,
    timers,
    random,
    log: SILENT,
    credentials,
  });
}

async function realPlace(rules: readonly FaultRule[], watched: string, deadlineMs: number): Promise<Place> {
  const core = new VenueCore({ markets: [{ market: BTC }], assets: ASSETS });
  const account = core.openAccount(ANNA.name, { USD: '100000' });
  const startTime = systemClock.wall();
  const server = await startVenueServer({
    core,
    drivers: [new LightStreet({ ...STILL, core, seed: `${SEED}/street`, startTime })],
    clock: systemClock,
    timers: systemTimers,
    accounts: KEYS,
    port: 0,
    faults: { seed: 1, rules },
  });
  const seen: Tagged[] = [];
  const transport = recorded(
    undiciTransport({ baseUrl: server.url, clock: systemClock, timers: systemTimers, environment: {} }),
    watched,
    deadlineMs,
    seen,
  );
  return {
    client: clientOn(server.url, transport, systemClock, systemTimers),
    transport,
    baseUrl: server.url,
    seen,
    orders: () => core.orders(account, 'all').length,
    strikes: () => server.faults?.log.length ?? 0,
    settled: (promise) => promise,
    async until(holds) {
      const end = systemClock.monotonic() + 5_000;
      while (!holds() && systemClock.monotonic() < end) await new Promise((resolve) => setImmediate(resolve));
    },
    async close() {
      await transport.close();
      await server.close();
    },
  };
}

function virtualPlace(rules: readonly FaultRule[], watched: string, deadlineMs: number): Place {
  const at = world({
    seed: SEED,
    indexed: false,
    markets: [STILL],
    faults: { seed: 1, rules },
  });
  const life = at.boot({ name: 'bot', disk: at.disk('machine') });
  const seen: Tagged[] = [];
  const transport = recorded(life.transport, watched, deadlineMs, seen);
  const run = async (holds: () => boolean) => {
    await at.scheduler.runUntilDone(holds, at.scheduler.now + 60_000);
  };
  return {
    client: clientOn(at.baseUrl, transport, life.clock, life.timers),
    transport,
    baseUrl: at.baseUrl,
    seen,
    orders: () => at.core.orders(at.account(ANNA.name), 'all').length,
    strikes: () => at.faults?.log.length ?? 0,
    async settled(promise) {
      let isDone = false;
      void promise.catch(() => undefined).then(() => (isDone = true));
      await run(() => isDone);
      return promise;
    },
    until: run,
    close: () => transport.close(),
  };
}

interface Told {
  readonly seen: readonly Tagged[];
  readonly client: unknown;
  readonly orders: number;
}

/** `orders`: how many there are in the end; a real venue is given the time to come to that. */
async function placing(place: Place, orders?: number): Promise<Told> {
  try {
    const outcome = await place.settled(place.client.place(BTC, BID, 's-1'));
    // Late ones too.
    if (orders === undefined) await place.until(() => false);
    else await place.until(() => place.orders() >= orders);
    const { kind } = outcome;
    const client =
      kind === 'accepted' ? { kind, id: outcome.order.id } : { kind, reason: plain(outcome.reason) };
    return { seen: place.seen, client, orders: place.orders() };
  } finally {
    await place.close();
  }
}

async function reading(place: Place): Promise<Told> {
  try {
    await place.settled(place.client.place(BTC, BID, 's-1'));
    const client = await place.settled(
      place.client.orders('all').then(
        (orders) => orders.map(({ id, status }) => `${id} ${status}`),
        (error: Error) => `${error.name}: ${error.message}`,
      ),
    );
    return { seen: place.seen, client, orders: place.orders() };
  } finally {
    await place.close();
  }
}

const late = (answer: 'none' | 'unavailable' | 'gateway-page' | 'reset' | 'own'): FaultEffect => ({
  kind: 'late-execution',
  delayMs: [40, 40],
  answer,
  msg: 'busy',
});
const page = (status: number, executed: boolean, location?: string): FaultEffect => ({
  kind: 'gateway-page',
  status,
  executed,
  location,
});

type Dish = readonly [name: string, effect: FaultEffect | undefined, deadlineMs?: number];

/** Everything that a plan can do, and whether it ends by the deadline. */
const MENU: readonly Dish[] = [
  ['nothing goes wrong', undefined],
  ['lost-request', { kind: 'lost-request' }, SHORT_MS],
  ['lost-response', { kind: 'lost-response' }, SHORT_MS],
  ['unavailable, executed', { kind: 'unavailable', executed: true, msg: 'busy' }],
  ['unavailable', { kind: 'unavailable', executed: false, msg: 'busy' }],
  [
    'unavailable with a message that is a definite refusal',
    { kind: 'unavailable', executed: true, msg: 'market not active' },
  ],
  ['gateway page', page(502, false)],
  ['gateway page, executed', page(504, true)],
  ['page of a captive portal', page(200, false)],
  ['redirect', page(302, true, 'http://127.0.0.1:1/elsewhere')],
  ['truncated, broken', { kind: 'truncated', keep: 0.5, framing: 'broken' }],
  ['truncated at the head', { kind: 'truncated', keep: 0, framing: 'broken' }],
  ['truncated nowhere', { kind: 'truncated', keep: 1, framing: 'broken' }],
  ['truncated, HTTP in order', { kind: 'truncated', keep: 0.5, framing: 'whole' }],
  ['emptied, HTTP in order', { kind: 'truncated', keep: 0, framing: 'whole' }],
  ['trickle in time', { kind: 'trickle', bytes: 300, everyMs: 2 }],
  ['trickle without end', { kind: 'trickle', bytes: 1, everyMs: 5 }, SHORT_MS],
  ['huge answer', { kind: 'huge-answer', bytes: 9_000_000 }],
  ['large answer', { kind: 'huge-answer', bytes: 100_000 }],
  ['reset', { kind: 'reset', executed: false }],
  ['reset, executed', { kind: 'reset', executed: true }],
  ['late execution, no answer', late('none'), SHORT_MS],
  ['late execution, unavailable', late('unavailable')],
  ['late execution, gateway page', late('gateway-page')],
  ['late execution, reset', late('reset')],
  ['late execution, own answer', late('own')],
  ['throttle', { kind: 'throttle', waitMs: 120 }],
  ['outage, no answer', { kind: 'outage', answer: 'none', msg: '' }, SHORT_MS],
  ['outage, unavailable', { kind: 'outage', answer: 'unavailable', msg: 'down' }],
  ['outage, gateway page', { kind: 'outage', answer: 'gateway-page', msg: '' }],
  ['outage, reset', { kind: 'outage', answer: 'reset', msg: '' }],
  ['freeze that drops', { kind: 'freeze', thaw: 'drop' }, SHORT_MS],
  [
    'duplicate execution, first answer',
    { kind: 'duplicate-execution', copies: 2, gapMs: [15, 15], answer: 'first' },
  ],
  [
    'duplicate execution, last answer',
    { kind: 'duplicate-execution', copies: 1, gapMs: [15, 15], answer: 'last' },
  ],
  ['delay', { kind: 'delay', delayMs: [30, 30] }],
  ['delay beyond the deadline', { kind: 'delay', delayMs: [5_000, 5_000] }, SHORT_MS],
  ['clock skew', { kind: 'clock-skew', offsetMs: -90_000 }],
  ['stale read', { kind: 'stale-read', ageMs: [60_000, 60_000] }],
  ['late visibility', { kind: 'late-visibility', delayMs: [60_000, 60_000] }],
  ['reordered rows', { kind: 'reordered-rows', order: 'reverse' }],
  ['duplicated rows', { kind: 'duplicated-rows', share: 1 }],
  ['unknown status', { kind: 'unknown-status', status: 'PENDING', share: 1 }],
  ['altered field', { kind: 'altered-field', field: 'qty_orig', value: 7, share: 1 }],
  ['lost id', { kind: 'altered-field', field: 'id', value: null, share: 1 }],
];

const covered = new Set<string>();

describe.concurrent.each(MENU.map((dish) => [dish[0], dish] as const))('%s', (_name, [
  ,
  effect,
  deadlineMs = LONG_MS,
]) => {
  const rulesAt = (path: string): readonly FaultRule[] =>
    effect === undefined ? [] : [{ name: 'it', place: { paths: [path] }, when: { index: [1] }, effect }];
  covered.add(effect?.kind ?? '');

  test('on the way of an order', async () => {
    const rules = rulesAt('/auth/order');
    const simulated = await placing(virtualPlace(rules, '/auth/order', deadlineMs));
    const real = await placing(await realPlace(rules, '/auth/order', deadlineMs), simulated.orders);
    expect(simulated).toEqual(real);
    expect(real.seen.map(({ lane }) => lane)).toEqual(['order']);
  });

  test('on the way of a read', async () => {
    const rules = rulesAt('/orders');
    const simulated = await reading(virtualPlace(rules, '/orders', deadlineMs));
    const real = await reading(await realPlace(rules, '/orders', deadlineMs));
    expect(simulated).toEqual(real);
    expect(real.seen[0]?.lane).toBe('poll');
  });
});

test('a freeze that ends answers then what waited', async () => {
  const rules: readonly FaultRule[] = [
    {
      name: 'freeze',
      place: { paths: ['/auth/order'] },
      when: { window: { fromMs: 0, untilMs: 400 } },
      effect: { kind: 'freeze', thaw: 'execute' },
    },
  ];
  const simulated = await placing(virtualPlace(rules, '/auth/order', LONG_MS));
  const real = await placing(await realPlace(rules, '/auth/order', LONG_MS), simulated.orders);
  expect(simulated).toEqual(real);
  expect(real.orders).toBe(1);
  covered.add('freeze');
});

describe('beside the plan', () => {
  type Act = (place: Place) => void | Promise<void>;
  const HOLDING: readonly FaultRule[] = [
    { name: 'hold', place: { paths: ['/orders'] }, when: {}, effect: { kind: 'lost-request' } },
  ];

  async function tagged(place: Place, request: Partial<HttpRequest>, act: Act = () => undefined) {
    try {
      const full = {
        method: 'GET',
        url: `${place.baseUrl}/orders`,
        headers: {},
        deadlineMs: LONG_MS,
        ...request,
      } as const;
      const exchange = place.transport.exchange(full).catch(() => undefined);
      await act(place);
      await place.settled(exchange);
      return place.seen;
    } finally {
      await place.close();
    }
  }
  const both = async (request: Partial<HttpRequest>, act?: Act) => {
    const simulated = await tagged(virtualPlace(HOLDING, '/orders', LONG_MS), request, act);
    const real = await tagged(await realPlace(HOLDING, '/orders', LONG_MS), request, act);
    expect(simulated).toEqual(real);
    return real[0]?.outcome;
  };

  test.each(['poll', 'order'] as const)('a request to another host never leaves: %s', async (lane) => {
    expect(await both({ url: 'http://127.0.0.1:9/orders', lane })).toMatchObject({
      reason: 'other',
      sent: false,
    });
  });

  test.each(['poll', 'order'] as const)('a request that was given up before: %s', async (lane) => {
    const signal = AbortSignal.abort();
    expect(await both({ lane, signal })).toMatchObject({ reason: 'aborted', sent: false });
  });

  test.each(['poll', 'order'] as const)('a request that is given up on its way: %s', async (lane) => {
    const given = async (place: Place) => {
      const controller = new AbortController();
      return tagged(place, { lane, signal: controller.signal }, async () => {
        await place.until(() => place.strikes() > 0);
        controller.abort();
      });
    };
    const simulated = await given(virtualPlace(HOLDING, '/orders', LONG_MS));
    const real = await given(await realPlace(HOLDING, '/orders', LONG_MS));
    expect(simulated).toEqual(real);
    expect(real[0]?.outcome).toMatchObject({ reason: 'aborted', sent: true });
  });

  test.each([
    ['poll', 'other'],
    ['order', 'reset'],
  ] as const)('the transport is closed under a request: %s', async (lane, reason) => {
    const outcome = await both({ lane }, async (place) => {
      await place.until(() => place.strikes() > 0);
      await place.transport.close();
    });
    expect(outcome).toMatchObject({ reason, sent: true });
  });

  test('a third read waits for one of two connections, and has not left when its deadline comes', async () => {
    const three = async (place: Place) => {
      const [, , third] = [LONG_MS, LONG_MS, SHORT_MS].map((deadlineMs) =>
        place.transport
          .exchange({ method: 'GET', url: `${place.baseUrl}/orders`, headers: {}, deadlineMs })
          .catch(() => undefined),
      );
      if (third !== undefined) await place.settled(third);
      const seen = [...place.seen];
      await place.close();
      return seen;
    };
    const simulated = await three(virtualPlace(HOLDING, '/orders', LONG_MS));
    const real = await three(await realPlace(HOLDING, '/orders', LONG_MS));
    expect(simulated).toEqual(real);
    expect(real).toMatchObject([{ outcome: { reason: 'timeout', sent: false } }]);
  });

  test.each(['poll', 'order'] as const)('the transport is closed before: %s', async (lane) => {
    const closed = async (place: Place) => {
      await place.transport.close();
      return tagged(place, { lane });
    };
    const [simulated, real] = [
      await closed(virtualPlace([], '/orders', LONG_MS)),
      await closed(await realPlace([], '/orders', LONG_MS)),
    ];
    expect(simulated).toEqual(real);
    expect(real[0]?.outcome).toMatchObject({ reason: 'refused', sent: false });
  });

  test.each(['poll', 'order'] as const)('nobody listens: %s', async (lane) => {
    const port = await freePort();
    const transport = undiciTransport({
      baseUrl: `http://127.0.0.1:${port}`,
      clock: systemClock,
      timers: systemTimers,
      environment: {},
    });
    const request = {
      method: 'GET',
      url: `http://127.0.0.1:${port}/time`,
      headers: {},
      deadlineMs: LONG_MS,
      lane,
    } as const;
    const real = await transport.exchange(request).catch((error: unknown) => error);
    await transport.close();
    const rule = { name: 'r', place: {}, when: {}, kind: 'refused' } as const;
    const at = world({ network: { connect: [rule] } });
    const life = at.boot({ name: 'bot', disk: at.disk('d') });
    let simulated: unknown;
    void life.transport
      .exchange({ ...request, url: `${at.baseUrl}/time` })
      .catch((error: unknown) => (simulated = error));
    await at.scheduler.runUntilDone(() => simulated !== undefined, 60_000);
    const tag = ({ reason, sent, message }: HttpFailure) => ({ reason, sent, message: plain(message) });
    expect(tag(simulated as HttpFailure)).toEqual(tag(real as HttpFailure));
    expect(tag(real as HttpFailure)).toMatchObject({ reason: 'refused', sent: false });
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const EVERY_KIND: Readonly<Record<FaultEffect['kind'], true>> = {
  'lost-request': true,
  'lost-response': true,
  unavailable: true,
  'gateway-page': true,
  truncated: true,
  trickle: true,
  'huge-answer': true,
  reset: true,
  'late-execution': true,
  throttle: true,
  outage: true,
  freeze: true,
  'stale-read': true,
  'late-visibility': true,
  'reordered-rows': true,
  'duplicated-rows': true,
  'unknown-status': true,
  'altered-field': true,
  'duplicate-execution': true,
  delay: true,
  'clock-skew': true,
};

afterAll(() => {
  expect(Object.keys(EVERY_KIND).filter((kind) => !covered.has(kind))).toEqual([]);
});
