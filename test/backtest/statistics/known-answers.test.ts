import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TripTotals } from '../../../src/backtest/trip-totals.js';
import { benchmarkFit } from '../../../src/backtest/statistics/benchmark.js';
import { drawdownSpans, underwater, worstDrawdowns } from '../../../src/backtest/statistics/drawdowns.js';
import {
  deflatedSharpe,
  effectiveTrials,
  luckyDeviations,
  luckySharpe,
  probabilisticSharpe,
} from '../../../src/backtest/statistics/luck.js';
import * as moments from '../../../src/backtest/statistics/moments.js';
import { normalCdf, normalQuantile } from '../../../src/backtest/statistics/normal.js';
import { overfittingProbability } from '../../../src/backtest/statistics/overfitting.js';
import * as ratios from '../../../src/backtest/statistics/ratios.js';
import { rolling } from '../../../src/backtest/statistics/rolling.js';
import { tripFigures } from '../../../src/backtest/statistics/trip-figures.js';

interface KnownAnswers {
  readonly returns: readonly number[];
  readonly market: readonly number[];
  readonly trials: readonly (readonly number[])[];
  readonly normalCdf: readonly (readonly [number, number])[];
  readonly normalQuantile: readonly (readonly [number, number])[];
  readonly quantiles: readonly (readonly [number, number])[];
  readonly luckySharpe: readonly (readonly [number, number, number])[];
  readonly rollingSharpe180: readonly number[];
  readonly [figure: string]: unknown;
}

const known = JSON.parse(
  readFileSync(new URL('./oracle/known-answers.json', import.meta.url), 'utf8'),
) as KnownAnswers;
const { returns, market } = known;
const DAILY = { periods: 365, riskFree: 0 };
const OVER_3_PERCENT = { periods: 365, riskFree: 0.03 };
const equity = returns.reduce<number[]>((all, each) => [...all, (all.at(-1) as number) * (1 + each)], [1]);

/** To 11 significant digits. */
function same(actual: number, wanted: unknown, name?: string): void {
  expect(typeof wanted, name).toBe('number');
  const scale = Math.max(Math.abs(wanted as number), 1e-300);
  expect(
    Math.abs(actual - (wanted as number)) / scale,
    `${name}: ${actual}, wanted ${String(wanted)}`,
  ).toBeLessThan(1e-11);
}

describe('the normal distribution', () => {
  it('is that of scipy, in both directions and far into the tails', () => {
    for (const [z, p] of known.normalCdf) {
      if (z === -38) expect(normalCdf(z)).toBeLessThan(1e-300);
      else if (z <= -6) expect(normalCdf(z) / p).toBeCloseTo(1, 7);
      else same(normalCdf(z), p, `cdf ${z}`);
    }
    for (const [p, z] of known.normalQuantile) {
      if (p === 0.5) expect(normalQuantile(p)).toBe(0);
      else same(normalQuantile(p), z, `quantile ${p}`);
    }
  });

  it('has no probability of what is no number', () => {
    expect(normalCdf(Number.NaN)).toBeNaN();
  });

  it('has no quantile outside of 0 to 1', () => {
    expect([normalQuantile(0), normalQuantile(1), normalQuantile(-0.1), normalQuantile(1.1)]).toEqual([
      -Infinity,
      Infinity,
      NaN,
      NaN,
    ]);
  });
});

