/**
 * Ratios of periodic simple returns, by the formulas that the report's footer states. `periods` is the number of
 * periods in a year: 365 for days of a market that never closes. A ratio with a denominator of 0 is NaN, never ∞.
 */
import { mean, quantile, standardDeviation, sum } from './moments.js';
import { normalQuantile } from './normal.js';

export interface RatioOptions {
  /** Number of returns per year. */
  readonly periods: number;
  /** Risk-free rate per year, as a fraction. */
  readonly riskFree: number;
}

const YEAR_DAYS = 365;

/** Growth per year of calendar days, as a fraction; NaN if nothing is left. */
export function annualGrowth(start: number, end: number, days: number): number {
  return end > 0 ? (end / start) ** (YEAR_DAYS / days) - 1 : Number.NaN;
}

/** The risk-free rate of one period. */
function periodRate({ riskFree, periods }: RatioOptions): number {
  return riskFree === 0 ? 0 : (1 + riskFree) ** (1 / periods) - 1;
}

export function volatility(returns: readonly number[], { periods }: RatioOptions): number {
  return standardDeviation(returns) * Math.sqrt(periods);
}

/** Sharpe ratio per period, not annualised: mean / standard deviation of the excess returns. */
export function periodSharpe(returns: readonly number[], rate = 0): number {
  return ratio(mean(returns) - rate, standardDeviation(returns));
}

export function sharpe(returns: readonly number[], options: RatioOptions): number {
  return periodSharpe(returns, periodRate(options)) * Math.sqrt(options.periods);
}

/** Annual Sortino ratio. The downside is taken over all periods: √(Σ min(r, 0)² / n). */
export function sortino(returns: readonly number[], options: RatioOptions): number {
  const rate = periodRate(options);
  const excess = returns.map((each) => each - rate);
  const downside = Math.sqrt(sum(excess.map((each) => Math.min(each, 0) ** 2)) / excess.length);
  return ratio(mean(excess), downside) * Math.sqrt(options.periods);
}

/** Divisor for ratios of autocorrelated returns: √(1 + 2 Σ ((n − k)/n) ρ^k), ρ = |lag-1 autocorrelation|. */
export function autocorrelationPenalty(returns: readonly number[]): number {
  const n = returns.length;
  const rho = Math.abs(lagOneCorrelation(returns));
  let total = 0;
  for (let k = 1; k < n; k++) total += ((n - k) / n) * rho ** k;
  return Math.sqrt(1 + 2 * total);
}

/** Calmar ratio: annual growth / |max drawdown|. */
export function calmar(growth: number, maxDrawdown: number): number {
  return ratio(growth, Math.abs(maxDrawdown));
}

/** √(Σ dd² / (n − 1)) of the drawdowns at all closes. */
export function ulcerIndex(drawdowns: readonly number[]): number {
  if (drawdowns.length < 2) return Number.NaN;
  return Math.sqrt(sum(drawdowns.map((each) => each ** 2)) / (drawdowns.length - 1));
}

/** Σ max(r − θ, 0) / Σ max(θ − r, 0). */
export function omega(returns: readonly number[], threshold = 0): number {
  const above = sum(returns.map((each) => Math.max(each - threshold, 0)));
  const below = sum(returns.map((each) => Math.max(threshold - each, 0)));
  return ratio(above, below);
}

/** Σ r / |Σ of the negative r|. */
export function gainToPain(returns: readonly number[]): number {
  return ratio(sum(returns), Math.abs(sum(returns.filter((each) => each < 0))));
}

/** |95 % quantile / 5 % quantile|. */
export function tailRatio(returns: readonly number[]): number {
  return Math.abs(ratio(quantile(returns, 0.95), quantile(returns, 0.05)));
}

/**
 * Value at risk of normally distributed returns: the return below which a `share` of the periods is expected to fall.
 */
export function normalVar(returns: readonly number[], share = 0.05): number {
  return mean(returns) + standardDeviation(returns) * normalQuantile(share);
}

/** Value at risk of the actual returns: their quantile at `share`. */
export function historicalVar(returns: readonly number[], share = 0.05): number {
  return quantile(returns, share);
}

/** Mean of the returns below a value at risk; NaN if there are none. */
export function expectedShortfall(returns: readonly number[], valueAtRisk: number): number {
  return mean(returns.filter((each) => each < valueAtRisk));
}

/** A quotient; NaN if the denominator is 0. */
export function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? Number.NaN : numerator / denominator;
}

/** Pearson's correlation between each return and its predecessor. */
function lagOneCorrelation(returns: readonly number[]): number {
  const before = returns.slice(0, -1);
  const after = returns.slice(1);
  const beforeMean = mean(before);
  const afterMean = mean(after);
  let both = 0;
  let left = 0;
  let right = 0;
  for (const [i, value] of before.entries()) {
    const x = value - beforeMean;
    const y = (after[i] as number) - afterMean;
    both += x * y;
    left += x * x;
    right += y * y;
  }
  return ratio(both, Math.sqrt(left * right));
}
