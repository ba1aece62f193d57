import { beforeEach, describe, expect, it } from 'vitest';
import { Heartbeat } from '../../../src/daemon/control/heartbeat.js';
import type { ToEngine } from '../../../src/daemon/control/messages.js';
import { metricsText } from '../../../src/daemon/control/metrics.js';
import { Paced } from '../../../src/daemon/control/paced.js';
import { notReady } from '../../../src/daemon/control/readiness.js';
import { RemoteDaemon } from '../../../src/daemon/control/remote-daemon.js';
import type { PairStatus } from '../../../src/daemon/daemon-api.js';
import { ask, bearer, openSurface, READ, STATUS } from './fixture.js';

let now: number;
let heartbeat: Heartbeat;
let posted: ToEngine[];
let due: { readonly at: number; readonly task: () => void }[];
let remote: RemoteDaemon;

beforeEach(() => {
  now = 0;
  posted = [];
  due = [];
  heartbeat = new Heartbeat(() => now);
  remote = new RemoteDaemon({
    post: (message) => posted.push(message),
    heartbeat,
    after(ms, task) {
      const timer = { at: now + ms, task };
      due.push(timer);
      return () => void (due = due.filter((each) => each !== timer));
    },
    now: () => now,
  });
});
const pass = (ms: number) => {
  now += ms;
  const ripe = due.filter(({ at }) => at <= now);
  due = due.filter(({ at }) => at > now);
  for (const { task } of ripe) task();
};

describe('an engine that does not answer', () => {
  it('is waited for while its heart beats, as on a loaded machine', async () => {
    remote.take({ kind: 'status', status: { ...STATUS, state: 'paused' } });
    const status = remote.status();
    for (let times = 0; times < 6; times++) {
      pass(100);
      heartbeat.beat();
    }
    remote.take({ kind: 'result', id: 1, value: STATUS });
    expect(await status).toEqual(STATUS);
    expect(due).toEqual([]);
  });

  it('is waited for no longer once a few beats are missing, and what it said last is marked as such', async () => {
    remote.take({ kind: 'status', status: STATUS });
    const status = remote.status();
    for (let times = 0; times < 5; times++) pass(100);
    const { state, problems } = (await status) ?? STATUS;
    expect(state).toBe('running');
    expect(problems[0]).toMatch(
      /does not answer; its heart beat 500 ms ago: what follows is what it said last/,
    );
  });

  it('is waited for at most 700 ms, however its heart beats', async () => {
    remote.take({ kind: 'status', status: STATUS });
    const status = remote.status();
    for (let times = 0; times < 7; times++) {
      heartbeat.beat();
      pass(100);
    }
    expect((await status)?.problems[0]).toMatch(/does not answer/);
    expect(due).toEqual([]);
  });

  it('is told to do later what lowers risk, and says so', async () => {
    const asked = [
      remote.call('pause', { by: 'a', reason: 'b' }),
      remote.call('resume', { by: 'a', reason: 'b', mark: 'm' }),
    ];
    for (const each of asked) each.catch(() => undefined);
    pass(4_000);
    await expect(asked[0]).rejects.toThrow(/ms ago; what was asked is done as soon as it goes on$/);
    await expect(asked[1]).rejects.toThrow(/ms ago$/);
  });

  it('is not said to be silent over a replacement that takes long, which goes on', async () => {
    const request = { by: 'a', reason: 'b', uncertified: false };
    const set = remote.call('set', 'USD_BTC_PERP', { quantity: '0.02' }, request);
    set.catch(() => undefined);
    now += 89_995;
    heartbeat.beat();
    pass(5);
    await expect(set).rejects.toThrow('what was asked is under way and not done after 90 s; it goes on');
    const swap = remote.call('swap', 'USD_BTC_PERP', { file: 'a.ts', sha256: 'b' }, request);
    swap.catch(() => undefined);
    pass(90_000);
    await expect(swap).rejects.toThrow(/^the engine does not answer; its heart beat 90005 ms ago$/);
  });

  it('hangs after two seconds without a beat, and is then not waited for at all', async () => {
    remote.take({ kind: 'status', status: STATUS });
    now = 2_001;
    expect((await remote.status())?.state).toBe('hung');
    expect(posted).toEqual([]);
    heartbeat.beat();
    const status = remote.status();
    remote.take({ kind: 'result', id: 1, value: STATUS });
    expect(await status).toEqual(STATUS);
  });

  it('is told of to whoever listens, each second, and only while it is so', () => {
    const heard: string[] = [];
    remote.listen((message) => heard.push('state' in message ? String(message.state) : message.kind));
    remote.take({ kind: 'status', status: STATUS });
    remote.tellSilence();
    now = 2_001;
    remote.tellSilence();
    remote.tellSilence();
    heartbeat.beat();
    remote.tellSilence();
    expect(heard).toEqual(['running', 'hung', 'hung']);
  });

  it('leaves no more than 256 requests waiting', async () => {
    const calls = Array.from({ length: 256 }, () => remote.call('pause', { by: 'a', reason: 'b' }));
    await expect(remote.call('pause', { by: 'a', reason: 'b' })).rejects.toThrow(/does not answer/);
    for (const call of calls) call.catch(() => undefined);
    pass(4_000);
    await expect(calls[0]).rejects.toThrow(/does not answer/);
    expect(due).toEqual([]);
    const last = remote.call('pause', { by: 'a', reason: 'b' });
    remote.take({ kind: 'result', id: 257, value: undefined });
    await expect(last).resolves.toBeUndefined();
  });
});

