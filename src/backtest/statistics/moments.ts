/** Moments and quantiles of samples; NaN if the sample is too small. */

export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Sample variance with n − 1 (ddof 1), in two passes. */
export function variance(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  return centralSum(values, 2) / (values.length - 1);
}

export function standardDeviation(values: readonly number[]): number {
  return Math.sqrt(variance(values));
}

/** Skewness γ3 of the sample itself (with n), like `scipy.stats.skew`. */
export function skewness(values: readonly number[]): number {
  const n = values.length;
  return centralSum(values, 3) / n / (centralSum(values, 2) / n) ** 1.5;
}

/** Kurtosis γ4 of the sample itself (with n), 3 for a normal distribution, like `scipy.stats.kurtosis(fisher=False)`. */
export function kurtosis(values: readonly number[]): number {
  const n = values.length;
  return centralSum(values, 4) / n / (centralSum(values, 2) / n) ** 2;
}

/** Quantile by linear interpolation between order statistics (type 7), like numpy and pandas. */
export function quantile(values: readonly number[], p: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (at - below);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Pearson's correlation of two samples of the same length; NaN if one of them does not vary. */
export function correlation(left: readonly number[], right: readonly number[]): number {
  const covered = coSum(left, right);
  return covered / Math.sqrt(centralSum(left, 2) * centralSum(right, 2));
}

/** Σ(x − x̄)(y − ȳ). */
export function coSum(left: readonly number[], right: readonly number[]): number {
  const leftMean = mean(left);
  const rightMean = mean(right);
  let total = 0;
  for (const [i, value] of left.entries()) total += (value - leftMean) * ((right[i] as number) - rightMean);
  return total;
}

/** Σ(x − x̄)^power. */
export function centralSum(values: readonly number[], power: number): number {
  const centre = mean(values);
  let total = 0;
  for (const value of values) total += (value - centre) ** power;
  return total;
}
