import { describe, expect, it, test } from 'vitest';
import { certifyJobs, certifyResult, LEAST_SEEDS } from '../../src/certify/certify.js';
import { FAULT_SETS, faultSetOf } from '../../src/certify/fault-set.js';
import type { RunEnd } from '../../src/certify/run-scenario.js';
import { SCENARIOS } from '../../src/certify/scenario.js';
import type { BoundStrategy } from '../../src/strategy/instance.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import reversion from '../../strategies/band-reversion.js';
import maker from '../../strategies/market-maker.js';
import smaStreams from '../../strategies/sma-cross-streams.js';
import sma from '../../strategies/sma-cross.js';
import { run } from './runs.js';

/** Each scenario once, and among them each set of faults. */
const JOBS = SCENARIOS.map(({ name }, index) => [name, (index % LEAST_SEEDS) + 1] as const);

async function runsOf(strategy: BoundStrategy, jobs: typeof JOBS): Promise<readonly RunEnd[]> {
  const runs: RunEnd[] = [];
  for (const [scenario, seed] of jobs) runs.push(await run(strategy, scenario, seed));
  return runs;
}

describe('a strategy that ships', () => {
  it.each([
    ['market-maker', bindStrategy(maker), JOBS],
    ['sma-cross', bindStrategy(sma, { bars: '10s' }), JOBS.slice(4)],
    ['band-reversion', bindStrategy(reversion, { bars: '5s', period: '10', width: '1' }), JOBS.slice(0, 6)],
    ['sma-cross-streams', bindStrategy(smaStreams, { bars: '10s', fast: '3', slow: '9' }), JOBS.slice(0, 6)],
  ])(
    '%s breaks no rule in a scenario, and does something',
    { timeout: 120_000 },
    async (_, strategy, jobs) => {
      const runs = await runsOf(strategy, jobs);
      const { violations, orders, fills } = certifyResult(runs);
      expect(violations).toEqual([]);
      expect(orders).toBeGreaterThan(10);
      expect(fills).toBeGreaterThan(10);
    },
  );
});

test('a run of the same strategy, scenario and seed is the same run', { timeout: 60_000 }, async () => {
  const first = await run(bindStrategy(maker), 'flash-crash', 8);
  expect(await run(bindStrategy(maker), 'flash-crash', 8)).toEqual(first);
  expect(first.figures.fills).toBeGreaterThan(0);
});

test('as many seeds as there are sets of faults have each of them once, the first one none', () => {
  expect(faultSetOf(1).name).toBe('none');
  const names = Array.from({ length: LEAST_SEEDS }, (_, index) => faultSetOf(index + 1).name);
  expect(new Set(names).size).toBe(FAULT_SETS.length);
  expect(certifyJobs(LEAST_SEEDS)).toHaveLength(SCENARIOS.length * LEAST_SEEDS);
});