describe('over HTTP, an engine that hangs', () => {
  it('is alive to nobody, ready to nobody, and its numbers are not repeated', async () => {
    const surface = await openSurface();
    try {
      const headers = bearer(READ);
      surface.remote.take({ kind: 'status', status: STATUS });
      expect((await ask(surface, { path: '/healthz' })).status).toBe(200);
      surface.silent = true;
      surface.clock.now = 2_001;
      const { statusCalls } = surface;
      expect(JSON.parse((await ask(surface, { headers })).body)).toMatchObject({ state: 'hung' });
      expect((await ask(surface, { path: '/healthz' })).status).toBe(503);
      expect((await ask(surface, { path: '/readyz', headers })).status).toBe(503);
      const metrics = (await ask(surface, { path: '/metrics', headers })).body;
      expect(metrics).toContain('tickwright_engine_answers 0');
      expect(metrics).toContain('tickwright_state{state="hung"} 1');
      expect(metrics).not.toContain('tickwright_uptime_seconds');
      const { status, body } = await ask(surface, {
        method: 'GET',
        path: '/api/recent?kind=log',
        headers,
      });
      expect([status, JSON.parse(body)]).toEqual([503, { error: expect.stringMatching(/does not answer/) }]);
      // Nobody has waited for its answer.
      expect(surface.statusCalls).toBe(statusCalls);
    } finally {
      await surface.close();
    }
  });
});

