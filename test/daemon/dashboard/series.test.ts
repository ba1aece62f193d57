import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CandleRow } from '../../../src/daemon/daemon-api.js';
import {
  coarser,
  equityLine,
  fillMarks,
  joinedCandles,
  usedFraction,
} from '../../../src/daemon/dashboard/series.js';

const MINUTE_MS = 60_000;
const candle = (minute: number, open: number, close: number, volume = 1): CandleRow => ({
  time: minute * MINUTE_MS,
  open,
  close,
  high: Math.max(open, close) + 1,
  low: Math.min(open, close) - 1,
  volume,
});

describe('drawdown', () => {
  it('is how far the equity is below its highest point so far, which is at least the start', () => {
    const points = ['-5', '10', '4', '12', '-3', 'nonsense'].map((equity, index) => ({
      kind: 'equity' as const,
      time: 1_000 * index,
      asset: 'USD',
      equity,
    }));
    expect(equityLine(points)).toEqual({
      times: [0, 1, 2, 3, 4],
      equity: [-5, 10, 4, 12, -3],
      drawdown: [-5, 0, -6, 0, -15],
      worst: -15,
    });
  });
});

describe('candles', () => {
  it('that are newer replace those of the same minutes', () => {
    const joined = joinedCandles(
      [candle(1, 1, 1), candle(2, 2, 2), candle(3, 3, 3)],
      [candle(3, 3, 9), candle(4, 9, 8)],
      3,
    );
    expect(joined).toEqual([candle(2, 2, 2), candle(3, 3, 9), candle(4, 9, 8)]);
    expect(joinedCandles(joined, [], 3)).toBe(joined);
  });

  it('of five minutes have the first open, the last close and the extremes of their minutes', () => {
    const rows = [
      candle(4, 7, 7),
      candle(5, 10, 12),
      candle(6, 12, 8, 2),
      candle(9, 8, 11),
      candle(10, 11, 11),
    ];
    expect(coarser(rows, 5)).toEqual([
      { time: 0, open: 7, close: 7, high: 8, low: 6, volume: 1 },
      { time: 5 * MINUTE_MS, open: 10, close: 11, high: 13, low: 7, volume: 4 },
      { time: 10 * MINUTE_MS, open: 11, close: 11, high: 12, low: 10, volume: 1 },
    ]);
  });

  it('carry the own fills of their minutes, and no others', () => {
    const fill = (time: number, price: string) => ({ time, side: 'buy' as const, price });
    const marks = fillMarks([candle(5, 1, 1), candle(10, 1, 1)], 5, [
      fill(4 * MINUTE_MS, '1'),
      fill(5 * MINUTE_MS, '2'),
      fill(10 * MINUTE_MS - 1, '3'),
      fill(10 * MINUTE_MS, '4'),
      fill(10 * MINUTE_MS, 'x'),
    ]);
    expect(marks).toEqual([
      { index: 0, side: 'buy', price: 2 },
      { index: 0, side: 'buy', price: 3 },
      { index: 1, side: 'buy', price: 4 },
    ]);
  });
});

describe('the use of a limit', () => {
  it.each([
    ['max-position', '0.15', '0.5', 0.3],
    ['max-position', '-0.5', '0.5', 1],
    ['max-position', '0.7', '0.5', 1],
    ['max-open-orders', '0', '0', 0],
    ['max-open-orders', '1', '0', 1],
    // Kept by being above them: at the bound they are used up.
    ['liquidation-distance', '0.4', '0.1', 0.25],
    ['liquidation-distance', '0.1', '0.1', 1],
    ['same-side-repeat', '0', '2000', 1],
    ['same-side-repeat', '2000', '2000', 0],
  ])('%s at %s of %s is %d', (rule, used, bound, fraction) => {
    expect(usedFraction(rule, used, bound)).toBeCloseTo(fraction, 12);
  });

  it('is not known when its numbers are none', () => {
    expect(usedFraction('max-position', 'x', '1')).toBeUndefined();
  });

  it('is never outside its bar', () => {
    const rules = fc.constantFrom('max-position', 'liquidation-distance', 'same-side-repeat');
    const text = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
    fc.assert(
      fc.property(rules, text, text, (rule, used, bound) => {
        const fraction = usedFraction(rule, used, bound);
        expect(fraction).toBeGreaterThanOrEqual(0);
        expect(fraction).toBeLessThanOrEqual(1);
      }),
    );
  });
});
