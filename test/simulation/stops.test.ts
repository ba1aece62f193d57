/** The real program with stops that wait at the venue: it moves them, they fire, and it dies beside them. */
import { expect, test } from 'vitest';
import { runSeed } from '../../src/simulation/run-seed.js';
import { RUNNER_WITH_STOPS } from '../../src/simulation/runner-subject.js';
import { totalsOf } from '../../src/simulation/totals.js';
import type { SwarmMode } from '../../src/simulation/swarm-plan.js';
import type { TraceLine } from '../../src/simulation/world/trace.js';
import { drain } from './drain.js';

const TIMEOUT_MS = 120_000;

async function totals(mode: SwarmMode, seeds: readonly number[]) {
  const bodies: string[] = [];
  const runs = [];
  for (const seed of seeds) {
    const onTrace = ({ what, detail }: TraceLine) => {
      if (what.startsWith('POST /auth/order leaves')) bodies.push(String(detail));
    };
    runs.push(await runSeed(seed, { subject: RUNNER_WITH_STOPS, drain, hours: 1, mode, onTrace }));
  }
  const stops = bodies.filter((body) => body.includes('trigger_price='));
  return { ...totalsOf(RUNNER_WITH_STOPS.name, runs), stops: stops.length };
}

test(
  'every promise is kept with stops, through faults, doubts and deaths',
  { timeout: TIMEOUT_MS },
  async () => {
    const found = await totals('normal', [1, 3, 14]);
    expect(found.violations).toEqual([]);
    expect(found).toMatchObject({ duplicates: 0, orphans: 0, unexplainedSynced: 0, secrets: 0 });
    expect(found.worst).toBeLessThanOrEqual(1);
    // It says something only if these happened.
    expect(found.stops).toBeGreaterThan(30);
    expect(found.doubts).toBeGreaterThan(10);
    expect(found.crashes).toBeGreaterThan(5);
  },
);

test.each(['A1-broken', 'A2-broken'] as const)(
  'and where an assumption is broken: %s',
  { timeout: TIMEOUT_MS },
  async (mode) => {
    const found = await totals(mode, [5, 7]);
    expect(found.violations).toEqual([]);
    expect(found.stops).toBeGreaterThan(5);
  },
);