describe('statistics of 400 daily returns', () => {
  const sample = {
    sharpe: ratios.periodSharpe(returns),
    count: returns.length,
    skewness: moments.skewness(returns),
    kurtosis: moments.kurtosis(returns),
  };
  const growth = ratios.annualGrowth(1, equity.at(-1) as number, returns.length);
  const fit = benchmarkFit(returns, market, 365);
  const valueAtRisk = ratios.normalVar(returns);

  it.each<[string, number]>([
    ['mean', moments.mean(returns)],
    ['standardDeviation', moments.standardDeviation(returns)],
    ['skewness', moments.skewness(returns)],
    ['kurtosis', moments.kurtosis(returns)],
    ['correlation', moments.correlation(returns, market)],
    ['volatility', ratios.volatility(returns, DAILY)],
    ['sharpe', ratios.sharpe(returns, DAILY)],
    ['sharpeOver3Percent', ratios.sharpe(returns, OVER_3_PERCENT)],
    ['sortino', ratios.sortino(returns, DAILY)],
    ['sortinoOver3Percent', ratios.sortino(returns, OVER_3_PERCENT)],
    ['autocorrelationPenalty', ratios.autocorrelationPenalty(returns)],
    ['annualGrowth', growth],
    ['maxDrawdown', Math.min(...underwater(equity))],
    ['ulcerIndex', ratios.ulcerIndex(underwater(equity).slice(1))],
    ['omega', ratios.omega(returns)],
    ['gainToPain', ratios.gainToPain(returns)],
    ['tailRatio', ratios.tailRatio(returns)],
    ['normalVar', valueAtRisk],
    ['historicalVar', ratios.historicalVar(returns)],
    ['expectedShortfall', ratios.expectedShortfall(returns, valueAtRisk)],
    ['historicalShortfall', ratios.expectedShortfall(returns, ratios.historicalVar(returns))],
    ['probabilisticSharpe', probabilisticSharpe(sample)],
    ['deflatedSharpe', deflatedSharpe(sample, 50, 0.002)],
    ['beta', fit.beta],
    ['alpha', fit.alpha],
    ['informationRatio', fit.informationRatio],
    ['overfittingProbability', overfittingProbability(known.trials)],
  ])('%s is what numpy, scipy and pandas make of them', (name, actual) => {
    same(actual, known[name], name);
  });

  it('quantiles lie between order statistics as in pandas', () => {
    for (const [p, value] of known.quantiles) same(moments.quantile(returns, p), value, `quantile ${p}`);
  });

  it('a rolling Sharpe ratio begins with the first full window', () => {
    const figures = rolling(returns, 180, (window) => ratios.sharpe(window, DAILY));
    expect(figures.slice(0, 179).every((value) => Number.isNaN(value))).toBe(true);
    for (const [i, value] of known.rollingSharpe180.entries()) same(figures[179 + i] as number, value);
  });

  it('Calmar is growth by the worst fall', () => {
    expect(ratios.calmar(0.3, -0.15)).toBe(2);
  });
});

describe('what luck explains', () => {
  it('has the known answers of the papers’ formulas', () => {
    const psr = probabilisticSharpe({ sharpe: 0.1, count: 365, skewness: -0.5, kurtosis: 6 }, 0.05);
    expect(psr).toBeCloseTo(0.822636, 6);
    expect(luckyDeviations(1_000)).toBeCloseTo(3.255122, 6);
    const lucky = luckySharpe(1_000, 1 / 364);
    expect(lucky).toBeCloseTo(0.170615, 6);
    expect(lucky * Math.sqrt(365)).toBeCloseTo(3.2596, 4);
    // A year of normal daily returns at an annual 4.91 is just enough.
    const observed = (annual: number) => ({
      sharpe: annual / Math.sqrt(365),
      count: 365,
      skewness: 0,
      kurtosis: 3,
    });
    expect(deflatedSharpe(observed(4.95), 1_000, 1 / 364)).toBeGreaterThan(0.95);
    expect(deflatedSharpe(observed(4.87), 1_000, 1 / 364)).toBeLessThan(0.95);
    for (const [n, variance, wanted] of known.luckySharpe) same(luckySharpe(n, variance), wanted);
  });

  it('takes nothing off the only trial', () => {
    const sample = { sharpe: 0.05, count: 100, skewness: 0, kurtosis: 3 };
    expect(deflatedSharpe(sample, 1, Number.NaN)).toBe(probabilisticSharpe(sample, 0));
  });

  it('counts trials that move together as fewer', () => {
    expect(effectiveTrials(100, 0.9)).toBeCloseTo(10.9, 12);
    expect(effectiveTrials(100, 0)).toBe(100);
  });

  it('finds that the best of a lasting edge is no accident, and that the best of mirror images is', () => {
    const steady = [0.012, 0.008];
    const edge = Array.from({ length: 32 }, (_, i) => steady[i % 2] as number);
    const none = Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? 0.01 : -0.01));
    expect(overfittingProbability([edge, none, none.map((each) => -each)])).toBe(0);
    // Whoever wins one half of the year lost the other: 34 of the 70 splits take more of one than of the other.
    const first = Array.from({ length: 32 }, (_, i) => (i < 16 ? 0.01 : -0.01) + (i % 2) / 1_000);
    expect(overfittingProbability([first, first.map((each) => -each)])).toBe(34 / 70);
  });

  it('refuses trials of different periods', () => {
    expect(() => overfittingProbability([[0.1], [0.1]])).toThrow(
      'trials must be two or more with at least 16 returns',
    );
  });
});

