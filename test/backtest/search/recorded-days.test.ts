import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dailySeries } from '../../../src/backtest/daily.js';
import { EquityCloses } from '../../../src/backtest/equity-closes.js';
import { RecordedDays } from '../../../src/backtest/search/recorded-days.js';
import type { Stretch } from '../../../src/backtest/search/stretches.js';
import { DAY_MS } from '../../../src/model/calendar.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1);

/** Of rows at these times; ms since `START`. */
function recorded(times: readonly number[], lengthMs?: number): (from: number, to: number) => number {
  const days = new RecordedDays();
  const time = Float64Array.from(times, (each) => START + each);
  const end = lengthMs === undefined ? {} : { end: time.map((each) => each + lengthMs) };
  days.add({ count: times.length, time, ...end });
  return (from, to) => days.within({ from: START + from, to: START + to });
}

/** How many of its returns the result of a run over the rows from `from` to `to` says that it has. */
function ofRun(times: readonly number[], { from, to }: Stretch): number {
  const seen = times.filter((time) => time >= from && time < to);
  const [first] = seen;
  if (first === undefined) return 0;
  const closes = new EquityCloses(DAY_MS);
  closes.open(first);
  let printed = first;
  for (const time of seen) {
    closes.closeUntil(time, { equity: 1, price: 1, printed });
    printed = time;
  }
  const prices = { firstPrice: 1, lastPrice: 1 };
  return dailySeries(closes, { from: first, to: printed, capital: 1, finalEquity: 1, ...prices }).recorded;
}

describe('recorded days', () => {
  it('count where they lie in a stretch as a whole', () => {
    const days = recorded([0, HOUR_MS - 1, 12 * HOUR_MS, DAY_MS - HOUR_MS, DAY_MS - 1]);
    expect(days(0, DAY_MS)).toBe(1);
    // Nobody prints at midnight sharp.
    expect(days(HOUR_MS - 1, DAY_MS - HOUR_MS + 1)).toBe(1);
    expect(days(HOUR_MS, DAY_MS)).toBe(0);
    expect(days(0, DAY_MS - HOUR_MS)).toBe(0);
    expect(days(DAY_MS, 2 * DAY_MS)).toBe(0);
    expect(days(-DAY_MS, 0)).toBe(0);
  });

  it('do not count at the end of a stretch that is longer than what was printed in it', () => {
    // A market that is silent from 22:30 to midnight.
    const times = Array.from({ length: 40 }, (_, at) => [at * DAY_MS + 1, at * DAY_MS + 22.5 * HOUR_MS]);
    const days = recorded(times.flat());
    expect(days(1, 30 * DAY_MS)).toBe(29);
    expect(days(1, 30 * DAY_MS + 2)).toBe(30);
  });

  it('do not count where nobody saw one', () => {
    const days = recorded([0, 1.5 * DAY_MS, 4.5 * DAY_MS, 6 * DAY_MS - 1]);
    expect(days(0, 6 * DAY_MS)).toBe(4);
  });

  it('of bars are those that their bars are over in', () => {
    const days = recorded([0, DAY_MS, 2 * DAY_MS], DAY_MS);
    expect(days(0, 3 * DAY_MS)).toBe(3);
    expect(days(0, 3 * DAY_MS - 1)).toBe(2);
    expect(days(1, 3 * DAY_MS)).toBe(2);
  });

  it('are as many as the result of a run counts, however the stretch is cut', () => {
    const time = fc
      .tuple(
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom(0, 0.5, 1, 12, 22.5, 23, 23.5),
        fc.integer({ min: -1, max: 1 }),
      )
      .map(([day, hour, ms]) => START + day * DAY_MS + hour * HOUR_MS + ms);
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 12 }), time, time, (unsorted, a, b) => {
        const times = unsorted.toSorted((one, other) => one - other);
        const days = new RecordedDays();
        days.add({ count: times.length, time: Float64Array.from(times) });
        const stretch = { from: Math.min(a, b), to: Math.max(a, b) };
        expect(days.within(stretch)).toBe(ofRun(times, stretch));
      }),
      { numRuns: 2_000 },
    );
  });
});
