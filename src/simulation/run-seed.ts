import { runPlan, type RunOptions, type DetailedRun } from './run-plan.js';
import { swarm, type SwarmOptions } from './swarm.js';

/** Draws the plan of a seed and runs it. */
export function runSeed(seed: number, options: RunOptions & SwarmOptions): Promise<DetailedRun> {
  return runPlan(swarm(seed, options), options);
}
