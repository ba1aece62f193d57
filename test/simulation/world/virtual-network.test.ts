import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FaultEffect, FaultRule } from '../../../src/model/fault-rule.js';
import type { HttpFailure, HttpRequest } from '../../../src/ports/http.js';
import { connectScheduleOf, type ConnectRule } from '../../../src/simulation/world/connect-rules.js';
import type { SentWrite } from '../../../src/simulation/world/ground-truth.js';
import type { Life } from '../../../src/simulation/world/life.js';
import type { VenueWorld, VenueWorldOptions } from '../../../src/simulation/world/venue-world.js';
import { scheduleOf } from '../../../src/venue/faults/fault-plan.js';
import { ANNA, BERT, BID, BTC, clientOf, world } from './desk.js';

const FIXED = { upMs: [10, 10], downMs: [20, 20], tail: 0 } as const;

function desk(options: Partial<VenueWorldOptions> = {}): { readonly at: VenueWorld; readonly life: Life } {
  const at = world({ network: FIXED, ...options });
  return { at, life: at.boot({ name: 'bot', disk: at.disk('machine') }) };
}

const atOrders = (
  effect: FaultEffect,
): { readonly faults: { readonly seed: number; readonly rules: FaultRule[] } } => ({
  faults: { seed: 1, rules: [{ name: 'it', place: { paths: ['/auth/order'] }, when: {}, effect }] },
});

/** Sends a request now and says what came of it and when, after everything is over. */
async function told(at: VenueWorld, life: Life, request: Partial<HttpRequest> = {}): Promise<string> {
  let outcome = '';
  const full = {
    method: 'GET',
    url: `${at.baseUrl}/time`,
    headers: {},
    deadlineMs: 1_000,
    ...request,
  } as const;
  life.transport.exchange(full).then(
    ({ status }) => (outcome = `${status} at ${at.scheduler.now}`),
    (error: unknown) => {
      const { reason, sent } = error as HttpFailure;
      outcome = `${reason}${sent ? ', sent' : ''} at ${at.scheduler.now}`;
    },
  );
  await at.scheduler.runUntil(at.scheduler.now + 100_000);
  return outcome;
}

async function placed(at: VenueWorld, life: Life, tag: string): Promise<string> {
  let outcome = '';
  void clientOf(at, life)
    .place(BTC, BID, tag)
    .then(({ kind }) => (outcome = kind));
  await at.scheduler.runUntil(at.scheduler.now + 100_000);
  return outcome;
}

describe('an exchange', () => {
  it('takes both ways, and is cut off by its deadline', async () => {
    const { at, life } = desk();
    expect(await told(at, life)).toBe('200 at 30');
    expect(await told(at, life, { deadlineMs: 29 })).toBe(`timeout, sent at ${100_000 + 29}`);
    expect(await told(at, life, { deadlineMs: 5 })).toBe(`timeout, sent at ${200_000 + 5}`);
    // The venue answered them all the same.
    expect(at.truth.counts).toEqual({ left: 3, notSent: 0, arrived: 3, executed: 3, answered: 1, failed: 2 });
  });

  it('draws each way between its bounds, and a few of them ten times as long', async () => {
    const at = world({ network: { upMs: [5, 10], downMs: [0, 0], tail: 0.2 } });
    const life = at.boot({ name: 'bot', disk: at.disk('machine') });
    const times: number[] = [];
    for (let i = 0; i < 300; i++) {
      const before = at.scheduler.now;
      const outcome = await told(at, life);
      times.push(Number(outcome.split(' ').at(-1)) - before);
    }
    expect(times.every((ms) => (ms >= 5 && ms <= 10.1) || (ms >= 50 && ms <= 100.1))).toBe(true);
    const long = times.filter((ms) => ms >= 50).length;
    expect(long).toBeGreaterThan(30);
    expect(long).toBeLessThan(90);
  });

  it('of a drifting process ends by its own clock', async () => {
    const at = world({ network: FIXED, ...atOrders({ kind: 'lost-request' }) });
    const life = at.boot({ name: 'bot', disk: at.disk('machine'), driftPpm: -100_000 });
    const request = { method: 'POST', url: `${at.baseUrl}/auth/order`, body: '', deadlineMs: 900 } as const;
    // Its 900 ms are 1 000 of the world's.
    expect(await told(at, life, request)).toMatch(/^timeout, sent at 1000/);
  });

  it('of a suspended machine waits for it; of a stopped process, the deadline is looked at first', async () => {
    const answers: string[] = [];
    for (const what of ['machine', 'process'] as const) {
      const { at, life } = desk();
      at.scheduler.at(15, () => life.suspend(5_000, what));
      answers.push(await told(at, life));
    }
    expect(answers).toEqual(['200 at 5015', 'timeout, sent at 5015']);
  });
});

