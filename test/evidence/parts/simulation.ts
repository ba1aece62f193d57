import type { RunResult } from '../../../src/simulation/run-plan.js';
import { totalsOf } from '../../../src/simulation/totals.js';
import type { SwarmMode } from '../../../src/simulation/swarm-plan.js';
import { type PoolTerms, runAll } from '../../simulation/pool.js';
import type { SimulationFigures, SimulationName } from '../evidence.js';
import type { Store } from '../store.js';

const DAY_MS = 86_400_000;
const KEPT_TAIL = 10;
const MOST_RUNS_A_DAY = 20;

/** Without the long story of each violation: the seed tells it again. */
export type StoredRun = RunResult;

export function poolTermsOf(name: SimulationName, hours: number, threads: number): PoolTerms {
  const isMode = name === 'normal' || name === 'A1-broken' || name === 'A2-broken';
  const mode: SwarmMode = isMode ? name : 'normal';
  return { subject: isMode ? 'runner' : name, promise: undefined, hours, mode, threads };
}

export interface SimulationWork {
  readonly name: SimulationName;
  readonly store: Store<StoredRun>;
  /** Simulated days in all, those of earlier runs included. */
  readonly days: number;
  readonly hours: number;
  readonly threads: number;
  readonly isOver: () => boolean;
  readonly onRun: (done: number) => void;
}

/** Runs the seeds that are missing, from 1 on, until there are so many days. */
export async function simulate({ name, store, days, ...work }: SimulationWork): Promise<void> {
  const done = new Set(store.results.map(({ seed }) => seed));
  let ran = daysOf(store.results);
  if (ran >= days) return;
  // A run is shorter where only an operator could go on: more of them are needed then.
  const most = MOST_RUNS_A_DAY * Math.ceil((days - ran) / (work.hours / 24));
  const seeds: number[] = [];
  for (let seed = 1; seeds.length < most; seed++) if (!done.has(seed)) seeds.push(seed);
  await runAll(
    poolTermsOf(name, work.hours, work.threads),
    seeds,
    (run) => {
      store.add(shortened(run));
      ran += run.ranMs / DAY_MS;
      work.onRun(ran);
    },
    () => ran < days && !work.isOver(),
  );
}

export function daysOf(runs: readonly StoredRun[]): number {
  return runs.reduce((sum, { ranMs }) => sum + ranMs, 0) / DAY_MS;
}

export function figuresOf(runs: readonly StoredRun[], hours: number): SimulationFigures {
  const { crashesByPoint, ...totals } = totalsOf(runs[0]?.subject ?? '', runs);
  return {
    ...totals,
    crashPoints: Object.keys(crashesByPoint).length,
    hours,
    seeds: rangesOf(runs.map(({ seed }) => seed)),
    beyondLimit: runs.filter(({ counts }) => counts.worst > 1).length,
    endStates: endStatesOf(runs),
  };
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
