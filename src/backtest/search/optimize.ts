import { StrategyError, TickwrightError, UsageError } from '../../model/errors.js';
import { objectiveOf, type ObjectiveName } from './objective.js';
import type { Sampler } from './sampler.js';
import { search } from './search.js';
import type { Space, Texts } from './space.js';
import type { Fold, Stretch } from './stretches.js';
import type { TrialEnd, TrialOutcome } from './trial.js';

export interface OptimizeOptions {
  readonly space: Space;
  /** Makes the sampler of one search; the same name always gives the same sampler. */
  readonly samplerOf: (name: string) => Sampler;
  /** The most trials of one search. */
  readonly budget: number;
  readonly objective: ObjectiveName;
  readonly stretch: Stretch;
  readonly folds: readonly Fold[];
  readonly attempt: (texts: Texts, stretch: Stretch) => Promise<TrialEnd>;
  /** Called when a search begins. `fold` counts from 1; `undefined`: the search over the whole stretch. */
  readonly onSearch?: (fold: number | undefined) => void;
}

/** A trial that completed. */
export interface Entry {
  readonly number: number;
  readonly texts: Texts;
  readonly outcome: TrialOutcome;
  /** The objective, higher is better; `undefined` if the trial has too little data for it. */
  readonly score: number | undefined;
}

/** A trial without a result. */
export interface FailedTrial {
  readonly number: number;
  readonly texts: Texts;
  readonly reason: string;
  /** Whether what was given is wrong, rather than the strategy's code. */
  readonly isUsage: boolean;
}

export interface FoldEnd {
  readonly fold: Fold;
  /**
   * The best trial on the inner stretch, with the same parameters tried on the outer one; or why none could be chosen.
   */
  readonly end: { readonly chosen: Entry; readonly outside: TrialEnd } | { readonly why: string };
}

export interface Optimized {
  /** The completed trials, the best first; equal ones in the order of their numbers. */
  readonly ranking: readonly Entry[];
  /** In the order of their numbers. */
  readonly failed: readonly FailedTrial[];
  readonly folds: readonly FoldEnd[];
}

/**
 * Chooses parameters over the whole stretch. Then, for each fold, chooses them on its inner stretch and tries them on
 * its outer one, to show how well the search chooses for data that it does not know.
 */
export async function optimize(options: OptimizeOptions): Promise<Optimized> {
  const { stretch, folds: given, attempt } = options;
  const { ranking, failed, error } = await choose(options, stretch, undefined);
  if (error !== undefined) throw error;
  const folds: FoldEnd[] = [];
  for (const [at, fold] of given.entries()) {
    const inside = await choose(options, fold.inside, at + 1);
    const chosen = inside.ranking[0] as Entry;
    const end =
      inside.error === undefined
        ? { chosen, outside: await attempt(chosen.texts, fold.outside) }
        : { why: inside.error.message };
    folds.push({ fold, end });
  }
  return { ranking, failed, folds };
}

/** Runs one search and ranks its trials. `error`: why none of them can be chosen. */
async function choose(
  { space, samplerOf, budget, objective, attempt, onSearch }: OptimizeOptions,
  stretch: Stretch,
  fold: number | undefined,
): Promise<Pick<Optimized, 'ranking' | 'failed'> & { readonly error: TickwrightError | undefined }> {
  onSearch?.(fold);
  const scoreOf = (end: TrialEnd) => (end.kind === 'done' ? objectiveOf(objective, end.outcome) : undefined);
  const tried = await search<TrialEnd>({
    space,
    sampler: samplerOf(fold === undefined ? 'search' : `fold ${fold}`),
    budget,
    attempt: (texts) => attempt(texts, stretch),
    scoreOf,
  });
  const failed: FailedTrial[] = [];
  const entries: Entry[] = [];
  for (const { number, texts, outcome: end } of tried) {
    if (end.kind === 'done') entries.push({ number, texts, outcome: end.outcome, score: scoreOf(end) });
    else failed.push({ number, texts, reason: end.reason, isUsage: end.isUsage === true });
  }
  const ranking = entries.sort((a, b) => compare(b.score, a.score) || a.number - b.number);
  const isChoosable = ranking[0]?.score !== undefined && ranking.some(({ outcome }) => outcome.fills > 0);
  const error = isChoosable ? undefined : nothingToChoose(objective, ranking, failed);
  return { ranking, failed, error };
}

function nothingToChoose(
  objective: ObjectiveName,
  ranking: readonly Entry[],
  failed: readonly FailedTrial[],
): TickwrightError {
  if (ranking.length === 0) {
    const text = `a search must have trials that come to something, received ${failed.length} that all failed: ${failed[0]?.reason}`;
    return failed.every(({ isUsage }) => isUsage)
      ? new UsageError('TICKWRIGHT_E_SEARCH', text)
      : new StrategyError('TICKWRIGHT_E_SEARCH', text);
  }
  const trials = ranking.length + failed.length;
  if (ranking.every(({ outcome }) => outcome.fills === 0)) {
    // This is not a usage error, as no given value is wrong by itself: the search ran, and no trial traded.
    const text =
      `a search must have trials that trade, received ${trials} without a fill (tickwright backtest with parameters of one ` +
      'says what became of its orders)';
    return new TickwrightError('TICKWRIGHT_E_SEARCH', text);
  }
  return new UsageError(
    'TICKWRIGHT_E_SEARCH',
    `--objective must be a figure that trials have, received ${objective}, which none of ${trials} has`,
  );
}

function compare(a: number | undefined, b: number | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  return b === undefined ? 1 : a - b;
}
