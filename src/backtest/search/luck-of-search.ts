import { effectiveTrials } from '../statistics/luck.js';
import { overfittingProbability } from '../statistics/overfitting.js';
import type { TrialOutcome } from './trial.js';

/** How far to trust the best trial of a search, from the daily returns of all its trials. */
export interface SearchLuck {
  /** The number of independent trials that is equivalent to these correlated ones. */
  readonly effectiveTrials: number;
  /**
   * Probability of overfitting: how often the best trial on one half of the time is not above the median on the other
   * half.
   */
  readonly overfitting: number;
}

/**
 * With more returns than this in all trials together, time is split in 70 ways rather than 12 870, which would take
 * minutes.
 */
const MANY = 100_000;
const FEW_BLOCKS = 8;

/**
 * How much luck explains of a search; `undefined` with fewer than two trials that ever moved, with too few daily returns, or
 * if all trials were ruined. A trial that was ruined among others keeps its loss, and has returns of 0 from then on.
 */
export function searchLuck(
  outcomes: readonly Pick<TrialOutcome, 'returns' | 'isRuined'>[],
): SearchLuck | undefined {
  const days = outcomes.find(({ isRuined }) => !isRuined)?.returns.length ?? 0;
  if (outcomes.length < 2 || days === 0) return undefined;
  const trials = outcomes
    .map(({ returns, isRuined }) => (isRuined ? padded(returns, days) : returns))
    // A trial that never moved has no Sharpe ratio, so it could not have been chosen as the best.
    .filter((returns) => returns.some((each) => each !== returns[0]));
  if (trials.length < 2) return undefined;
  return {
    effectiveTrials: effectiveTrials(trials.length, Math.max(0, meanCorrelation(trials))),
    overfitting: overfittingProbability(trials, trials.length * days > MANY ? FEW_BLOCKS : undefined),
  };
}

function padded(returns: readonly number[], days: number): readonly number[] {
  return Array.from({ length: days }, (_, at) => returns[at] ?? 0);
}

/**
 * Mean correlation of all pairs of trials, without iterating over the pairs: for returns z, normalised to mean 0 and
 * length 1, it is (|Σ z|² − N) / (N·(N − 1)). Trials that never moved count as uncorrelated.
 */
export function meanCorrelation(trials: readonly (readonly number[])[]): number {
  const days = trials[0]?.length ?? 0;
  const sum = new Float64Array(days);
  let moved = 0;
  for (const returns of trials) {
    const mean = returns.reduce((total, each) => total + each, 0) / days;
    const length = Math.hypot(...returns.map((each) => each - mean));
    if (!(length > 0)) continue;
    moved++;
    for (const [at, each] of returns.entries()) sum[at] = (sum[at] as number) + (each - mean) / length;
  }
  const square = sum.reduce((total, each) => total + each * each, 0);
  return trials.length < 2 ? 0 : (square - moved) / (trials.length * (trials.length - 1));
}
