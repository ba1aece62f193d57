import { expect, test } from 'vitest';
import { Candles, MINUTE_MS } from '../../../src/venue/core/candles.js';

const DAY_MS = 1_440 * MINUTE_MS;
const DAYS = 40;

/** A trade a minute for forty days, at a price that is 100 and the days until then. */
function fortyDays(): Candles {
  const candles = new Candles();
  for (let minute = 0; minute < DAYS * 1_440; minute++)
    candles.add(minute * MINUTE_MS, 100 + minute / 1_440, 1);
  return candles;
}

test.each([1, 4, 24])('of candles of %i h none is shown of which minutes were forgotten', (hours) => {
  const intervalMs = hours * 60 * MINUTE_MS;
  const now = DAYS * DAY_MS - 1;
  const list = fortyDays().list(intervalMs, { from: 0, to: now, limit: 2_000, now });
  expect(list.length).toBeGreaterThan(30);
  for (const candle of list) {
    expect(candle.trades).toBe(hours * 60);
    expect(candle.open).toBe(100 + candle.openTime / DAY_MS);
  }
});

test('of a market that has forgotten nothing, the first candle begins before its first trade', () => {
  const candles = new Candles();
  candles.add(10 * MINUTE_MS, 100, 2);
  const now = 20 * MINUTE_MS;
  expect(candles.list(60 * MINUTE_MS, { from: 0, to: now, limit: 5, now })).toMatchObject([
    { openTime: 0, open: 100, trades: 1, baseVolume: 2 },
  ]);
});
