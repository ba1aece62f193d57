import type { TripTotals } from '../trip-totals.js';
import { ratio } from './ratios.js';

/**
 * Figures of round trips. P&L is net of fees and funding, in quote units. NaN if there are no round trips to compute it
 * from.
 */
export interface TripFigures {
  /** Share of winning round trips, as a fraction. */
  readonly winRate: number;
  readonly averageWin: number;
  /** Below 0. */
  readonly averageLoss: number;
  /** Mean win / |mean loss|. */
  readonly payoff: number;
  /** Sum of wins / |sum of losses|. */
  readonly profitFactor: number;
  /** Mean P&L. It equals p·W − (1 − p)·L if no round trip ended at exactly 0. */
  readonly expectancy: number;
  /**
   * Kelly share p − (1 − p) / payoff: the part of the capital at stake that would have grown fastest. Half of it is
   * prudent.
   */
  readonly kelly: number;
  /** System quality number: √n · mean / standard deviation of the P&L; NaN if that deviation is 0. */
  readonly systemQuality: number;
  readonly averageHoldingMs: number;
}

export function tripFigures(totals: TripTotals): TripFigures {
  const { count, winners, losers, sum, squaredDeviations, holdingMs } = totals;
  const winRate = ratio(winners.count, count);
  const averageWin = ratio(winners.sum, winners.count);
  const averageLoss = ratio(losers.sum, losers.count);
  const payoff = ratio(averageWin, Math.abs(averageLoss));
  const expectancy = ratio(sum, count);
  const spread = count < 2 ? Number.NaN : Math.sqrt(squaredDeviations / (count - 1));
  return {
    winRate,
    averageWin,
    averageLoss,
    payoff,
    profitFactor: ratio(winners.sum, Math.abs(losers.sum)),
    expectancy,
    kelly: winRate - ratio(1 - winRate, payoff),
    systemQuality: ratio(Math.sqrt(count) * expectancy, spread),
    averageHoldingMs: ratio(holdingMs, count),
  };
}
