/** Each fault of the way on real sockets: what the client can see of it, and what really happened at the venue. */
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { FaultEffect, FaultRule } from '../../../src/model/fault-rule.js';
import type { FaultDecision } from '../../../src/venue/faults/fault-plan.js';
import { fateOf } from '../../../src/venue/faults/fate.js';
import type { VenueServerOptions } from '../../../src/venue/http/server.js';
import { ANNA, BERT, PAIR, sign } from './desk.js';
import { AT_ORDERS, BUY, DEADLINE_MS, FaultyServer, rule, until } from './faulty-server.js';

const running: FaultyServer[] = [];

afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

async function start(
  rules: readonly FaultRule[],
  options?: Partial<VenueServerOptions>,
): Promise<FaultyServer> {
  const started = await FaultyServer.start(rules, options);
  running.push(started);
  return started;
}

const atOrders = (effect: FaultEffect) => start([rule(effect, AT_ORDERS)]);
const TIMEOUT = { kind: 'failure', reason: 'timeout', sent: true };
const RESET = { kind: 'failure', reason: 'reset', sent: true };

const late = (
  delayMs: number,
  answer: 'none' | 'unavailable' | 'gateway-page' | 'reset' | 'own',
): FaultEffect => ({
  kind: 'late-execution',
  delayMs: [delayMs, delayMs],
  answer,
  msg: 'busy',
});

test('without a strike the answers are those of a venue without a plan, byte for byte', async () => {
  const faulty = await start([rule({ kind: 'lost-request' }, { place: { paths: ['/elsewhere'] } })]);
  const plain = await FaultyServer.start([], { faults: undefined });
  running.push(plain);
  for (const path of ['/time', '/pairs', `/trades?pair=${PAIR}`, '/nothing', '/orders', '/position']) {
    const [one, other] = [await faulty.send('GET', path, ANNA), await plain.send('GET', path, ANNA)];
    expect(one).toEqual(other);
  }
  expect(await faulty.post()).toEqual(await plain.post());
  expect(plain.server.faults).toBeUndefined();
});

describe('an order request', () => {
  test('that is lost runs into the deadline and never existed', async () => {
    const faulty = await atOrders({ kind: 'lost-request' });
    expect(await faulty.postInVain()).toEqual(TIMEOUT);
    expect(await faulty.orders()).toBe(0);
  });

  test('whose answer is lost runs into the deadline and is executed', async () => {
    const faulty = await atOrders({ kind: 'lost-response' });
    expect(await faulty.postInVain()).toEqual(TIMEOUT);
    expect(await faulty.orders()).toBe(1);
  });

  test('gets the same bytes of a 503 whether it was executed or not', async () => {
    const [before, after] = [
      await atOrders({ kind: 'unavailable', executed: false, msg: 'busy' }),
      await atOrders({ kind: 'unavailable', executed: true, msg: 'busy' }),
    ];
    const seen = await before.post();
    expect(seen).toMatchObject({ status: 503, body: '{"code":503,"msg":"busy","result":{}}' });
    expect(await after.post()).toEqual(seen);
    expect([await before.orders(), await after.orders()]).toEqual([0, 1]);
  });

  test.each([true, false])('gets a page of HTML from a gateway; executed: %s', async (executed) => {
    const faulty = await atOrders({ kind: 'gateway-page', executed, status: 502, location: undefined });
    expect(await faulty.post()).toMatchObject({
      kind: 'answer',
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: expect.stringMatching(/^<html>[^]*<h1>502 Bad Gateway<\/h1>/),
    });
    expect(await faulty.orders()).toBe(executed ? 1 : 0);
  });

  test('that is redirected is not sent again by the client', async () => {
    const redirect: FaultEffect = {
      kind: 'gateway-page',
      executed: false,
      status: 307,
      location: '/auth/order',
    };
    const faulty = await start([rule(redirect, { ...AT_ORDERS, when: { limit: 1 } })]);
    expect(await faulty.post()).toMatchObject({ status: 307, headers: { location: '/auth/order' } });
    expect(await faulty.orders()).toBe(0);
  });

  test.each([true, false])('is torn down with its connection; executed: %s', async (executed) => {
    const faulty = await atOrders({ kind: 'reset', executed });
    expect(await faulty.post()).toEqual(RESET);
    expect(await faulty.orders()).toBe(executed ? 1 : 0);
  });

  test('is throttled with the wait in the message, and does not exist', async () => {
    const faulty = await atOrders({ kind: 'throttle', waitMs: 1_500 });
    expect(await faulty.post()).toMatchObject({
      status: 429,
      body: '{"code":429,"msg":"Too many requests, try again in 1.500 seconds?","result":null}',
    });
    expect(await faulty.orders()).toBe(0);
  });
});

