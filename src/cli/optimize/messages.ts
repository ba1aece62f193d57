/** The messages between the threads of a parameter search. */
import type { RunRecipe } from '../../backtest/registry.js';
import type { Texts } from '../../backtest/search/space.js';
import type { RecordingQuery } from '../../storage/recording/recording.js';
import type { TrialEnd } from '../../backtest/search/trial.js';

/** What a thread gets at its start. */
export interface SearchData {
  /** Path of the strategy's file, and SHA-256 of its code when the search began. */
  readonly file: string;
  readonly sha256: string;
  readonly paths: readonly string[];
  readonly options: Omit<RunRecipe['options'], 'poll'>;
  readonly fixed: Texts;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Tells a thread to run a trial, by its number. */
export interface DoTrial {
  readonly job: number;
  readonly texts: Texts;
  /** The part of the recording to run on. */
  readonly query: RecordingQuery;
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'ended'; readonly job: number; readonly end: TrialEnd }
  | { readonly kind: 'failed'; readonly isUsage: boolean; readonly code: string; readonly message: string };
