/** What an earlier code ran counts for the present one as far as both do the same. */
import type { CarriedRuns } from '../evidence.js';
import type { Store } from '../store.js';
import { brokeNothing, type FailedRun, type StoredRun } from './simulation.js';

/** Seeds that both must have run, alike in every trace. */
export const LEAST_BOTH = 50;

type Runs = Store<StoredRun | FailedRun>;

export interface Comparison {
  /** How many seeds both have run. */
  readonly both: number;
  /** Those that came out otherwise though the older code broke nothing in them. */
  readonly different: readonly number[];
  /** Those that the older code broke something in, and that came out otherwise: what was mended. */
  readonly mended: readonly number[];
}

/**
 * Takes over the runs that are missing, when enough seeds were run by both and came out the same. Those that broke
 * something are left for the present code to run. Returns how many were taken over, or why none.
 */
export function carryOver(store: Runs, older: Runs, source: string): number | string {
  const { both, different } = compared(store, older);
  if (both < LEAST_BOTH) return `only ${both} of at least ${LEAST_BOTH} seeds were run by both`;
  const [first] = different;
  if (first !== undefined) return `seed ${first} came out otherwise`;
  const done = new Set(store.results.map(({ seed }) => seed));
  const missing = older.lines.filter(({ result }) => !done.has(result.seed) && brokeNothing(result));
  for (const line of missing) store.carry({ ...line, source: line.source ?? source });
  return missing.length;
}

export function compared(store: Runs, older: Runs): Comparison {
  const then = new Map(older.results.map((run) => [run.seed, run]));
  const own = store.lines.filter(({ source, result }) => source === undefined && then.has(result.seed));
  const changed = own
    .map(({ result }) => [result, then.get(result.seed) as StoredRun | FailedRun] as const)
    .filter(([now, before]) => traceOf(now) !== traceOf(before));
  const seedsOf = (isMended: boolean) =>
    changed.filter(([, before]) => brokeNothing(before) !== isMended).map(([{ seed }]) => seed);
  return { both: own.length, different: seedsOf(false), mended: seedsOf(true) };
}

/**
 * What is taken over, by the code that it is of. What has been run since may show that the codes do not do the same: then
 * those runs are forgotten. `storeOf`: what a code has run.
 */
export function carriedIn(store: Runs, storeOf: (source: string) => Runs): readonly CarriedRuns[] {
  const sources = new Set(store.lines.flatMap(({ source }) => (source === undefined ? [] : [source])));
  return [...sources].flatMap((source): CarriedRuns[] => {
    const { both, different, mended } = compared(store, storeOf(source));
    if (different.length > 0 || both < LEAST_BOTH) {
      store.forget((line) => line.source === source);
      return [];
    }
    const lines = store.lines.filter((line) => line.source === source);
    const commits = [...new Set(lines.map(({ commit }) => commit))];
    return [{ source, commits, runs: lines.length, both, mended }];
  });
}

function traceOf(run: StoredRun | FailedRun): string {
  return 'failed' in run ? `failed: ${run.failed}` : run.traceHash;
}
