/** What a search among strategies without any skill finds, and what its deflated Sharpe ratio says of it. */
import { deflatedSharpe, probabilisticSharpe } from '../../../src/backtest/statistics/luck.js';
import { kurtosis, quantile, skewness, variance } from '../../../src/backtest/statistics/moments.js';
import { periodSharpe, sharpe } from '../../../src/backtest/statistics/ratios.js';
import { type Random, seededRandom } from '../../../src/model/random.js';

export const DAYS = 365;
export const STRATEGIES = 1_000;
const DAILY_RISK = 0.02;

/** Returns without any skill, all with a mean of 0 and the same deviation. */
export const NOISES = {
  normal: (random: Random) => DAILY_RISK * random.normal(),
  // Kurtosis 6.
  laplace: (random: Random) => (DAILY_RISK / Math.SQRT2) * (random.exponential() - random.exponential()),
} as const;
export type NoiseName = keyof typeof NOISES;

export interface Best {
  /** Annual, of the best of all strategies. */
  readonly raw: number;
  readonly deflated: number;
  /** The probability that one reads off it when the other trials are kept quiet. */
  readonly undeflated: number;
}

export interface NoiseFigures {
  readonly seeds: number;
  /** Annual, of the best: the least, the median and the most over the seeds. */
  readonly raw: readonly [least: number, median: number, most: number];
  /** Share of seeds whose best is above 2.5 a year. */
  readonly rawAbove: number;
  readonly deflatedMedian: number;
  /** Share of seeds whose probability of skill is above 0.95: deflated, and not. */
  readonly convincing: number;
  readonly undeflatedConvincing: number;
}

/** The best of so many strategies of noise, as whoever searched for it would report it. */
export function bestOfNoise(name: NoiseName, seed: number): Best {
  const draw = NOISES[name];
  const sharpes: number[] = [];
  let best: readonly number[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  for (let strategy = 0; strategy < STRATEGIES; strategy++) {
    const random = seededRandom(`noise/${seed}/${strategy}`);
    const returns = Array.from({ length: DAYS }, () => draw(random));
    const ratio = plainSharpe(returns);
    if (ratio > highest) {
      highest = ratio;
      best = returns;
    }
    sharpes.push(ratio);
  }
  const sample = {
    sharpe: periodSharpe(best),
    count: best.length,
    skewness: skewness(best),
    kurtosis: kurtosis(best),
  };
  return {
    raw: sharpe(best, { periods: DAYS, riskFree: 0 }),
    deflated: deflatedSharpe(sample, STRATEGIES, variance(sharpes)),
    undeflated: probabilisticSharpe(sample),
  };
}

export function noiseFigures(found: readonly Best[]): NoiseFigures {
  const share = (holds: (best: Best) => boolean) => found.filter(holds).length / found.length;
  const raw = found.map((best) => best.raw);
  return {
    seeds: found.length,
    raw: [quantile(raw, 0), quantile(raw, 0.5), quantile(raw, 1)],
    rawAbove: share((best) => best.raw > 2.5),
    deflatedMedian: quantile(
      found.map((best) => best.deflated),
      0.5,
    ),
    convincing: share((best) => best.deflated > 0.95),
    undeflatedConvincing: share((best) => best.undeflated > 0.95),
  };
}

/** Mean over standard deviation (n − 1), in one pass: there are 73 million returns. */
export function plainSharpe(returns: readonly number[]): number {
  let total = 0;
  let squares = 0;
  for (const value of returns) {
    total += value;
    squares += value * value;
  }
  const mean = total / returns.length;
  return mean / Math.sqrt((squares - total * mean) / (returns.length - 1));
}
