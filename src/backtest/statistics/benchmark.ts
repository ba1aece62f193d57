import { centralSum, coSum, mean, standardDeviation } from './moments.js';
import { ratio } from './ratios.js';

export interface BenchmarkFit {
  /** Of daily returns on the benchmark's, ordinary least squares. */
  readonly beta: number;
  /** Per period × periods in a year. */
  readonly alpha: number;
  /** Mean over standard deviation of the difference, not annualised. */
  readonly informationRatio: number;
}

/** Returns of the same periods. */
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
