import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../../src/venue/catalogue.js';
import type { Candle } from '../../../src/venue/core/candles.js';
import { madeUpVenue, mean, START } from './made-up-venue.js';

const FIVE_MINUTES = 300_000;

describe.each(CATALOGUE.map(({ spec }) => spec.pair))('%s at its start', (pair) => {
  test.each([0, 1, 2, 3, 4])('seed %i has a thousand trades and five hundred candles', (seed) => {
    const { core } = madeUpVenue({ seed, pair, history: true });
    const trades = core.trades(pair, { limit: Number.POSITIVE_INFINITY });
    expect(trades.length).toBeGreaterThanOrEqual(1_000);
    expect(trades[0]?.time).toBeLessThanOrEqual(START);
    const candles = core.candles(pair, FIVE_MINUTES, { from: 0, to: START, limit: 1_000, now: START });
    expect(candles.length).toBeGreaterThanOrEqual(500);
    expect(candles.every(({ trades: count }) => count > 0)).toBe(true);
    expect(candles.every(({ openTime }) => openTime % FIVE_MINUTES === 0)).toBe(true);
  });
});

test('the candles go over into those of the trades without a jump in price or in volume', () => {
  const pair = 'USD_BTC_PERP';
  const perMinute = { before: [] as number[], after: [] as number[] };
  const quantity = { before: [] as number[], after: [] as number[] };
  for (let seed = 0; seed < 12; seed++) {
    const { core } = madeUpVenue({ seed, history: true });
    const first = core.trades(pair, { limit: Number.POSITIVE_INFINITY }).at(-1);
    const minutes = core.candles(pair, 60_000, { from: 0, to: START, limit: 5_000, now: START });
    const isBefore = ({ openTime }: Candle) => openTime + 60_000 <= (first?.time ?? 0);
    const before = minutes.filter(isBefore);
    // The minute in which it starts is not over.
    const after = minutes.filter((minute) => !isBefore(minute)).slice(0, -1);
    expect(after[0]?.openTime).toBe((before.at(-1)?.openTime ?? 0) + 60_000);
    expect(Math.abs((after[0]?.open ?? 0) / (before.at(-1)?.close ?? 0) - 1)).toBeLessThan(0.002);
    for (const [name, list] of Object.entries({ before, after }) as ['before' | 'after', Candle[]][]) {
      perMinute[name].push(mean(list.map(({ trades }) => trades)));
      quantity[name].push(mean(list.map(({ baseVolume, trades }) => baseVolume / trades)));
    }
  }
  expect(mean(perMinute.before) / mean(perMinute.after)).toBeGreaterThan(0.6);
  expect(mean(perMinute.before) / mean(perMinute.after)).toBeLessThan(1.6);
  expect(mean(quantity.before) / mean(quantity.after)).toBeGreaterThan(0.6);
  expect(mean(quantity.before) / mean(quantity.after)).toBeLessThan(1.6);
});

test('a candle holds its own prices, and five-minute ranges look like the profile says', () => {
  const { core } = madeUpVenue({ seed: 7, history: true });
  const candles = core.candles('USD_BTC_PERP', FIVE_MINUTES, { from: 0, to: START, limit: 500, now: START });
  for (const { open, high, low, close } of candles) {
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
    expect(low).toBeLessThanOrEqual(Math.min(open, close));
  }
  const moves = candles.map(({ open, close }) => Math.log(close / open) ** 2);
  const daily = Math.sqrt(mean(moves) * 288);
  expect(daily).toBeGreaterThan(0.028 / 2);
  expect(daily).toBeLessThan(0.028 * 2);
});

test('the index is the fair price once a second, on the tick, and the mark stays near it', () => {
  const { core, driver } = madeUpVenue({ seed: 5, history: true, prices: 'index' });
  const pair = 'USD_BTC_PERP';
  const changes: number[] = [];
  let furthest = 0;
  let [before, worth] = [core.ticker(pair, START).index, driver.fairPrice];
  for (let ms = 10; ms < 60_000; ms += 10) {
    const now = START + ms;
    driver.advanceTo(now);
    core.advance(now);
    const { index, mark, fair } = core.ticker(pair, now);
    furthest = Math.max(furthest, Math.abs((mark as number) / (index as number) - 1));
    // Both sides always show enough for a fair price.
    expect(fair).toBeDefined();
    if (index !== before) {
      // It was read at the last whole second, at which the fair price was that of the look before.
      expect(index).toBe(Math.round(worth * 10));
      changes.push(now);
      before = index;
    }
    worth = driver.fairPrice;
  }
  expect(changes.length).toBeGreaterThan(50);
  for (const time of changes) expect(time % 1_000).toBeLessThan(10);
  expect(furthest).toBeLessThan(0.002);
});

test('the premium of a synthetic market gives a funding rate', () => {
  const { core, driver } = madeUpVenue({ seed: 5, history: true, prices: 'index' });
  const now = START + 600_000;
  driver.advanceTo(now);
  core.advance(now);
  const { fundingRate, nextFundingTime } = core.ticker('USD_BTC_PERP', now);
  expect(nextFundingTime).toBe(Math.ceil(now / 3_600_000) * 3_600_000);
  // Of 10^-8: not 0, and no more than one in a thousand.
  expect(fundingRate?.numerator).not.toBe(0n);
  expect(Math.abs(Number(fundingRate?.numerator))).toBeLessThan(100_000);
});

test.each([
  ['intensity 0', { intensity: 0 }, /intensity .* from 0.1 to 20, received 0/],
  ['intensity 21', { intensity: 21 }, /received 21/],
])('%s is refused', (_name, options, message) => {
  expect(() => madeUpVenue(options)).toThrow(message);
});

test('a higher intensity means more trades', () => {
  const count = (intensity: number) => {
    const { driver, trades } = madeUpVenue({ seed: 9, intensity });
    driver.advanceTo(START + 600_000);
    return trades.length;
  };
  expect(count(4) / count(1)).toBeGreaterThan(2);
});
