import { expect, test } from 'vitest';
import { liveMs } from '../../src/simulation/run-plan.js';
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
