import type { Recording } from '../../storage/recording/recording.js';
import type { StrategyDefinition } from '../../strategy/definition.js';
import { bindStrategy } from '../../strategy/instance.js';
import { runBacktest } from '../backtest.js';
import { equityFigures } from '../metrics.js';
import type { RunRecipe } from '../registry.js';
import { headlineIdOf } from '../result.js';
import { runOptions } from '../run-options.js';
import type { Judged } from '../trials.js';
import { returnsToRuin } from './returns-to-ruin.js';
import type { Texts } from './space.js';

/** What is kept of the run of one point. It goes from one thread to another. */
export interface TrialOutcome {
  /** All that its place in the ledger of trials is worked out from. */
  readonly judged: Judged;
  /** Plain decimal text, by the fill model of the search; `null`: too little to take it from. */
  readonly pnl: string;
  readonly sharpe: string | null;
  readonly calmar: string | null;
  readonly maxDrawdown: string;
  readonly fills: number;
  readonly roundTrips: number;
  readonly decisionHash: string;
  /** Of days; none where there are fewer than 30. Of an account that was ruined up to that day, however few. */
  readonly returns: readonly number[];
  readonly isRuined: boolean;
}

/** A trial that came to nothing is no reason to lose the others. */
export type TrialEnd =
  | { readonly kind: 'done'; readonly outcome: TrialOutcome }
  | { readonly kind: 'failed'; readonly reason: string };

/** What all trials of a search share. */
export interface TrialTask {
  readonly definition: StrategyDefinition;
  /** SHA-256 of its code. */
  readonly strategyHash: string;
  readonly engineVersion: string;
  /** Of one fill model. */
  readonly options: Omit<RunRecipe['options'], 'poll'>;
  /** Parameters that stay as they are. */
  readonly fixed: Texts;
}

/** Runs a strategy with these parameters over a recording. @throws whatever the strategy throws */
export async function runTrial(task: TrialTask, recording: Recording, texts: Texts): Promise<TrialOutcome> {
  const { definition, strategyHash, engineVersion, options, fixed } = task;
  const run = await runBacktest({
    strategy: bindStrategy(definition, { ...fixed, ...texts }),
    strategyHash,
    engineVersion,
    recording,
    ...runOptions(options),
  });
  const { result, headline } = run;
  const { runId, strategy, metrics, pnl, sharpe, maxDrawdown, fills, roundTrips, decisionHash } = result;
  const { watch, from, to } = headline.session;
  const { days, skewness, kurtosis, calmar } = metrics;
  const capital = Number(options.capital);
  const { closes, equity, ruinedAt } = watch;
  return {
    judged: {
      runId,
      headlineId: headlineIdOf(result),
      strategy,
      pair: result.pair,
      from: result.from,
      to: result.to,
      data: { hash: result.data.hash },
      metrics: { days, sharpe, skewness, kurtosis },
    },
    pnl: pnl[headline.model] ?? '0',
    sharpe,
    calmar,
    maxDrawdown,
    fills,
    roundTrips,
    decisionHash,
    returns:
      ruinedAt === undefined
        ? equityFigures({ watch, capital, from, to }).returns
        : returnsToRuin({ closes, equity, ruinedAt }, { from, capital }),
    isRuined: ruinedAt !== undefined,
  };
}