test('a reset is a reset on the wire, no orderly end', async () => {
  const faulty = await start([rule({ kind: 'reset', executed: false })]);
  const code = await new Promise((resolve) => {
    const socket = connect(faulty.server.port, '127.0.0.1', () => {
      socket.write('GET /time HTTP/1.1\r\nHost: x\r\n\r\n');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code);
    });
    socket.on('end', () => {
      resolve('an orderly end');
    });
  });
  expect(code).toBe('ECONNRESET');
});

describe('an answer', () => {
  const truth = async () => {
    const plain = await start([]);
    const seen = await plain.post();
    return seen.kind === 'answer' ? seen.body : '';
  };

  test('that breaks off is a failure of the connection, and the order exists', async () => {
    const faulty = await atOrders({ kind: 'truncated', keep: 0.5, framing: 'broken' });
    expect(await faulty.post()).toEqual(RESET);
    expect(await faulty.orders()).toBe(1);
  });

  test('that breaks off announces its whole length and sends the part of it', async () => {
    const faulty = await start([rule({ kind: 'truncated', keep: 0.5, framing: 'broken' })]);
    const [head = '', body] = (await rawGet(faulty, '/pairs')).split('\r\n\r\n');
    const announced = Number(/content-length: (\d+)/.exec(head)?.[1]);
    expect(announced).toBeGreaterThan(500);
    expect(body).toHaveLength(Math.floor(announced / 2));
  });

  test('of which nothing comes but the head has that at least', async () => {
    const faulty = await start([rule({ kind: 'truncated', keep: 0, framing: 'broken' })]);
    const [head, body] = (await rawGet(faulty, '/pairs')).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(body).toBe('');
  });

  test('may be cut while HTTP is in order', async () => {
    const faulty = await atOrders({ kind: 'truncated', keep: 0.5, framing: 'whole' });
    const whole = await truth();
    expect(await faulty.post()).toMatchObject({
      status: 200,
      body: whole.slice(0, Math.floor(whole.length / 2)),
    });
    expect(await faulty.orders()).toBe(1);
  });

  test('may come in drips, and is whole in the end', async () => {
    const faulty = await atOrders({ kind: 'trickle', bytes: 100, everyMs: 50 });
    const whole = await truth();
    const pieces: string[] = [];
    let ended = false;
    const sent = httpRequest(
      { host: '127.0.0.1', port: faulty.server.port, method: 'POST', path: '/auth/order', headers: signed },
      (response) => {
        response.on('data', (chunk: Buffer) => pieces.push(chunk.toString()));
        response.on('end', () => {
          ended = true;
        });
      },
    );
    sent.end(BUY);
    await until(() => faulty.decisions === 1);
    const drips = Math.ceil(whole.length / 100);
    for (let drip = 1; drip <= drips; drip++) {
      expect(pieces).toHaveLength(drip - 1);
      faulty.time.advance(50);
      await until(() => pieces.length === drip);
    }
    await until(() => ended);
    expect(pieces.join('')).toBe(whole);
    expect(drips).toBeGreaterThan(3);
  });

  test('in drips ends at the deadline of a client that has one, and the server goes on', async () => {
    const faulty = await atOrders({ kind: 'trickle', bytes: 1, everyMs: 50 });
    expect(await faulty.postInVain()).toEqual(TIMEOUT);
    // The drips end, and only the market's own timer is left.
    let drips = 0;
    await until(() => {
      faulty.time.advance(50);
      drips += 1;
      return faulty.time.waiting === 1;
    });
    expect(drips).toBeLessThan((await truth()).length / 2);
    expect(await faulty.orders()).toBe(1);
  });

  test('may come in drips without a pause, however long it is', async () => {
    const trickle = rule({ kind: 'trickle', bytes: 1, everyMs: 0 }, { place: { paths: ['/trades'] } });
    const [faulty, plain] = [await start([trickle]), await start([], { faults: undefined })];
    for (const each of [faulty, plain]) {
      for (let i = 0; i < 100; i++) {
        await each.post(`pair=${PAIR}&side=SELL&qty=0.001&price=60000`, BERT);
        await each.post(`pair=${PAIR}&side=BUY&qty=0.001&price=60000`);
      }
    }
    const path = `/trades?pair=${PAIR}`;
    let seen: unknown;
    void faulty.send('GET', path).then((answer) => {
      seen = answer;
    });
    await until(() => {
      faulty.time.advance(0);
      return seen !== undefined;
    });
    const whole = await plain.send('GET', path);
    expect(seen).toEqual(whole);
    expect(JSON.stringify(whole).length).toBeGreaterThan(10_000);
  });

  test('may be more than a client takes', async () => {
    const faulty = await start([rule({ kind: 'huge-answer', bytes: 9 * 1024 * 1024 }, AT_ORDERS)]);
    expect(await faulty.post()).toEqual({ kind: 'failure', reason: 'too-large', sent: true });
    expect(await faulty.orders()).toBe(1);
  });

  test('may be padded and still be JSON', async () => {
    const faulty = await atOrders({ kind: 'huge-answer', bytes: 1_000 });
    const whole = await truth();
    expect(await faulty.post()).toMatchObject({ status: 200, body: whole + ' '.repeat(1_000) });
  });

  test('may leave later than it was made', async () => {
    const faulty = await atOrders({ kind: 'delay', delayMs: [700, 700] });
    const seen = faulty.post();
    await until(() => faulty.decisions === 1);
    expect(await faulty.orders()).toBe(1);
    let isSettled = false;
    void seen.then(() => {
      isSettled = true;
    });
    faulty.time.advance(699);
    await faulty.read('/time');
    expect(isSettled).toBe(false);
    faulty.time.advance(1);
    expect(await seen).toMatchObject({ status: 200 });
  });
});

