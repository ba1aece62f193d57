import { UsageError } from '../../model/errors.js';
import { periodSharpe } from './ratios.js';

const MANY_RETURNS = 1_000;

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation (D. H. Bailey, J. Borwein, M. López
 * de Prado, Q. J. Zhu, 2015): how often the trial that is best on one half of the blocks is not above the median on the
 * other half. For pure noise it has mean 0.5, and standard deviation 0.12 over data sets.
 *
 * @param trials returns of each trial, over the same periods
 * @throws UsageError for fewer than two trials, or for trials of unequal length
 */
export function overfittingProbability(
  trials: readonly (readonly number[])[],
  blocks = (trials[0]?.length ?? 0) < MANY_RETURNS ? 8 : 16,
): number {
  const length = trials[0]?.length ?? 0;
  if (trials.length < 2 || length < 2 * blocks || trials.some((returns) => returns.length !== length)) {
    throw new UsageError(
      'TICKWRIGHT_E_TRIALS',
      `trials must be two or more with at least ${2 * blocks} returns each, of the same periods, received ` +
        `${trials.length} with ${trials.map((returns) => returns.length).join(', ')}`,
    );
  }
  const bounds = Array.from({ length: blocks + 1 }, (_, i) => Math.floor((i * length) / blocks));
  let splits = 0;
  let overfitted = 0;
  for (const mask of halves(blocks)) {
    const inside = trials.map((returns) => sharpeOf(returns, bounds, mask));
    const outside = trials.map((returns) => sharpeOf(returns, bounds, ~mask));
    const best = inside.indexOf(Math.max(...inside));
    if (rankOf(outside, best) / (trials.length + 1) <= 0.5) overfitted++;
    splits++;
  }
  return overfitted / splits;
}

/** Sharpe ratio of the blocks whose bits are set; 0 for a trial that never traded. */
function sharpeOf(returns: readonly number[], bounds: readonly number[], mask: number): number {
  const chosen: number[] = [];
  for (let block = 0; block + 1 < bounds.length; block++) {
    if ((mask & (1 << block)) === 0) continue;
    chosen.push(...returns.slice(bounds[block], bounds[block + 1]));
  }
  const sharpe = periodSharpe(chosen);
  return Number.isNaN(sharpe) ? 0 : sharpe;
}

/** Rank of a value, 1 for the lowest; equal values share the mean of their ranks. */
function rankOf(values: readonly number[], index: number): number {
  const value = values[index] as number;
  const below = values.filter((other) => other < value).length;
  const equal = values.filter((other) => other === value).length;
  return below + (equal + 1) / 2;
}

/** Bit masks of all ways to choose half of the blocks. */
function* halves(blocks: number): Generator<number> {
  for (let mask = 0; mask < 2 ** blocks; mask++) {
    let bits = 0;
    for (let rest = mask; rest > 0; rest &= rest - 1) bits++;
    if (bits === blocks / 2) yield mask;
  }
}