describe('connections that do not come to be', () => {
  const rule = (kind: ConnectRule['kind'], parts: Partial<ConnectRule> = {}): ConnectRule => ({
    name: kind,
    place: {},
    when: {},
    kind,
    ...parts,
  });

  it.each([
    ['refused', 'refused at 30'],
    ['no-such-host', 'refused at 30'],
    ['connect-timeout', 'timeout at 3000'],
  ] as const)('%s: nothing was sent', async (kind, expected) => {
    const { at, life } = desk({ network: { ...FIXED, connect: [rule(kind)] } });
    expect(await told(at, life, { deadlineMs: 5_000 })).toBe(expected);
    expect(at.truth.counts).toEqual({ left: 0, notSent: 1, arrived: 0, executed: 0, answered: 0, failed: 1 });
  });

  it('but are only slow: it leaves then, if it may', async () => {
    const { at, life } = desk({ network: { ...FIXED, connect: [rule('slow-connect')] } });
    expect(await told(at, life, { deadlineMs: 5_000 })).toBe('200 at 2930');
    expect(await told(at, life, { deadlineMs: 2_920 })).toBe('timeout, sent at 102920');
    expect(await told(at, life, { mayLeave: (answer) => answer(false), deadlineMs: 5_000 })).toBe(
      'aborted at 202900',
    );
    expect(await told(at, life, { deadlineMs: 2_000 })).toBe('timeout at 302000');
    expect(at.truth.counts).toMatchObject({ left: 2, notSent: 2, arrived: 2 });
  });

  it('an order that did not leave is known not to be sent', async () => {
    const { at, life } = desk({
      network: { ...FIXED, connect: [rule('refused', { place: { paths: ['/auth/order'] } })] },
    });
    expect(await placed(at, life, 'a-1')).toBe('not-sent');
    expect(at.truth.writes).toEqual([]);
  });

  it('are decided by place, account, window and number, and can be played again as a list', async () => {
    const rules = [
      rule('refused', { name: 'window', when: { window: { fromMs: 100_000, untilMs: 200_000 } } }),
      rule('no-such-host', { name: 'anna', place: { account: 'anna' }, when: { every: 2 } }),
    ];
    const story = async (connect: readonly ConnectRule[]) => {
      const { at, life } = desk({ network: { ...FIXED, connect } });
      const outcomes: string[] = [];
      for (let i = 0; i < 6; i++) {
        const headers = { 'X-API-Key': i % 2 === 0 ? ANNA.key : BERT.key };
        outcomes.push((await told(at, life, { headers })).split(' ')[0] as string);
      }
      return { outcomes, decisions: at.connectDecisions };
    };
    const first = await story(rules);
    // The second request is in the window; the 2nd of anna's is the third.
    expect(first.outcomes).toEqual(['200', 'refused', 'refused', '200', '200', '200']);
    expect(first.decisions).toEqual([
      { request: 2, rule: 'window', kind: 'refused' },
      { request: 3, rule: 'anna', kind: 'no-such-host' },
    ]);
    expect((await story(connectScheduleOf(first.decisions))).outcomes).toEqual(first.outcomes);
  });

  it('come again, after everything is healed, and faults do not strike either', async () => {
    const { at, life } = desk({
      network: { ...FIXED, connect: [rule('refused')] },
      faults: {
        seed: 1,
        rules: [{ name: 'f', place: {}, when: {}, effect: { kind: 'reset', executed: true } }],
      },
    });
    expect(await told(at, life)).toBe('refused at 30');
    at.heal();
    expect(await told(at, life)).toBe('200 at 100030');
    expect(at.faults?.log).toEqual([]);
  });
});

