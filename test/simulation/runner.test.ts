import { expect, test } from 'vitest';
import { runPlan } from '../../src/simulation/run-plan.js';
import { runSeed } from '../../src/simulation/run-seed.js';
import { RUNNER } from '../../src/simulation/runner-subject.js';
import { totalsOf } from '../../src/simulation/totals.js';
import { drain } from './drain.js';
import { calmPlan } from './plans.js';

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

test(
  'a machine that sleeps over the end of the faults owes its promises from its waking on',
  { timeout: TIMEOUT_MS },
  async () => {
    for (const ms of [124_500, 600_000]) {
      const incidents = [{ kind: 'suspend', atMs: 595_000, ms, what: 'machine' }] as const;
      const plan = calmPlan(10, { incidents, pollMs: 5_000 });
      const { violations, ranMs } = await runPlan(plan, { subject: RUNNER, drain });
      expect(violations).toEqual([]);
      expect(ranMs).toBeGreaterThanOrEqual(595_000 + ms + plan.calmMs);
    }
  },
);

test('a seed gives the same run of the real program each time', { timeout: TIMEOUT_MS }, async () => {
  const first = await run(3);
  expect(await run(3)).toEqual(first);
});
