import type { Lots } from '../../src/model/grid.js';
import { swarm } from '../../src/simulation/swarm.js';
import type { SwarmPlan } from '../../src/simulation/swarm-plan.js';

/** A run in which nothing goes wrong. */
export function calmPlan(minutes: number, changes: Partial<SwarmPlan> = {}): SwarmPlan {
  const plan = swarm(1, { hours: minutes / 60 });
  return {
    ...plan,
    calmMs: 8 * 60_000,
    pollMs: 1_000,
    bounds: { lateMs: 10_000, visibilityMs: 0, postMs: 10_000 },
    traits: { fenced: true, definiteRefusals: true, echo: false, maxLimit: 1_000 },
    network: { upMs: [5, 30], downMs: [5, 30], tail: 0, connect: [] },
    faults: { seed: 1, rules: [] },
    incidents: [],
    clock: { offsetMs: 0, driftPpm: 0 },
    market: { everyMs: 1_000, deposit: '100000' },
    workload: { kind: 'flips', seed: 'workload/1', maxLots: 40 as Lots, limitShare: 0 },
    theme: undefined,
    openingLots: undefined,
    ...changes,
  };
}