describe('ratios without a denominator', () => {
  it('are not a number, never infinite', () => {
    const flat = [0, 0, 0, 0];
    const up = [0.01, 0.02];
    expect([
      ratios.sharpe(flat, DAILY),
      ratios.sortino(up, DAILY),
      ratios.omega(up),
      ratios.gainToPain(up),
      ratios.calmar(0.2, 0),
      ratios.annualGrowth(100, 0, 365),
      moments.standardDeviation([1]),
      moments.quantile([], 0.5),
    ]).toEqual(Array(8).fill(NaN));
  });
});

describe('falls of the equity', () => {
  it('run from the peak to the first point that is as high again; the last one may be open', () => {
    //         0    1    2   3    4    5    6    7
    const e = [100, 110, 99, 104, 110, 120, 90, 115];
    expect(drawdownSpans(e)).toEqual([
      { peak: 1, valley: 2, recovery: 4, depth: 99 / 110 - 1 },
      { peak: 5, valley: 6, recovery: undefined, depth: 90 / 120 - 1 },
    ]);
    expect(worstDrawdowns(e, 1)[0]?.peak).toBe(5);
  });

  it('count a loss right at the start from the capital', () => {
    expect(drawdownSpans([100, 90, 100])).toEqual([
      { peak: 0, valley: 1, recovery: 2, depth: -0.09999999999999998 },
    ]);
  });
});

describe('figures of round trips', () => {
  const totals = new TripTotals(100);
  // 6, −2, −4, 0, 10, 5 quote units
  for (const [i, pnl] of [600n, -200n, -400n, 0n, 1_000n, 500n].entries())
    totals.add('buy', 60_000 * i, pnl, false);

  it('are those that one works out by hand', () => {
    const figures = tripFigures(totals);
    expect(figures.winRate).toBe(0.5);
    expect(figures.averageWin).toBe(7);
    expect(figures.averageLoss).toBe(-3);
    expect(figures.payoff).toBeCloseTo(7 / 3, 12);
    expect(figures.profitFactor).toBe(21 / 6);
    expect(figures.expectancy).toBe(2.5);
    expect(figures.kelly).toBeCloseTo(0.5 - 0.5 / (7 / 3), 12);
    // Squares of 3.5, −4.5, −6.5, −2.5, 7.5, 2.5 sum to 143.5.
    expect(figures.systemQuality).toBeCloseTo((Math.sqrt(6) * 2.5) / Math.sqrt(143.5 / 5), 12);
    expect(figures.averageHoldingMs).toBe(150_000);
    expect([totals.winners.longestStreak, totals.losers.longestStreak]).toEqual([2, 2]);
    expect([totals.winners.largest, totals.losers.largest]).toEqual([10, -4]);
  });

  it('have no system quality where all brought the same, however it rounds', () => {
    const equal = new TripTotals(100);
    for (let i = 0; i < 7; i++) equal.add('buy', 60_000, 10n, false);
    expect(tripFigures(equal).systemQuality).toBeNaN();
    equal.add('buy', 60_000, 11n, false);
    // Mean 81/800, squares of seven times −1/800 and 7/800 sum to 56/640 000.
    expect(tripFigures(equal).systemQuality).toBeCloseTo(
      (Math.sqrt(8) * (81 / 800)) / Math.sqrt(56 / 640_000 / 7),
      9,
    );
  });

  it('are not a number without any', () => {
    expect(Object.values(tripFigures(new TripTotals(100))).every((value) => Number.isNaN(value))).toBe(true);
  });
});