describe('the ground truth', () => {
  it('knows of each write who sent it, with which tag, when it came and what it did', async () => {
    const { at, life } = desk();
    const heard: string[] = [];
    at.truth.onWrite(({ tags }) => heard.push(`leaves ${tags.join()}`));
    at.truth.onExecution(({ tags }, { orderIds }) => heard.push(`did ${tags.join()} ${orderIds.join()}`));
    expect(await placed(at, life, 'a-1')).toBe('accepted');
    const [write] = at.truth.writes;
    const [order] = at.core.orders(at.account('anna'), 'all');
    expect(write).toMatchObject({
      life: 'bot',
      path: '/auth/order',
      tags: ['a-1'],
      outcome: 200,
      executions: [{ status: 200, orderIds: [order?.id] }],
    });
    expect(write?.body).toContain('oco=a-1');
    expect((write as SentWrite).arrivedAt).toBe((write as SentWrite).sentAt + 10);
    expect(at.truth.writeOf(order?.id ?? '')).toBe(write);
    expect(at.truth.writeOf('1')).toBeUndefined();
    expect(heard).toEqual(['leaves a-1', `did a-1 ${order?.id}`]);
  });

  it('knows the tags of each member of a bulk order, and the orders that came of it', async () => {
    const { at, life } = desk();
    const client = clientOf(at, life);
    void client.placeMany(BTC, [
      { terms: BID, tag: 'b-1' },
      { terms: BID, tag: 'b-2' },
    ]);
    await at.scheduler.runUntil(10_000);
    expect(at.truth.writes[0]).toMatchObject({ tags: ['b-1', 'b-2'] });
    expect(at.truth.writes[0]?.executions[0]?.orderIds).toHaveLength(2);
  });

  it.each([
    ['lost-request', { kind: 'lost-request' }, [], 'timeout'],
    ['lost-response', { kind: 'lost-response' }, [0], 'timeout'],
    ['reset', { kind: 'reset', executed: true }, [0], 'reset'],
    ['unavailable', { kind: 'unavailable', executed: false, msg: 'busy' }, [], 503],
    [
      'duplicate-execution',
      { kind: 'duplicate-execution', copies: 2, gapMs: [400, 400], answer: 'first' },
      [0, 400, 800],
      200,
    ],
    [
      'late-execution',
      { kind: 'late-execution', delayMs: [4_000, 4_000], answer: 'reset', msg: '' },
      [4_000],
      'reset',
    ],
  ] as const)('sees through %s: executions after %s ms', async (_name, effect, executions, outcome) => {
    const { at, life } = desk(atOrders(effect));
    await placed(at, life, 'a-1');
    const [write] = at.truth.writes;
    const arrivedAt = write?.arrivedAt ?? Number.NaN;
    const start = 1_700_000_000_000;
    expect(write?.executions.map(({ time }) => time - start - Math.floor(arrivedAt))).toEqual([
      ...executions,
    ]);
    expect(write?.outcome).toBe(outcome);
    expect(at.core.orders(at.account('anna'), 'all').length).toBe(executions.length);
  });

  it('is not fooled by answers that are altered on the way', async () => {
    const { at, life } = desk(atOrders({ kind: 'altered-field', field: 'id', value: 'wrong', share: 1 }));
    await placed(at, life, 'a-1');
    expect(at.truth.writes[0]?.executions[0]?.orderIds).toEqual(
      at.core.orders(at.account('anna'), 'all').map(({ id }) => id),
    );
  });

  it('knows that an order judged too old was refused', async () => {
    const { at, life } = desk(
      atOrders({ kind: 'late-execution', delayMs: [60_000, 60_000], answer: 'none', msg: '' }),
    );
    await placed(at, life, 'a-1');
    expect(at.truth.writes[0]?.executions).toMatchObject([{ status: 408, orderIds: [] }]);
  });
});

it('a plan played from its own list of decisions is the same story', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000 }), async (seed) => {
      const rules: readonly FaultRule[] = [
        { name: 'a', place: {}, when: { probability: 0.3 }, effect: { kind: 'delay', delayMs: [0, 3_000] } },
        {
          name: 'b',
          place: { calls: 'write' },
          when: { probability: 0.5 },
          effect: { kind: 'late-execution', delayMs: [0, 9_000], answer: 'none', msg: '' },
        },
      ];
      const story = async (faults: VenueWorldOptions['faults']) => {
        const { at, life } = desk({ seed, faults });
        for (let i = 0; i < 5; i++) await placed(at, life, `a-${i}`);
        return { hash: at.trace.hash, log: at.faults?.log ?? [] };
      };
      const first = await story({ seed, rules });
      const again = await story(scheduleOf(first.log));
      expect(again.hash).toBe(first.hash);
    }),
    { numRuns: 10 },
  );
});
