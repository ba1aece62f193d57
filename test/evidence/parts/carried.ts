/** What an earlier code ran counts for the present one as far as both do the same. */
import { UsageError } from '../../../src/model/errors.js';
import type { CarriedRuns } from '../evidence.js';
import type { Store } from '../store.js';
import { brokeNothing, type FailedRun, type StoredRun } from './simulation.js';

/** Seeds that both must have run, alike in every trace. */
export const LEAST_BOTH = 50;

type Runs = Store<StoredRun | FailedRun>;

/**
 * Takes over the runs that are missing. Those that broke something are left for the present code to run, and so are all
 * when a single seed that both ran has another trace. Returns how many were taken over.
 */
export function carryOver(store: Runs, older: Runs, source: string): number {
  const { both, different } = compared(store, older);
  if (both < LEAST_BOTH) {
    throw new UsageError(
      'TICKWRIGHT_E_EVIDENCE',
      `${LEAST_BOTH} seeds must have been run by both codes before runs are taken over, received ${both}`,
    );
  }
  if (different.length > 0) return 0;
  const done = new Set(store.results.map(({ seed }) => seed));
  const missing = older.lines.filter(({ result }) => !done.has(result.seed) && brokeNothing(result));
  for (const line of missing) store.carry({ ...line, source: line.source ?? source });
  return missing.length;
}

/** Seeds that were run by both, and those that did not come out the same. */
export function compared(
  store: Runs,
  older: Runs,
): { readonly both: number; readonly different: readonly number[] } {
  const traces = new Map(older.results.map((run) => [run.seed, traceOf(run)]));
  const own = store.lines.filter(({ source, result }) => source === undefined && traces.has(result.seed));
  const different = own.filter(({ result }) => traces.get(result.seed) !== traceOf(result));
  return { both: own.length, different: different.map(({ result }) => result.seed) };
}

/** By the code that they are of. `storeOf`: what that has run. */
export function carriedIn(store: Runs, storeOf: (source: string) => Runs): readonly CarriedRuns[] {
  const sources = new Set(store.lines.map(({ source }) => source));
  sources.delete(undefined);
  return [...sources].map((source) => {
    const lines = store.lines.filter((line) => line.source === source);
    return {
      source: source as string,
      commits: [...new Set(lines.map(({ commit }) => commit))],
      runs: lines.length,
      both: compared(store, storeOf(source as string)).both,
    };
  });
}

function traceOf(run: StoredRun | FailedRun): string {
  return 'failed' in run ? `failed: ${run.failed}` : run.traceHash;
}
