import type { NoiseFigures } from '../backtest/statistics/noise.js';
import type { Covered, DataName } from './cover.js';
import type { CoverageSummary, Impact } from './summary.js';

/** Which code something was measured with. */
export interface Measured {
  readonly source: string;
  /** Runs that were made again with the code of a later commit, and how many came out the same to the digit. */
  readonly again?: { readonly commit: string; readonly runs: number; readonly same: number };
  readonly commits: readonly string[];
}

export interface CoverageResult extends Measured {
  /** Virtual, of a run. */
  readonly minutes: number;
  /** Of the `queue` model. */
  readonly slippageTicks: number;
  readonly firstSeed: number;
  readonly lastSeed: number;
  readonly families: Readonly<Record<string, readonly Covered[]>>;
}

export interface NoiseResult extends Measured {
  readonly figures: Readonly<Record<string, NoiseFigures>>;
}

export interface Results {
  readonly coverage?: CoverageResult;
  readonly noise?: NoiseResult;
}

/** What is published. */
export interface FamilySummary {
  readonly impact: Impact;
  readonly ranges: Readonly<Record<DataName, CoverageSummary>>;
}

export interface CoverageFigures extends Measured {
  readonly minutes: number;
  readonly slippageTicks: number;
  readonly firstSeed: number;
  readonly lastSeed: number;
  readonly families: Readonly<Record<string, FamilySummary>>;
}

export interface ModelRangeFigures {
  readonly schemaVersion: 1;
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly coverage?: CoverageFigures;
  readonly noise?: NoiseResult;
}
