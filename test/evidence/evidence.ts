/** What `docs/evidence.json` holds. */
import type { JournalCounts } from './parts/journal.js';
import type { Totals } from '../../src/simulation/totals.js';
import type { Climate } from '../../src/simulation/weather.js';
import type { KILL_FIGURES } from './kill-runner.js';
import type { KillResult } from './kills/result.js';
import type { RecordedSessionResult } from './recorded-session.js';

export interface Evidence {
  readonly schemaVersion: 2;
  /** ISO date of the newest part. */
  readonly date: string;
  readonly commit: string;
  /** The code of the commit was changed when it was measured. */
  readonly isDirty: boolean;
  readonly machine: { readonly cores: number; readonly node: string };
  readonly simulation?: SimulationEvidence;
  readonly sample?: SampleEvidence;
  readonly equality?: EqualityEvidence;
  readonly journal?: Measured<JournalCounts>;
  readonly kills?: KillEvidence;
  readonly session?: Measured<RecordedSessionResult>;
  readonly mutants?: MutantEvidence;
}

/** Which code a part was measured with. */
export interface Provenance {
  /** Of the code that ran, see test/evidence/sources.ts. */
  readonly source: string;
  readonly commits: readonly string[];
}

export interface Measured<T> extends Provenance {
  readonly counts: T;
}

export const SIMULATIONS = [
  'normal',
  'stops',
  'A1-broken',
  'A2-broken',
  'blind-retry',
  'timeout-failed',
  'look-and-resend',
] as const;
/** `runner` in a mode; or in the normal one `stops`, which is `runner` with stops at the venue, or a baseline. */
export type SimulationName = (typeof SIMULATIONS)[number];

export interface SimulationFigures
  extends Omit<Totals, 'crashesByPoint' | 'faultsByKind' | 'verdicts'>,
    Provenance {
  /** Of the traces that the sample has with this code; absent where it was not taken. */
  readonly sample?: string | undefined;
  /** Runs of earlier codes, that count because they do the same; absent without any. */
  readonly carried?: readonly CarriedRuns[] | undefined;
  readonly climate: Climate;
  readonly faultsByKind: Readonly<Record<string, number>>;
  /** Named places where a process died, and how many different ones. */
  readonly crashPoints: number;
  readonly hours: number;
  /** First and last seed of each unbroken row, both inclusive. */
  readonly seeds: readonly (readonly [first: number, last: number])[];
  /**
   * Those in which violations, duplicates, orphans, SYNCED, secrets and the position were looked at: also runs behind a
   * seed that is missing. Absent where they were not.
   */
  readonly runsJudged?: number;
  /** Runs in which the position went beyond the limit. */
  readonly beyondLimit: number;
  /** Runs by the state of the pair at their end. */
  readonly endStates: Readonly<Record<string, number>>;
  /** Runs that ended with an error of the simulation itself: `seed 7: …`. */
  readonly failed: readonly string[];
  /** Seconds from the leaving of a request to the verdict about it, by verdict. */
  readonly verdicts: Readonly<Record<string, VerdictTimes>>;
}

export interface CarriedRuns extends Provenance {
  readonly runs: number;
  /** How many seeds were run by both codes, alike in every trace but for the mended ones. */
  readonly both: number;
  /** Seeds that the earlier code broke something in, and that come out otherwise now. */
  readonly mended: readonly number[];
}

export interface VerdictTimes {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

export interface SimulationEvidence {
  /**
   * Rows of earlier seeds of the normal mode, in their order: published before, by code that does the same in the sample.
   * Their days count beside those of `runs.normal`, which begin behind them.
   */
  readonly before?: readonly SimulationFigures[] | undefined;
  readonly runs: Partial<Readonly<Record<SimulationName, SimulationFigures>>>;
}

export interface Sample {
  readonly seed: number;
  readonly hours: number;
  readonly mode: 'normal' | 'A1-broken' | 'A2-broken';
  /** Default `runner`. */
  readonly subject?: 'stops';
  /** Default `storm`. */
  readonly climate?: Climate;
  readonly traceHash: string;
}

export interface SampleEvidence extends Provenance {
  readonly runs: readonly Sample[];
}

export interface EqualityEvidence extends Provenance {
  readonly seeds: number;
  readonly hours: number;
  readonly equal: number;
}

export type KillCounts = Omit<
  KillResult,
  'seed' | 'syncedMs' | 'problems' | 'provenEnds' | 'refusedStarts'
> & {
  /** Absent where it was a problem. */
  readonly refusedStarts?: number;
  /** Absent where nobody looked at what a stop that was not proven left behind. */
  readonly provenEnds?: number;
};

export interface KillEvidence extends Measured<KillCounts> {
  readonly figures: typeof KILL_FIGURES;
  readonly seeds: readonly number[];
  readonly syncedMs: {
    readonly count: number;
    readonly p50: number;
    readonly p99: number;
    readonly max: number;
  };
  readonly problems: readonly string[];
}

/** As `npm run mutants` of test/simulation/mutants writes it. */
export interface MutantEvidence {
  readonly mutants: readonly {
    readonly id: string;
    /** What it does wrong. */
    readonly meaning: string;
    readonly mode: string;
    readonly hours: number;
    /** What all seeds of the hunt were about (`src/simulation/theme.ts`); absent: what each of them drew. */
    readonly theme?: string;
    /** Absent: `runner`. */
    readonly subject?: string;
    /** The first that shows it, and what was broken then; both absent when none does. */
    readonly seed?: number;
    readonly invariant?: string;
    readonly runs: number;
    /** Why no run can tell it apart. */
    readonly equivalent?: string;
  }[];
}
