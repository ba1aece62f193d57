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

/** The part of a run that is kept of one point. It is sent between threads. */
export interface TrialOutcome {
  /** What decides its place in the ledger of trials. */
  readonly judged: Judged;
  /** Plain decimal text, under the fill model of the search; `null` if there is too little data. */
  readonly pnl: string;
  readonly sharpe: string | null;
  readonly calmar: string | null;
  readonly maxDrawdown: string;
  readonly fills: number;
  readonly roundTrips: number;
  readonly decisionHash: string;
  /**
   * Daily returns; empty with fewer than 30. For a ruined account, all returns up to the day of the ruin, however few.
   */
  readonly returns: readonly number[];
  readonly isRuined: boolean;
}

/** A failed trial must not end the search, so its reason is a value. */
export type TrialEnd =
  | { readonly kind: 'done'; readonly outcome: TrialOutcome }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** Whether what was given is wrong, rather than the strategy's code. */
      readonly isUsage?: boolean;
    };

/** What all trials of a search have in common. */
export interface TrialTask {
  readonly definition: StrategyDefinition;
  /** SHA-256 of the strategy's code. */
  readonly strategyHash: string;
  readonly engineVersion: string;
  /** Options of the run, with one fill model. */
  readonly options: Omit<RunRecipe['options'], 'poll'>;
  /** Parameters that are the same in all trials. */
  readonly fixed: Texts;
}

/**
 * Runs a strategy with these parameters over a recording.
 *
 * @throws whatever the strategy throws
 */
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
