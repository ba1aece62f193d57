import { expect, test } from 'vitest';
import { runSeed } from '../../src/simulation/run-seed.js';
import { RUNNER } from '../../src/simulation/runner-subject.js';
import { totalsOf } from '../../src/simulation/totals.js';
import { drain } from './drain.js';

/** Ten seconds of work, which take a busy machine several times as long. */
const TIMEOUT_MS = 120_000;

const run = (seed: number) => runSeed(seed, { subject: RUNNER, drain, hours: 1 });

test(
  'the real program keeps every promise in a few seeds, with faults, doubts and deaths',
  { timeout: TIMEOUT_MS },
  async () => {
    const runs = [];
    for (const seed of [1, 2, 3, 4, 9]) runs.push(await run(seed));
    const totals = totalsOf(RUNNER.name, runs);
    expect(totals.violations).toEqual([]);
    expect(totals).toMatchObject({ duplicates: 0, orphans: 0, unexplainedSynced: 0, secrets: 0 });
    expect(totals.worst).toBeLessThanOrEqual(1);
    // It says something only if these happened.
    expect(totals.orders).toBeGreaterThan(50);
    expect(totals.faults).toBeGreaterThan(500);
    expect(totals.doubts).toBeGreaterThan(10);
    expect(totals.crashes).toBeGreaterThan(10);
  },
);

test('a seed gives the same run of the real program each time', { timeout: TIMEOUT_MS }, async () => {
  const first = await run(3);
  expect(await run(3)).toEqual(first);
});
