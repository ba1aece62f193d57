import { expect, test } from 'vitest';
import { liveMs } from '../../src/simulation/live-time.js';
import { configOf } from '../../src/simulation/subject-config.js';
import { swarm } from '../../src/simulation/swarm.js';

const seeds = Array.from({ length: 1_000 }, (_, index) => index + 1);
const MIXED = seeds.map((seed) => swarm(seed, { climate: 'mixed' }));
const PLAIN = MIXED.filter(({ theme }) => theme === undefined);
const share = (count: number) => count / PLAIN.length;

test('a mixed climate has calm days, unsettled ones and storms, in the shares that its page says', () => {
  const of = (kind: string) => share(PLAIN.filter(({ weather }) => weather === kind).length);
  expect(of('calm')).toBeCloseTo(0.5, 1);
  expect(of('unsettled')).toBeCloseTo(0.3, 1);
  expect(of('storm')).toBeCloseTo(0.2, 1);
});

test('most of its daemons poll slowly, and a few fast', () => {
  const polls = PLAIN.map(({ pollMs }) => pollMs);
  expect(Math.min(...polls)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...polls)).toBeLessThanOrEqual(60_000);
  expect(share(polls.filter((ms) => ms >= 15_000).length)).toBeCloseTo(0.92, 1);
  expect(polls.some((ms) => ms < 5_000)).toBe(true);
});

test('what is allowed to be old, and how soon all must be well again, follows from the drawn interval', () => {
  const slow = MIXED.find(({ pollMs }) => pollMs > 50_000);
  if (slow === undefined) throw new Error('some daemon must be slow');
  const fast = { ...slow, pollMs: 1_000 };
  expect(configOf(slow, 'http://venue').staleMs).toBe(4 * slow.pollMs);
  expect(configOf(fast, 'http://venue').staleMs).toBe(20_000);
  expect(liveMs(slow) - liveMs(fast)).toBe(4 * (slow.pollMs - 1_000));
  expect(liveMs(slow)).toBeLessThan(slow.calmMs);
});

test('a client that was throttled shortly before may take longer for a scan, and no more than at its slowest pace', () => {
  const plan = { ...swarm(3, { climate: 'storm' }), calmMs: 900_000 };
  const usual = { ...plan, traits: { ...plan.traits, perSecond: undefined } };
  const slow = { ...plan, traits: { ...plan.traits, perSecond: 5 } };
  const endedAt = 10_000_000;
  const with_ = (which: typeof plan, count: number, agoMs: number) =>
    liveMs(which, { endedAt, times: Array.from({ length: count }, () => endedAt - agoMs) });
  // 5 a second, halved: 2.5 a second do 32 reads in far less than the minute that is allowed anyway.
  expect(with_(slow, 1, 1_000)).toBe(liveMs(slow));
  // Halved five times: 32 reads at 5/32 a second take 204.8 s instead of 60 s.
  expect(with_(slow, 5, 1_000) - liveMs(slow)).toBe(204_800 - 60_000);
  // A fiftieth is the least, of 5: 32 reads at 0.1 a second.
  expect(with_(slow, 6, 1_000) - liveMs(slow)).toBe(320_000 - 60_000);
  expect(with_(slow, 60, 1_000)).toBe(with_(slow, 6, 1_000));
  expect(with_(slow, 60, 20 * 60_000)).toBe(liveMs(slow));
  expect(with_(usual, 60, 1_000)).toBeLessThan(with_(slow, 60, 1_000));
});

test('calm days have fewer kinds of faults, which strike more rarely', () => {
  const strength = (kind: string) => {
    const rules = PLAIN.filter(({ weather }) => weather === kind).map(({ faults }) =>
      faults.rules.reduce((sum, { when }) => sum + (when.probability ?? 0), 0),
    );
    return rules.reduce((sum, each) => sum + each, 0) / rules.length;
  };
  expect(strength('calm')).toBeLessThan(0.3 * strength('storm'));
  expect(strength('unsettled')).toBeLessThan(0.7 * strength('storm'));
});

test('without a word the climate is a storm, which is what it was', () => {
  const plan = swarm(3, { hours: 2 });
  expect(plan).toEqual(swarm(3, { hours: 2, climate: 'storm' }));
  expect(plan.weather).toBe('storm');
  expect([1_000, 5_000, 15_000]).toContain(plan.pollMs);
});