describe('readiness', () => {
  const PAIR = {
    pair: 'A',
    running: true,
    state: 'SYNCED',
    permission: 'all',
    reason: 'agreed',
    pollAgeMs: 10,
  } as PairStatus;
  it('names each pair that is not in order, with its reason', () => {
    expect(notReady({ ...STATUS, pairs: [PAIR] })).toEqual([]);
    const pairs = [
      { ...PAIR, running: false },
      { ...PAIR, pair: 'B', state: 'SUSPECT', reason: 'a gap' } as const,
      { ...PAIR, pair: 'C', pollAgeMs: 15_001 },
      { ...PAIR, pair: 'D', pollAgeMs: undefined },
      { ...PAIR, pair: 'F', pollAgeMs: 100_000, pollMs: 45_000 },
      { ...PAIR, pair: 'K', timeAgeMs: 30_001 },
      { ...PAIR, pair: 'L', timeAgeMs: 100_000, pollMs: 45_000 },
      { ...PAIR, pair: 'M', pollAgeMs: 40_000, timeAgeMs: 40_000 },
      { ...PAIR, pair: 'E', noRiskBefore: '2024-08-09' },
      { ...PAIR, pair: 'G', ordersWait: 'bad signature' },
      { ...PAIR, pair: 'H', riskPause: '5 of 20 rejected' },
      { ...PAIR, pair: 'J', bare: 'no stop for 40s' },
      { ...PAIR, pair: 'I', permission: 'reduce-only', reason: 'the disk is nearly full' } as const,
    ];
    expect(notReady({ ...STATUS, state: 'paused', pairs })).toEqual([
      'the daemon is paused',
      'A does not run',
      'B is SUSPECT: a gap',
      'C has no fresh data',
      'D has no fresh data',
      'K: bars and timers stand still: neither a trade nor a later time comes from the venue',
      'M has no fresh data',
      'E adds no risk before 2024-08-09',
      'G lets no order out: bad signature',
      'H: 5 of 20 rejected',
      'J: no stop for 40s',
      'I adds no risk: the disk is nearly full',
    ]);
  });
});

describe('metrics', () => {
  it('say that a pair may add risk only while its orders leave', async () => {
    const pair = { pair: 'A', running: true, state: 'SYNCED', permission: 'all' } as PairStatus;
    const counts = { orders: 0, cancels: 0, fills: 0, refusals: 0, rejections: 0 };
    const risk = async (facts: Partial<PairStatus>) => {
      const text = await metricsText({ ...STATUS, pairs: [{ ...pair, counts, gaps: 0, ...facts }] }, 0);
      return text.split('\n').find((line) => line.startsWith('tickwright_pair_may_add_risk'));
    };
    expect(await risk({})).toBe('tickwright_pair_may_add_risk{pair="A"} 1');
    expect(await risk({ ordersWait: 'bad signature' })).toBe('tickwright_pair_may_add_risk{pair="A"} 0');
    expect(await risk({ permission: 'reduce-only' })).toBe('tickwright_pair_may_add_risk{pair="A"} 0');
    expect(await risk({ running: false })).toBe('tickwright_pair_may_add_risk{pair="A"} 0');
  });

  it('are counters where they only grow, by the name that Prometheus gives those, and gauges elsewhere', async () => {
    const counts = { orders: 3, cancels: 1, fills: 2, refusals: 0, rejections: 0 };
    const pair = { pair: 'A', state: 'SYNCED', counts, gaps: 4 } as PairStatus;
    const text = await metricsText({ ...STATUS, pairs: [pair] }, 0);
    const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
    expect(types.length).toBeGreaterThan(15);
    for (const { name, type } of types)
      expect([name, type]).toEqual([name, name.endsWith('_total') ? 'counter' : 'gauge']);
    expect(text).toContain('tickwright_events_total{pair="A",kind="orders"} 3');
    expect(text).toContain('tickwright_events_total{pair="A",kind="refusals"} 0');
    expect(text).toContain('tickwright_events_total{pair="A",kind="gaps"} 4');
  });

  it('escape what names hold', async () => {
    const pnl = { 'A"} 1\nevil': { today: '1.5', session: '2' } };
    const text = await metricsText({ ...STATUS, pnl }, 0);
    expect(text).toContain('tickwright_pnl_today{asset="A\\"} 1\\nevil"} 1.5');
    expect(text).not.toMatch(/^evil/m);
  });
});

describe('a problem that comes again and again', () => {
  it('is said once in a while, with how often it came', () => {
    const said: string[] = [];
    const paced = new Paced(
      10_000,
      () => now,
      (text) => said.push(text),
    );
    for (now = 0; now <= 10_000; now += 1_000) paced.say('it');
    expect(said).toEqual(['it', 'it (9 more before)']);
  });
});