test('a delay holds up what comes from a gateway as well', async () => {
  const faulty = await start([
    rule({ kind: 'delay', delayMs: [700, 700] }),
    rule({ kind: 'unavailable', executed: false, msg: 'busy' }),
  ]);
  const seen = faulty.post();
  await until(() => faulty.decisions === 2);
  // The market's own timer, and the answer that waits.
  expect(faulty.time.waiting).toBe(2);
  faulty.time.advance(700);
  expect(await seen).toMatchObject({ status: 503 });
  expect(faulty.time.waiting).toBe(1);
});

describe('late execution', () => {
  test.each([
    ['nothing', 'none', TIMEOUT],
    ['a 503', 'unavailable', { status: 503, body: '{"code":503,"msg":"busy","result":{}}' }],
    ['a page', 'gateway-page', { status: 504 }],
    ['a reset', 'reset', RESET],
  ] as const)('happens after the client got %s', async (_name, answer, seen) => {
    const faulty = await atOrders(late(3_000, answer));
    expect(await (answer === 'none' ? faulty.postInVain() : faulty.post())).toMatchObject(seen);
    expect(await faulty.orders()).toBe(0);
    faulty.time.advance(2_999);
    expect(await faulty.orders()).toBe(0);
    faulty.time.advance(1);
    expect(await faulty.orders()).toBe(1);
    const [order] = await faulty.read<readonly { readonly time: number }[]>('/orders');
    expect(order?.time).toBe(faulty.time.wall());
  });

  test('answers a client that waits for it', async () => {
    const faulty = await atOrders(late(3_000, 'own'));
    const seen = faulty.post();
    await until(() => faulty.decisions === 1);
    faulty.time.advance(3_000);
    expect(await seen).toMatchObject({ status: 200, body: expect.stringContaining('"status":"ACTIVE"') });
  });

  test('is refused by the venue when the request is older than its recv_window by then', async () => {
    const faulty = await atOrders(late(3_000, 'own'));
    const stamped = (window: number) => `${BUY}&timestamp=${faulty.time.wall()}&recv_window=${window}`;
    const [strict, generous] = [faulty.post(stamped(2_000)), faulty.post(stamped(4_000))];
    await until(() => faulty.decisions === 2);
    faulty.time.advance(3_000);
    expect(await strict).toMatchObject({ status: 408 });
    expect(await generous).toMatchObject({ status: 200 });
    expect(await faulty.orders()).toBe(1);
  });

  test('takes so long by the venue’s clock, not by the machine’s', async () => {
    const faulty = await start([rule(late(3_000, 'none'), AT_ORDERS)], { speed: 10 });
    await faulty.postInVain();
    faulty.time.advance(299);
    expect(await faulty.orders()).toBe(0);
    faulty.time.advance(1);
    expect(await faulty.orders()).toBe(1);
  });

  test('does not happen any more when the server is closed', async () => {
    const faulty = await atOrders(late(3_000, 'none'));
    await faulty.postInVain();
    await faulty.server.close();
    expect(faulty.time.waiting).toBe(0);
  });
});

