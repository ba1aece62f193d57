import { centralSum, coSum, mean, standardDeviation } from './moments.js';
import { ratio } from './ratios.js';

export interface BenchmarkFit {
  /** Slope of the returns on those of the benchmark, by ordinary least squares. */
  readonly beta: number;
  /** Mean return that beta does not explain, per period × periods in a year. */
  readonly alpha: number;
  /** Mean divided by standard deviation of the differences to the benchmark, not annualised. */
  readonly informationRatio: number;
}

/** Fits returns to those of a benchmark over the same periods. `periods`: number of periods in a year. */
export function benchmarkFit(
  returns: readonly number[],
  benchmark: readonly number[],
  periods: number,
): BenchmarkFit {
  const beta = ratio(coSum(returns, benchmark), centralSum(benchmark, 2));
  const active = returns.map((each, i) => each - (benchmark[i] as number));
  return {
    beta,
    alpha: (mean(returns) - beta * mean(benchmark)) * periods,
    informationRatio: ratio(mean(active), standardDeviation(active)),
  };
}
