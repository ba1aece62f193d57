import { expect, test } from 'vitest';
import { FAULT_IDEAS, STALE_IDEAS } from '../../src/simulation/fault-catalogue.js';
import { swarm } from '../../src/simulation/swarm.js';
import { THEMES } from '../../src/simulation/theme.js';

const PLANS = Array.from({ length: 300 }, (_, index) => swarm(index + 1, { hours: 2 }));

const THEMED = THEMES.flatMap((theme) =>
  Array.from({ length: 12 }, (_, index) => swarm(index + 1, { hours: 2, theme })),
);
const ALL = [...PLANS, ...THEMED];

test('a plan is plain data, and the same for a seed', () => {
  for (const plan of PLANS.slice(0, 50)) {
    // Cases are kept as files: nothing in it may be what JSON changes.
    expect(JSON.parse(JSON.stringify(plan))).toEqual(swarm(plan.seed, { hours: 2 }));
  }
  for (const plan of THEMED) {
    const { seed, theme } = plan;
    expect(JSON.parse(JSON.stringify(plan))).toEqual(swarm(seed, { hours: 2, theme }));
  }
});

test('every kind of fault and incident exists in some seeds and not in others', () => {
  const names = [...FAULT_IDEAS, ...STALE_IDEAS].map(({ name }) => name);
  for (const name of names) {
    const having = PLANS.filter(({ faults }) => faults.rules.some((rule) => rule.name === name)).length;
    expect(having, name).toBeGreaterThan(20);
    expect(having, name).toBeLessThan(280);
  }
  const kinds = [
    'crash',
    'clock-jump',
    'suspend',
    'disk-error',
    'disk-full',
    'external-order',
    'market-pause',
  ];
  for (const kind of [...kinds, 'price-jump']) {
    const having = PLANS.filter(({ incidents }) => incidents.some((each) => each.kind === kind)).length;
    expect(having, kind).toBeGreaterThan(5);
    expect(having, kind).toBeLessThan(280);
  }
});

test('faults end when the faulty phase does, and incidents come in order', () => {
  for (const { faultyMs, incidents, faults } of ALL) {
    expect(incidents.every(({ atMs }) => atMs >= 0 && atMs < faultyMs)).toBe(true);
    expect(incidents).toEqual(incidents.toSorted((a, b) => a.atMs - b.atMs));
    for (const { when, name } of faults.rules) {
      expect(when.window?.fromMs, name).toBeLessThan(faultyMs);
      expect(when.window?.untilMs, name).toBeGreaterThan(when.window?.fromMs ?? 0);
    }
    const rules = faults.rules.map(({ name }) => name);
    expect(new Set(rules).size).toBe(rules.length);
  }
});

test('while A2 holds nothing is executed later than the client believes, with room for the way', () => {
  for (const { traits, bounds, faults, network } of ALL) {
    const slowest = network.upMs[1] * (network.tail > 0 ? 10 : 1);
    for (const { effect } of faults.rules) {
      if (effect.kind !== 'late-execution' || traits.fenced) continue;
      expect(effect.delayMs[1] + slowest).toBeLessThanOrEqual(bounds.lateMs);
    }
  }
});

test('reads are never further behind than the bound on visibility', () => {
  for (const { bounds, faults } of ALL) {
    for (const { effect } of faults.rules) {
      if (effect.kind === 'stale-read') expect(effect.ageMs?.[1]).toBeLessThanOrEqual(bounds.visibilityMs);
      if (effect.kind === 'late-visibility')
        expect(effect.delayMs[1]).toBeLessThanOrEqual(bounds.visibilityMs);
    }
  }
});

test('some runs are about something in particular, most about nothing, and without a theme a plan is as it was', () => {
  const drawn = PLANS.filter(({ theme }) => theme !== undefined);
  expect(drawn.length).toBeGreaterThan(30);
  expect(drawn.length).toBeLessThan(100);
  for (const theme of THEMES) expect(THEMED.filter((plan) => plan.theme === theme)).toHaveLength(12);
  for (const plan of drawn) expect(plan).toEqual(swarm(plan.seed, { hours: 2, theme: plan.theme }));
});

test('the modes break exactly their assumption', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const kinds = (mode: 'normal' | 'A1-broken' | 'A2-broken') =>
      swarm(seed, { hours: 2, mode }).faults.rules.map(({ name }) => name);
    expect(kinds('normal')).not.toContain('order-doubled');
    expect(kinds('normal')).not.toContain('order-too-late');
    expect(kinds('A1-broken')).toContain('order-doubled');
    expect(kinds('A2-broken')).toContain('order-too-late');
    const { traits, bounds, faults } = swarm(seed, { hours: 2, mode: 'A2-broken' });
    expect(traits.fenced).toBe(false);
    const late = faults.rules.find(({ name }) => name === 'order-too-late')?.effect;
    expect(late?.kind === 'late-execution' && late.delayMs).toEqual([bounds.lateMs, 2 * bounds.lateMs]);
  }
});

test('both venues that fence and venues that do not come up, as do all the other traits', () => {
  for (const trait of ['fenced', 'definiteRefusals', 'echo'] as const) {
    const having = PLANS.filter(({ traits }) => traits[trait]).length;
    expect(having).toBeGreaterThan(60);
    expect(having).toBeLessThan(240);
  }
  expect(new Set(ALL.map(({ pollMs }) => pollMs))).toEqual(new Set([1_000, 5_000, 15_000]));
});