describe('duplicate execution', () => {
  const twice = (gapMs: number, answer: 'first' | 'last'): FaultEffect => ({
    kind: 'duplicate-execution',
    copies: 1,
    gapMs: [gapMs, gapMs],
    answer,
  });
  interface Order {
    readonly id: string;
    readonly time: number;
  }
  const answered = (seen: Awaited<ReturnType<FaultyServer['post']>>) =>
    seen.kind === 'answer'
      ? (JSON.parse(seen.body) as { result: { order: Order } }).result.order.id
      : 'no answer';

  test('makes two orders of one request, of which the client learns one', async () => {
    const faulty = await atOrders(twice(0, 'first'));
    const id = answered(await faulty.post());
    const [newest, oldest, ...more] = await faulty.read<readonly Order[]>('/orders');
    expect(more).toEqual([]);
    expect(oldest?.id).toBe(id);
    expect(newest?.id).not.toBe(id);
  });

  test('may come later, and may be the one that the client learns', async () => {
    const faulty = await atOrders(twice(2_000, 'last'));
    const arrived = faulty.time.wall();
    const seen = faulty.post();
    await until(() => faulty.decisions === 1);
    expect(await faulty.orders()).toBe(1);
    faulty.time.advance(2_000);
    const id = answered(await seen);
    const orders = await faulty.read<readonly Order[]>('/orders');
    expect(orders.map(({ time }) => time - arrived)).toEqual([2_000, 0]);
    expect(orders[0]?.id).toBe(id);
  });

  test('of a cancel is refused the second time', async () => {
    const faulty = await start([rule(twice(0, 'last'), { place: { paths: ['/auth/cancel'] } })]);
    const id = answered(await faulty.post());
    expect(await faulty.post(`id=${id}`, ANNA, '/auth/cancel')).toMatchObject({
      status: 503,
      body: expect.stringContaining('order already done'),
    });
  });
});

describe('an outage', () => {
  test.each([
    ['gateway-page', { status: 502 }],
    ['unavailable', { status: 503 }],
    ['reset', RESET],
  ] as const)('answers nothing but %s while it lasts', async (answer, seen) => {
    const window = { fromMs: 5_000, untilMs: 8_000 };
    const faulty = await start([rule({ kind: 'outage', answer, msg: 'closed' }, { when: { window } })]);
    faulty.time.advance(4_999);
    expect(await faulty.post()).toMatchObject({ status: 200 });
    faulty.time.advance(1);
    expect(await faulty.post()).toMatchObject(seen);
    expect(await faulty.send('GET', '/time')).toMatchObject(seen);
    faulty.time.advance(2_999);
    expect(await faulty.post()).toMatchObject(seen);
    faulty.time.advance(1);
    expect(await faulty.orders()).toBe(1);
  });
});

