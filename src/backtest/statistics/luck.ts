/**
 * How much of a Sharpe ratio may be luck. D. H. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier"
 * (2012) and "The Deflated Sharpe Ratio" (2014); Sharpe ratios here are per period, never annualised.
 */
import { normalCdf, normalQuantile } from './normal.js';

const EULER_GAMMA = 0.5772156649;

export interface SharpeSample {
  /** Per period. */
  readonly sharpe: number;
  /** How many returns it was taken from. */
  readonly count: number;
  readonly skewness: number;
  /** 3 for a normal distribution. */
  readonly kurtosis: number;
}

/** The probability that the true Sharpe ratio is above the benchmark's. */
export function probabilisticSharpe(sample: SharpeSample, benchmark = 0): number {
  const { sharpe, count, skewness, kurtosis } = sample;
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  return normalCdf(((sharpe - benchmark) * Math.sqrt(count - 1)) / Math.sqrt(spread));
}

/** The Sharpe ratio that the best of so many strategies without any skill is expected to show. */
export function luckySharpe(trials: number, variance: number): number {
  if (trials <= 1) return 0;
  return Math.sqrt(variance) * luckyDeviations(trials);
}

/** The expected largest of so many standard normal draws. */
export function luckyDeviations(trials: number): number {
  return (
    (1 - EULER_GAMMA) * normalQuantile(1 - 1 / trials) +
    EULER_GAMMA * normalQuantile(1 - 1 / (trials * Math.E))
  );
}

/** The probability that there is skill at all, after so many trials whose Sharpe ratios vary that much. */
export function deflatedSharpe(sample: SharpeSample, trials: number, variance: number): number {
  return probabilisticSharpe(sample, luckySharpe(trials, variance));
}

/** How many independent trials as many correlated ones are worth: ρ̄ + (1 − ρ̄)·N. */
export function effectiveTrials(trials: number, meanCorrelation: number): number {
  return meanCorrelation + (1 - meanCorrelation) * trials;
}
