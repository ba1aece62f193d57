/**
 * How much of a Sharpe ratio may be luck. D. H. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier"
 * (2012) and "The Deflated Sharpe Ratio" (2014). All Sharpe ratios here are per period, not annualised.
 */
import { normalCdf, normalQuantile } from './normal.js';

const EULER_GAMMA = 0.5772156649;

export interface SharpeSample {
  /** Sharpe ratio per period. */
  readonly sharpe: number;
  /** Number of returns that it was computed from. */
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

/**
 * The expected Sharpe ratio of the best of `trials` strategies without skill. `variance`: that of their Sharpe ratios.
 */
export function luckySharpe(trials: number, variance: number): number {
  if (trials <= 1) return 0;
  return Math.sqrt(variance) * luckyDeviations(trials);
}

/** The expected maximum of `trials` standard normal draws. */
export function luckyDeviations(trials: number): number {
  return (
    (1 - EULER_GAMMA) * normalQuantile(1 - 1 / trials) +
    EULER_GAMMA * normalQuantile(1 - 1 / (trials * Math.E))
  );
}

/**
 * The probability of a true Sharpe ratio above that of pure luck, after `trials` trials whose Sharpe ratios have this
 * variance.
 */
export function deflatedSharpe(sample: SharpeSample, trials: number, variance: number): number {
  return probabilisticSharpe(sample, luckySharpe(trials, variance));
}

/** The number of independent trials that is equivalent to correlated ones: ρ̄ + (1 − ρ̄)·N. */
export function effectiveTrials(trials: number, meanCorrelation: number): number {
  return meanCorrelation + (1 - meanCorrelation) * trials;
}