describe('a freeze', () => {
  const frozen = (thaw: 'execute' | 'drop') => {
    const window = { fromMs: 1_000, untilMs: 6_000 };
    return start([
      rule({ kind: 'freeze', thaw }, { place: { paths: ['/auth/*', '/time'] }, when: { window } }),
    ]);
  };

  test('accepts connections, answers nobody, and does it all when it is over, in order', async () => {
    const faulty = await frozen('execute');
    faulty.time.advance(1_000);
    const read = faulty.send('GET', '/time');
    await until(() => faulty.decisions === 1);
    expect(await faulty.postInVain(BUY.replace('50000', '50001'))).toEqual(TIMEOUT);
    expect(await read).toEqual(TIMEOUT);
    faulty.time.advance(1_000);
    const patient = faulty.post(BUY.replace('50000', '50002'));
    await until(() => faulty.decisions === 3);
    faulty.time.advance(3_999);
    expect(await faulty.orders()).toBe(0);
    faulty.time.advance(1);
    expect(await patient).toMatchObject({ status: 200 });
    const orders = await faulty.read<readonly { readonly price: number }[]>('/orders');
    expect(orders.map(({ price }) => price)).toEqual([50_002, 50_001]);
    expect(await faulty.read('/time')).toBe(faulty.time.wall());
  });

  test('may forget what waited', async () => {
    const faulty = await frozen('drop');
    faulty.time.advance(1_000);
    expect(await faulty.postInVain()).toEqual(TIMEOUT);
    faulty.time.advance(5_000);
    expect(await faulty.orders()).toBe(0);
  });
});

test('a clock that is off shows in /time and in each Date, and nowhere else', async () => {
  const faulty = await start([
    rule({ kind: 'clock-skew', offsetMs: -90_500 }),
    rule({ kind: 'unavailable', executed: false, msg: 'busy' }, { place: { paths: ['/ticker'] } }),
  ]);
  faulty.time.advance(250);
  const now = faulty.time.wall();
  const shown = new Date(now - 90_500).toUTCString();
  expect(await faulty.send('GET', '/time')).toMatchObject({
    status: 200,
    headers: { date: shown },
    body: `{"code":200,"msg":"OK","result":${now - 90_500}}`,
  });
  expect(await faulty.send('GET', '/ticker')).toMatchObject({ status: 503, headers: { date: shown } });
  const placed = await faulty.post(`${BUY}&timestamp=${now}&recv_window=100`);
  expect(placed).toMatchObject({
    status: 200,
    headers: { date: shown },
    body: expect.stringContaining(`"time":${now}`),
  });
});

test('the same seed does the same to the same requests, on sockets too', async () => {
  const rules = [
    rule({ kind: 'unavailable', executed: true, msg: 'busy' }, { when: { probability: 0.3 } }),
    rule(
      { kind: 'gateway-page', executed: false, status: 502, location: undefined },
      { when: { probability: 0.3 } },
    ),
    rule(
      { kind: 'reordered-rows', order: 'shuffle' },
      { when: { probability: 0.5 }, place: { calls: 'read' } },
    ),
  ];
  const run = async (seed: number) => {
    const faulty = await start([], { faults: { seed, rules } });
    const seen: unknown[] = [];
    for (let n = 0; n < 40; n++) {
      faulty.time.advance(100);
      seen.push(n % 2 === 0 ? await faulty.post() : await faulty.send('GET', '/orders', ANNA));
    }
    return { seen, log: faulty.server.faults?.log };
  };
  const first = await run(3);
  expect(await run(3)).toEqual(first);
  expect((await run(4)).log).not.toEqual(first.log);
  expect(first.log?.length).toBeGreaterThan(15);
});

