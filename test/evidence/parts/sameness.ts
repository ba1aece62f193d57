/** That a seed is a run: twice here, and again wherever somebody looks. */
import { sha256 } from '../../../src/model/digest.js';
import { runAll } from '../../simulation/pool.js';
import type { EqualityEvidence, Sample } from '../evidence.js';
import { poolTermsOf } from './simulation.js';

export const EQUALITY_SEEDS = 20;
export const EQUALITY_HOURS = 2;

/** A few of each mode; together some seconds of work. */
const SAMPLES: readonly Omit<Sample, 'traceHash'>[] = [
  ...[1, 2, 3, 4].map((seed) => ({ seed, hours: 1, mode: 'normal' as const })),
  ...[5, 6, 9, 10].map((seed) => ({ seed, hours: 2, mode: 'normal' as const, climate: 'mixed' as const })),
  { seed: 7, hours: 1, mode: 'A1-broken' },
  { seed: 8, hours: 1, mode: 'A2-broken' },
  ...[11, 12].map((seed) => ({ seed, hours: 1, mode: 'normal' as const, subject: 'stops' as const })),
];

export async function equality(
  threads: number,
): Promise<Pick<EqualityEvidence, 'seeds' | 'hours' | 'equal'>> {
  const seeds = Array.from({ length: EQUALITY_SEEDS }, (_, index) => index + 1);
  const terms = poolTermsOf('normal', { hours: EQUALITY_HOURS, threads, climate: 'storm' });
  const once = () => runAll(terms, seeds, () => undefined);
  const first = await once();
  const second = await once();
  const equal = first.filter(
    ({ traceHash, events }, index) =>
      traceHash === second[index]?.traceHash && events === second[index].events,
  ).length;
  return { seeds: seeds.length, hours: EQUALITY_HOURS, equal };
}

/** Of all of its traces together; equal for code that does the same with each of the seeds. 16 hex digits. */
export function sampleDigest(runs: readonly Sample[]): string {
  const lines = runs.map(({ seed, hours, mode, subject = 'runner', climate = 'storm', traceHash }) =>
    [seed, hours, mode, subject, climate, traceHash].join(' '),
  );
  return sha256(lines.join('\n')).slice(0, 16);
}

/** The given runs, or those that are published, as they come out now. */
export async function sample(
  threads: number,
  runs: readonly Omit<Sample, 'traceHash'>[] = SAMPLES,
): Promise<readonly Sample[]> {
  const found: Sample[] = [];
  for (const group of groupsOf(runs)) {
    const [{ mode, subject, hours, climate = 'storm' }] = group;
    const results = await runAll(
      poolTermsOf(subject ?? mode, { hours, threads, climate }),
      group.map(({ seed }) => seed),
      () => undefined,
    );
    const terms = { hours, mode, ...(subject === undefined ? {} : { subject }), climate };
    found.push(...results.map(({ seed, traceHash }) => ({ seed, ...terms, traceHash })));
  }
  return found;
}

type Wanted = Omit<Sample, 'traceHash'>;

/** Runs of one program, mode and length go through the pool together. */
function groupsOf(runs: readonly Wanted[]): readonly [Wanted, ...Wanted[]][] {
  const groups = new Map<string, [Wanted, ...Wanted[]]>();
  for (const run of runs) {
    const key = `${run.mode} ${run.subject ?? 'runner'} ${run.hours} ${run.climate ?? 'storm'}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [run]);
    else group.push(run);
  }
  return [...groups.values()];
}
