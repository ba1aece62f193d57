import { spawnSync } from 'node:child_process';

/** A quiet machine of the class that bounds are published for starts Node in so many ms. */
export const BARE_MS = 70;
/** Machines of tests are seldom quiet. */
export const SLACK = 5;
const RUNS = 3;

/** How often slower than on a quiet machine a process starts right now: 1 and more. */
export function slowness(): number {
  const times = Array.from({ length: RUNS }, () => {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - began;
  }).sort((a, b) => a - b);
  return Math.max(1, (times[1] ?? Number.NaN) / BARE_MS);
}

/**
 * A published bound, ms, as a test may assert it: at five times, and as much later as everything else is right now. What
 * a bound is worth is measured by the bench; here what takes far too long must fail, and what waits for its turn must not.
 */
export function asserted(boundMs: number): number {
  return SLACK * slowness() * boundMs;
}