test('under every fault at once the venue has exactly the orders that the log says, and goes on', async () => {
  const often = { when: { probability: 0.1 } };
  const rules = [
    rule({ kind: 'lost-request' }, often),
    rule({ kind: 'lost-response' }, often),
    rule({ kind: 'unavailable', executed: true, msg: 'busy' }, often),
    rule({ kind: 'unavailable', executed: false, msg: 'busy' }, { ...often, name: 'unavailable before' }),
    rule({ kind: 'gateway-page', executed: true, status: 502, location: undefined }, often),
    rule({ kind: 'truncated', keep: 0.3, framing: 'broken' }, often),
    rule({ kind: 'trickle', bytes: 5_000, everyMs: 20 }, often),
    rule({ kind: 'reset', executed: true }, often),
    rule({ kind: 'reset', executed: false }, { ...often, name: 'reset before' }),
    rule({ kind: 'throttle', waitMs: 100 }, often),
    rule(late(700, 'unavailable'), often),
    rule({ kind: 'duplicate-execution', copies: 1, gapMs: [0, 500], answer: 'last' }, often),
    rule({ kind: 'delay', delayMs: [0, 300] }, often),
    rule({ kind: 'stale-read', ageMs: [0, 2_000] }, { when: { probability: 0.5 } }),
    rule({ kind: 'late-visibility', delayMs: [0, 2_000] }, { when: { probability: 0.5 } }),
    rule({ kind: 'reordered-rows', order: 'shuffle' }, often),
    rule({ kind: 'duplicated-rows', share: 0.1 }, often),
    rule({ kind: 'unknown-status', status: 'ODD', share: 0.5 }, often),
    rule({ kind: 'clock-skew', offsetMs: 900 }, often),
    rule({ kind: 'freeze', thaw: 'execute' }, { when: { window: { fromMs: 9_000, untilMs: 10_500 } } }),
    rule(
      { kind: 'outage', answer: 'reset', msg: '' },
      { when: { window: { fromMs: 20_000, untilMs: 25_000 } } },
    ),
  ].map((each) => ({ ...each, when: { ...each.when, requests: [1, 160] } as const }));
  const faulty = await start(rules);
  const bodies = 'pair=USD_BTC_PERP&side=BUY&qty=0.001&price=';
  let posted = 0;
  for (let n = 1; n <= 160; n++) {
    const isPost = n % 2 === 0;
    if (isPost) posted += 1;
    const seen = isPost ? faulty.post(`${bodies}${10_000 + n}`) : faulty.send('GET', '/orders', ANNA);
    await until(() => faulty.server.faults?.report().requests === n);
    const struck = faulty.server.faults?.log.filter(({ request, applied }) => applied && request === n) ?? [];
    faulty.time.advance(2_000);
    if (fateOf(struck)?.reply.kind === 'nothing') faulty.clientTime.advance(DEADLINE_MS);
    await seen;
  }
  faulty.time.advance(60_000);
  const log = faulty.server.faults?.log.filter(({ applied, method }) => applied && method === 'POST') ?? [];
  let expected = posted;
  for (const decisions of groups(log).values()) expected += (fateOf(decisions)?.executions.length ?? 1) - 1;
  const orders = await faulty.read<readonly unknown[]>('/orders?limit=1000');
  expect(orders).toHaveLength(expected);
  expect(new Set(faulty.server.faults?.log.map(({ kind }) => kind))).toEqual(
    new Set(rules.map(({ effect }) => effect.kind)),
  );
  // Only the market's own timer is left.
  expect(faulty.time.waiting).toBe(1);
});

test('the plan says what it did, also at the admin door', async () => {
  const faulty = await start(
    [rule({ kind: 'unavailable', executed: true, msg: 'busy' }, { ...AT_ORDERS, when: { index: [2] } })],
    { adminPort: 0 },
  );
  await faulty.post();
  await faulty.post();
  await faulty.orders();
  const report = faulty.server.faults?.report();
  expect(report).toMatchObject({
    requests: 3,
    rules: [{ name: 'unavailable', kind: 'unavailable', matched: 2, struck: 1, overruled: 0 }],
    decisions: [
      { request: 2, path: '/auth/order', account: 'anna', rule: 'unavailable', match: 2, applied: true },
    ],
  });
  const response = await fetch(`${faulty.server.adminUrl}/faults`);
  expect(await response.json()).toEqual({ code: 200, msg: 'OK', result: report });
});

const signed = {
  'content-type': 'application/x-www-form-urlencoded',
  'x-api-key': ANNA.key,
  'x-signature': sign(ANNA.secret, BUY),
};

function groups(log: readonly FaultDecision[]): ReadonlyMap<number, readonly FaultDecision[]> {
  const byRequest = new Map<number, FaultDecision[]>();
  for (const decision of log) {
    byRequest.set(decision.request, [...(byRequest.get(decision.request) ?? []), decision]);
  }
  return byRequest;
}

/** All the bytes of an answer, until the connection ends. */
function rawGet(faulty: FaultyServer, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(faulty.server.port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('close', () => {
      resolve(text);
    });
    socket.on('error', reject);
  });
}
