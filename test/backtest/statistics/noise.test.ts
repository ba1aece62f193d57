import { describe, expect, it } from 'vitest';
import { deflatedSharpe, probabilisticSharpe } from '../../../src/backtest/statistics/luck.js';
import { kurtosis, quantile, skewness, variance } from '../../../src/backtest/statistics/moments.js';
import { periodSharpe, sharpe } from '../../../src/backtest/statistics/ratios.js';
import { type Random, seededRandom } from '../../../src/model/random.js';

const DAYS = 365;
const STRATEGIES = 1_000;
const DAILY_RISK = 0.02;

/** Returns without any skill, all with a mean of 0 and the same deviation. */
const WORLDS: readonly (readonly [name: string, seeds: number, draw: (random: Random) => number])[] = [
  ['normal returns', 200, (random) => DAILY_RISK * random.normal()],
  [
    'returns with fat tails (Laplace: kurtosis 6)',
    60,
    (random) => (DAILY_RISK / Math.SQRT2) * (random.exponential() - random.exponential()),
  ],
];

interface Best {
  /** Annual, of the best of all strategies. */
  readonly raw: number;
  readonly deflated: number;
  /** The probability that one reads off it when the other trials are kept quiet. */
  readonly undeflated: number;
}

/** The best of so many strategies of noise, as whoever searched for it would report it. */
function bestOfNoise(seed: string, draw: (random: Random) => number): Best {
  const sharpes: number[] = [];
  let best: readonly number[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  for (let strategy = 0; strategy < STRATEGIES; strategy++) {
    const random = seededRandom(`${seed}/${strategy}`);
    const returns = Array.from({ length: DAYS }, () => draw(random));
    const ratio = plainSharpe(returns);
    if (ratio > highest) {
      highest = ratio;
      best = returns;
    }
    sharpes.push(ratio);
  }
  expect(periodSharpe(best)).toBeCloseTo(highest, 12);
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

/** Mean over standard deviation (n − 1), in one pass: there are 73 million returns. */
function plainSharpe(returns: readonly number[]): number {
  let total = 0;
  let squares = 0;
  for (const value of returns) {
    total += value;
    squares += value * value;
  }
  const mean = total / returns.length;
  return mean / Math.sqrt((squares - total * mean) / (returns.length - 1));
}

describe(`the best of ${STRATEGIES} strategies without skill, by ${DAYS} daily returns`, () => {
  it.each(WORLDS)(
    'looks like a find, and its deflated Sharpe ratio says luck: %s, %i seeds',
    { timeout: 300_000 },
    (name, seeds, draw) => {
      const found = Array.from({ length: seeds }, (_, seed) => bestOfNoise(`noise/${seed}`, draw));
      const share = (holds: (best: Best) => boolean) => found.filter(holds).length / seeds;
      const deflated = found.map((best) => best.deflated);
      const raw = found.map((best) => best.raw);
      const figures = {
        rawAbove: share((best) => best.raw > 2.5),
        convincing: share((best) => best.deflated > 0.95),
        median: quantile(deflated, 0.5),
        undeflatedConvincing: share((best) => best.undeflated > 0.95),
      };
      process.stdout.write(
        `${name}, ${seeds} seeds: best raw annual Sharpe ${quantile(raw, 0).toFixed(2)} to ${quantile(raw, 1).toFixed(2)}, median ` +
          `${quantile(raw, 0.5).toFixed(2)}, above 2.5 in ${(100 * figures.rawAbove).toFixed(1)} %; deflated median ` +
          `${figures.median.toFixed(3)}, above 0.95 in ${(100 * figures.convincing).toFixed(1)} % ` +
          `(not deflated: in ${(100 * figures.undeflatedConvincing).toFixed(1)} %)\n`,
      );
      expect(figures.rawAbove).toBeGreaterThanOrEqual(0.95);
      expect(figures.convincing).toBeLessThanOrEqual(0.05);
      expect(figures.median).toBeGreaterThanOrEqual(0.4);
      expect(figures.median).toBeLessThanOrEqual(0.6);
      expect(figures.undeflatedConvincing).toBe(1);
    },
  );
});
