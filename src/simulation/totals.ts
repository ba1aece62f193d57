import { HashChain } from '../model/hash-chain.js';
import type { RunResult } from './run-plan.js';
import { addedMatrices, addedTallies, sumOf, type Tally } from './tally.js';

/** The sums of many runs of one subject. */
export interface Totals {
  readonly subject: string;
  readonly runs: number;
  /** Simulated days, including the calm after the faults. */
  readonly days: number;
  readonly events: number;
  readonly faults: number;
  readonly faultsByKind: Readonly<Record<string, number>>;
  readonly lives: number;
  readonly crashes: number;
  readonly crashesByPoint: Readonly<Record<string, number>>;
  readonly intents: number;
  readonly writes: number;
  readonly orders: number;
  readonly doubts: number;
  readonly judged: Readonly<Record<string, number>>;
  readonly met: Readonly<Record<string, Tally>>;
  readonly verdicts: Readonly<Record<string, Tally>>;
  readonly duplicates: number;
  readonly duplicatesByOthers: number;
  readonly orphans: number;
  readonly late: number;
  readonly unexplainedSynced: number;
  /** Largest |position| ÷ limit of all runs. */
  readonly worst: number;
  /** Share of the time in which the program said SYNCED, 0 to 1. */
  readonly synced: number;
  /** Number of log lines and files that contain the key or the secret. */
  readonly secrets: number;
  /** Violations like `I4 seed 17`. */
  readonly violations: readonly string[];
  /** Hash of the trace hashes, in the order of the seeds. */
  readonly traceHash: string;
}

const DAY_MS = 86_400_000;

/** Adds up results in the order of their seeds, independent of the order in which they arrived. */
export function totalsOf(subject: string, results: readonly RunResult[]): Totals {
  const runs = results.toSorted((a, b) => a.seed - b.seed);
  const sum = (of: (run: RunResult) => number) => runs.reduce((total, run) => total + of(run), 0);
  const chain = new HashChain();
  for (const { traceHash } of runs) chain.text(traceHash);
  const faultsByKind = addedTallies(runs.map(({ faults }) => faults));
  const crashesByPoint = addedTallies(runs.map(({ crashes }) => crashes));
  return {
    subject,
    runs: runs.length,
    days: sum(({ ranMs }) => ranMs) / DAY_MS,
    events: sum(({ events }) => events),
    faults: sumOf(faultsByKind),
    faultsByKind,
    lives: sum(({ lives }) => lives),
    crashes: sumOf(crashesByPoint),
    crashesByPoint,
    intents: sum(({ counts }) => counts.intents),
    writes: sum(({ counts }) => counts.writes),
    orders: sum(({ counts }) => counts.orders),
    doubts: sum(({ doubts }) => doubts),
    judged: addedTallies(runs.map(({ judged }) => judged)),
    met: addedMatrices(runs.map(({ met }) => met)),
    verdicts: addedMatrices(runs.map(({ verdicts }) => verdicts)),
    duplicates: sum(({ counts }) => counts.duplicates),
    duplicatesByOthers: sum(({ counts }) => counts.duplicatesByOthers),
    orphans: sum(({ counts }) => counts.orphans),
    late: sum(({ counts }) => counts.late),
    unexplainedSynced: sum(({ counts }) => counts.unexplainedSynced),
    worst: Math.max(0, ...runs.map(({ counts }) => counts.worst)),
    synced:
      sum(({ counts, ranMs }) => counts.synced * ranMs) /
      Math.max(
        1,
        sum(({ ranMs }) => ranMs),
      ),
    secrets: sum(({ secrets }) => secrets),
    violations: runs.flatMap(({ seed, violations }) =>
      violations.map(({ invariant }) => `${invariant} seed ${seed}`),
    ),
    traceHash: chain.digest(),
  };
}
