/** What the threads of a parameter search tell each other. */
import type { RunRecipe } from '../../backtest/registry.js';
import type { Texts } from '../../backtest/search/space.js';
import type { TrialEnd } from '../../backtest/search/trial.js';

/** What a thread begins with. */
export interface SearchData {
  /** The strategy's file, and SHA-256 of its code as it was when the search began. */
  readonly file: string;
  readonly sha256: string;
  readonly paths: readonly string[];
  readonly pair: string;
  readonly options: Omit<RunRecipe['options'], 'poll'>;
  readonly fixed: Texts;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** To the thread: a trial by its number. */
export interface DoTrial {
  readonly job: number;
  readonly texts: Texts;
  /** Of the recording, ms; `undefined`: not bounded. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'ended'; readonly job: number; readonly end: TrialEnd }
  | { readonly kind: 'failed'; readonly isUsage: boolean; readonly code: string; readonly message: string };
