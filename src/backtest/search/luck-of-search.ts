import { effectiveTrials } from '../statistics/luck.js';
import { overfittingProbability } from '../statistics/overfitting.js';
import type { TrialOutcome } from './trial.js';

/** How far the best of a search is to be believed, by what all of its trials did day after day. */
export interface SearchLuck {
  /** How many independent trials as many are worth that go up and down together. */
  readonly effectiveTrials: number;
  /** How often the best on one half of the time is not above the middle on the other. */
  readonly overfitting: number;
}

/** Beyond so many returns of all trials together the time is halved in 70 ways, not in 12 870: minutes otherwise. */
const MANY = 100_000;
const FEW_BLOCKS = 8;

/**
 * `undefined` where there are fewer than two trials that ever moved, too few daily returns, or none but trials that were ruined. One that was
 * ruined among others has lost what it lost, and stays where it is.
 */
export function searchLuck(
  outcomes: readonly Pick<TrialOutcome, 'returns' | 'isRuined'>[],
): SearchLuck | undefined {
  const days = outcomes.find(({ isRuined }) => !isRuined)?.returns.length ?? 0;
  if (outcomes.length < 2 || days === 0) return undefined;
  const trials = outcomes
    .map(({ returns, isRuined }) => (isRuined ? padded(returns, days) : returns))
    // One that never moved was no candidate: it has no Sharpe ratio to be the best by.
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
 * Over all pairs, without going through them: with z of mean 0 and length 1, the sum of all products of pairs is
 * |Σ z|² − N over N·(N − 1). Trials that never moved go with nobody.
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
