/** That a seed is a run: twice here, and again wherever somebody looks. */
import { runAll } from '../../simulation/pool.js';
import type { EqualityEvidence, Sample } from '../evidence.js';
import { poolTermsOf } from './simulation.js';

export const EQUALITY_SEEDS = 20;
export const EQUALITY_HOURS = 2;

/** A few of each mode; together some seconds of work. */
const SAMPLES: readonly Omit<Sample, 'traceHash'>[] = [
  ...[1, 2, 3, 4, 5, 6].map((seed) => ({ seed, hours: 1, mode: 'normal' as const })),
  { seed: 7, hours: 1, mode: 'A1-broken' },
  { seed: 8, hours: 1, mode: 'A2-broken' },
];

export async function equality(
  threads: number,
): Promise<Pick<EqualityEvidence, 'seeds' | 'hours' | 'equal'>> {
  const seeds = Array.from({ length: EQUALITY_SEEDS }, (_, index) => index + 1);
  const once = () => runAll(poolTermsOf('normal', EQUALITY_HOURS, threads), seeds, () => undefined);
  const first = await once();
  const second = await once();
  const equal = first.filter(
    ({ traceHash, events }, index) =>
      traceHash === second[index]?.traceHash && events === second[index].events,
  ).length;
  return { seeds: seeds.length, hours: EQUALITY_HOURS, equal };
}

/** The given runs, or those that are published, as they come out now. */
export async function sample(
  threads: number,
  runs: readonly Omit<Sample, 'traceHash'>[] = SAMPLES,
): Promise<readonly Sample[]> {
  const found: Sample[] = [];
  for (const group of groupsOf(runs)) {
    const [{ mode, hours }] = group;
    const results = await runAll(
      poolTermsOf(mode, hours, threads),
      group.map(({ seed }) => seed),
      () => undefined,
    );
    found.push(...results.map(({ seed, traceHash }) => ({ seed, hours, mode, traceHash })));
  }
  return found;
}

type Wanted = Omit<Sample, 'traceHash'>;

/** Runs of one mode and length go through the pool together. */
function groupsOf(runs: readonly Wanted[]): readonly [Wanted, ...Wanted[]][] {
  const groups = new Map<string, [Wanted, ...Wanted[]]>();
  for (const run of runs) {
    const key = `${run.mode} ${run.hours}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [run]);
    else group.push(run);
  }
  return [...groups.values()];
}
