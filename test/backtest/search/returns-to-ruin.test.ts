import { expect, it } from 'vitest';
import { returnsToRuin } from '../../../src/backtest/search/returns-to-ruin.js';
import { EquityCloses } from '../../../src/backtest/equity-closes.js';
import { DAY_MS } from '../../../src/model/calendar.js';

const HOUR_MS = 3_600_000;

/** An account whose equity goes down by 10 each day, from the first print to its ruin. */
function ruined(from: number, ruinedAt: number) {
  const closes = new EquityCloses(HOUR_MS);
  closes.open(from);
  for (let day = 0; day < ruinedAt / DAY_MS; day++) {
    const time = Math.min((day + 1) * DAY_MS, ruinedAt);
    closes.closeUntil(time, { equity: 100 - 10 * (day + 1), price: 1, printed: time - 1 });
  }
  return returnsToRuin({ closes, ruinedAt, equity: -5 }, { from, capital: 100 });
}

it('returns go up to the day of the ruin, which has what was left at the close before it', () => {
  expect(ruined(1_000, 2.5 * DAY_MS)).toEqual([90 / 100 - 1, 80 / 90 - 1, -5 / 80 - 1]);
});

it('the hour before midnight is of its day', () => {
  expect(ruined(1_000, 2 * DAY_MS - 1_000)).toEqual([90 / 100 - 1, -5 / 90 - 1]);
});

it('a first day that is not whole has none of its own, but for a ruin in it', () => {
  expect(ruined(8 * HOUR_MS, 2.5 * DAY_MS)).toEqual([80 / 90 - 1, -5 / 80 - 1]);
  expect(ruined(8 * HOUR_MS, 9 * HOUR_MS)).toEqual([-5 / 100 - 1]);
});
