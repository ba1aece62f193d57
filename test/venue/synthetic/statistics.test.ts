import { describe, expect, test } from 'vitest';
import { DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { autocorrelation, madeUpVenue, mean, START, variance } from './made-up-venue.js';

const SECONDS = 3_600;

function hourOf(seed: number, pair = DEFAULT_PAIR) {
  const { core, driver, trades } = madeUpVenue({ seed, pair });
  const middles: number[] = [];
  const gaps: number[] = [];
  const flows: number[] = [];
  const fairs: number[] = [];
  const scale = core.market(pair).market.priceGrid.scale;
  let worst = 0;
  let seen = 0;
  for (let second = 1; second <= SECONDS; second++) {
    driver.advanceTo(START + second * 1_000);
    const { bid, ask } = core.touch(pair) as { bid: number; ask: number };
    middles.push((bid + ask) / 2 / scale);
    gaps.push(ask - bid);
    fairs.push(driver.fairPrice);
    worst = Math.max(worst, Math.abs((bid + ask) / 2 / scale / driver.fairPrice - 1));
    let flow = 0;
    for (; seen < trades.length; seen++) flow += trades[seen]?.isBuyerMaker === true ? -1 : 1;
    flows.push(flow);
  }
  const counts = Array.from({ length: SECONDS }, () => 0);
  for (const { time } of trades) {
    const second = Math.min(SECONDS - 1, Math.floor((time - START) / 1_000));
    counts[second] = (counts[second] ?? 0) + 1;
  }
  const returns = middles.slice(1).map((price, n) => Math.log(price / (middles[n] as number)));
  return { trades, counts, returns, gaps, worst, flows, fairs };
}

const hours = [11, 12, 13, 14, 15].map((seed) => ({ seed, ...hourOf(seed) }));

describe.each(hours)('an hour of seed $seed', ({ trades, counts, returns, gaps, worst, flows, fairs }) => {
  test('has three to nine trades a second, in quiet seconds and busy ones', () => {
    expect(trades.length / SECONDS).toBeGreaterThan(3);
    expect(trades.length / SECONDS).toBeLessThan(9);
    expect(counts.filter((count) => count === 0).length).toBeGreaterThan(SECONDS / 100);
    expect(Math.max(...counts)).toBeGreaterThan(20);
  });

  test('comes in bursts: counts vary far more than a Poisson process, and busy seconds follow busy ones', () => {
    expect(variance(counts) / mean(counts)).toBeGreaterThan(1.5);
    expect(autocorrelation(counts, 1)).toBeGreaterThan(0.05);
  });

  test('has sweeps: several prints of one side in one millisecond, at worse and worse prices', () => {
    const sweeps = new Map<number, number>();
    for (const { time } of trades) sweeps.set(time, (sweeps.get(time) ?? 0) + 1);
    expect(Math.max(...sweeps.values())).toBeGreaterThanOrEqual(6);
    const share = [...sweeps.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0);
    expect(share / trades.length).toBeGreaterThan(0.25);
  });

  test('has aggressors on both sides, 35 to 65 of a hundred', () => {
    const share = trades.filter(({ isBuyerMaker }) => isBuyerMaker).length / trades.length;
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.65);
  });

  test('has returns with fat tails and clustered volatility', () => {
    const center = mean(returns);
    const fourth = mean(returns.map((value) => (value - center) ** 4));
    expect(fourth / variance(returns) ** 2).toBeGreaterThan(4);
    const sizes = returns.map(Math.abs);
    for (const lag of [1, 5, 20]) expect(autocorrelation(sizes, lag)).toBeGreaterThan(0.02);
  });

  test('has no momentum worth a line of code: returns of one second hardly predict the next', () => {
    expect(Math.abs(autocorrelation(returns, 1))).toBeLessThan(0.25);
    expect(Math.abs(autocorrelation(returns, 5))).toBeLessThan(0.12);
  });

  test('has flow that goes with the fair price', () => {
    const moves = fairs.slice(1).map((fair, n) => Math.log(fair / (fairs[n] as number)));
    const later = flows.slice(1);
    const covariance = mean(moves.map((move, n) => move * (later[n] as number))) - mean(moves) * mean(later);
    expect(covariance / Math.sqrt(variance(moves) * variance(later))).toBeGreaterThan(0.03);
  });

  test('has a spread of a tick at least and a few basis points at most, around the fair price', () => {
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1);
    const sorted = gaps.toSorted((a, b) => a - b);
    const median = sorted[SECONDS / 2] as number;
    expect(median).toBeGreaterThan(20);
    expect(median).toBeLessThan(300);
    expect(worst).toBeLessThan(0.005);
  });
});

test('the second market of the catalogue trades as much', () => {
  const { trades, worst } = hourOf(3, 'USD_ETH_PERP');
  expect(trades.length / SECONDS).toBeGreaterThan(3);
  expect(worst).toBeLessThan(0.005);
});
