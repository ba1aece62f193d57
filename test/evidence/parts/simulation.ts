import type { RunResult } from '../../../src/simulation/run-plan.js';
import { RUNNER, RUNNER_WITH_STOPS } from '../../../src/simulation/runner-subject.js';
import { totalsOf } from '../../../src/simulation/totals.js';
import type { SwarmMode } from '../../../src/simulation/swarm-plan.js';
import { type PoolTerms, runAll } from '../../simulation/pool.js';
import { quantileOf, sumOf } from '../../../src/simulation/tally.js';
import type { Climate } from '../../../src/simulation/weather.js';
import type { Provenance, SimulationFigures, SimulationName } from '../evidence.js';
import type { Store } from '../store.js';

const DAY_MS = 86_400_000;
const KEPT_TAIL = 10;
const MOST_RUNS_A_DAY = 20;

/** Without the long story of each violation: the seed tells it again. */
export type StoredRun = RunResult;

/** Or that the simulation itself failed: never to be lost, and never counted as a run. */
export interface FailedRun {
  readonly seed: number;
  readonly failed: string;
}

export interface SimulationTerms {
  readonly hours: number;
  readonly threads: number;
  readonly climate: Climate;
}

export function poolTermsOf(name: SimulationName, { hours, threads, climate }: SimulationTerms): PoolTerms {
  const isMode = name === 'normal' || name === 'A1-broken' || name === 'A2-broken';
  const mode: SwarmMode = isMode ? name : 'normal';
  return { hours, threads, climate, subject: isMode ? RUNNER.name : name, promise: undefined, mode };
}

/** Or a baseline, which promises nothing. */
export const isOurs = (subject: string): boolean =>
  subject === RUNNER.name || subject === RUNNER_WITH_STOPS.name;

export interface SimulationWork extends SimulationTerms {
  readonly name: SimulationName;
  readonly store: Store<StoredRun | FailedRun>;
  /** Simulated days in all, those of earlier runs included. */
  readonly days: number;
  /** Default 1. */
  readonly firstSeed?: number | undefined;
  /** Default: as many as the days take. */
  readonly lastSeed?: number | undefined;
  readonly isOver: () => boolean;
  readonly onRun: (done: number) => void;
  /** A run that broke something, or that came to no end. */
  readonly onTrouble: (what: string) => void;
}

/** Runs the seeds that are missing, from the first on, until there are so many days. */
export async function simulate({
  name,
  store,
  days,
  firstSeed = 1,
  lastSeed = Number.POSITIVE_INFINITY,
  ...work
}: SimulationWork): Promise<void> {
  const done = new Set(store.results.map(({ seed }) => seed));
  let ran = daysOf(runsOf(store));
  if (ran >= days) return;
  // A run is shorter where only an operator could go on: more of them are needed then.
  const most = MOST_RUNS_A_DAY * Math.ceil((days - ran) / (work.hours / 24));
  const seeds: number[] = [];
  for (let seed = firstSeed; seeds.length < most && seed <= lastSeed; seed++) {
    if (!done.has(seed)) seeds.push(seed);
  }
  await runAll(
    poolTermsOf(name, work),
    seeds,
    (run) => {
      store.add(shortened(run));
      ran += run.ranMs / DAY_MS;
      for (const { invariant, what } of isOurs(run.subject) ? run.violations : []) {
        work.onTrouble(`seed ${run.seed} breaks ${invariant}: ${what}`);
      }
      work.onRun(ran);
    },
    () => ran < days && !work.isOver(),
    (seed, { message }) => {
      store.add({ seed, failed: message });
      work.onTrouble(`seed ${seed} failed: ${message}`);
    },
  );
}

/** Not even where it may: a baseline promises nothing. */
export function brokeNothing(run: StoredRun | FailedRun): boolean {
  if ('failed' in run) return false;
  const { duplicates, orphans, unexplainedSynced, worst } = run.counts;
  const counts = [run.violations.length, duplicates, orphans, unexplainedSynced, run.secrets];
  return counts.every((count) => count === 0) && worst <= 1;
}

export function runsOf(store: Store<StoredRun | FailedRun>): readonly StoredRun[] {
  return store.results.filter((each): each is StoredRun => !('failed' in each));
}

export function daysOf(runs: readonly StoredRun[]): number {
  return runs.reduce((sum, { ranMs }) => sum + ranMs, 0) / DAY_MS;
}

export function figuresOf(
  store: Store<StoredRun | FailedRun>,
  { hours, climate }: Pick<SimulationTerms, 'hours' | 'climate'>,
  firstSeed = 1,
): Omit<SimulationFigures, keyof Provenance | 'sample' | 'carried'> {
  const finished = runsOf(store);
  const runs = unbroken(store.results, firstSeed).filter((each): each is StoredRun => !('failed' in each));
  const subject = finished[0]?.subject ?? '';
  // What ours broke is no matter of how much was run. Of the others these are volumes, too: each has to be of the same runs.
  const judged = isOurs(subject) ? finished : runs;
  const { crashesByPoint, verdicts, ...totals } = totalsOf(subject, runs);
  const { violations, duplicates, orphans, unexplainedSynced, secrets, worst } = totalsOf(subject, judged);
  return {
    ...totals,
    violations,
    duplicates,
    orphans,
    unexplainedSynced,
    secrets,
    worst,
    runsJudged: judged.length,
    climate,
    verdicts: Object.fromEntries(
      Object.entries(verdicts).map(([verdict, times]) => [
        verdict,
        { count: sumOf(times), p50: quantileOf(times, 0.5) ?? 0, p99: quantileOf(times, 0.99) ?? 0 },
      ]),
    ),
    failed: store.results.flatMap((each) => ('failed' in each ? [`seed ${each.seed}: ${each.failed}`] : [])),
    crashPoints: Object.keys(crashesByPoint).length,
    hours,
    seeds: rangesOf(runs.map(({ seed }) => seed)),
    beyondLimit: judged.filter(({ counts }) => counts.worst > 1).length,
    endStates: endStatesOf(runs),
  };
}

/**
 * From the first seed on, up to the first that is not there: when a measurement is ended, those under way are missing, and they
 * are rather the long ones. So much for how much was run; what was broken is looked for in all.
 */
export function unbroken<T extends { readonly seed: number }>(
  results: readonly T[],
  firstSeed = 1,
): readonly T[] {
  const sorted = results.toSorted((a, b) => a.seed - b.seed);
  return sorted.filter(({ seed }, index) => seed === firstSeed + index);
}

/** How many runs ended with the program saying what. */
function endStatesOf(runs: readonly StoredRun[]): Readonly<Record<string, number>> {
  const states: Record<string, number> = {};
  for (const { lastWords } of runs) {
    const state = lastWords.split(' ', 1)[0] ?? '';
    states[state] = (states[state] ?? 0) + 1;
  }
  return states;
}

function shortened({ violations, ...run }: RunResult): StoredRun {
  return {
    ...run,
    violations: violations.map((each) => ({ ...each, tail: each.tail.slice(-KEPT_TAIL) })),
  };
}

/** Unbroken rows, both ends inclusive. */
export function rangesOf(seeds: readonly number[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const seed of seeds.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && seed === last[1] + 1) last[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges;
}
