import { expect, test } from 'vitest';
import { BASELINES } from '../../src/simulation/baselines/index.js';
import { runSeed } from '../../src/simulation/run-seed.js';
import { totalsOf, type Totals } from '../../src/simulation/totals.js';
import { drain } from './drain.js';

const SEEDS = [1, 2];

async function totals(name: string): Promise<Totals> {
  const subject = BASELINES.find((each) => each.name === name);
  if (subject === undefined) throw new Error(`no such baseline: ${name}`);
  const runs = [];
  for (const seed of SEEDS) runs.push(await runSeed(seed, { subject, drain, hours: 2 }));
  return totalsOf(name, runs);
}

// What reliability.md says of each way: they must show, or the oracle is blind.
test.each([
  'blind-retry',
  'look-and-resend',
])('%s sends orders twice and loses sight of some', async (name) => {
  const { duplicates, orphans, worst } = await totals(name);
  expect(duplicates).toBeGreaterThan(0);
  expect(orphans).toBeGreaterThan(0);
  expect(worst).toBeGreaterThan(1);
});

test('timeout-failed sends nothing twice, and loses sight of orders that it took for failed', async () => {
  const { duplicates, orphans, unexplainedSynced, worst } = await totals('timeout-failed');
  expect(duplicates).toBe(0);
  expect(orphans).toBeGreaterThan(0);
  expect(unexplainedSynced).toBeGreaterThan(0);
  expect(worst).toBeGreaterThan(1);
});
