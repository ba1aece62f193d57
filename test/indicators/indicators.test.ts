import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crossover, ema, sma } from '../../src/indicators/index.js';

describe('sma', () => {
  it('is NaN until its window is full', () => {
    const average = sma(3);
    expect([average.next(1), average.next(2), average.next(3), average.next(7)]).toEqual([
      Number.NaN,
      Number.NaN,
      2,
      4,
    ]);
  });

  it('is the exactly rounded average of decimal prices, however long it runs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 6 }),
        (steps, period, decimals) => {
          const scale = 10 ** decimals;
          const average = sma(period);
          for (const [i, step] of steps.entries()) {
            const value = average.next(step / scale);
            if (i + 1 < period) expect(value).toBeNaN();
            else {
              const sum = steps.slice(i + 1 - period, i + 1).reduce((total, item) => total + item, 0);
              expect(value).toBe(sum / (period * scale));
            }
          }
        },
      ),
    );
  });

  it('stays within float noise where inputs are no decimals', () => {
    const average = sma(7);
    const values = Array.from({ length: 5_000 }, (_, i) => Math.sin(i) * 1e5 + Math.PI);
    const last = values.map((value) => average.next(value));
    for (let i = 6; i < values.length; i++) {
      const mean = values.slice(i - 6, i + 1).reduce((total, item) => total + item, 0) / 7;
      expect(Math.abs((last[i] as number) - mean)).toBeLessThan(1e-8);
    }
  });

  it('is exact beyond 32 bits, too', () => {
    const average = sma(3);
    // Multiples of 10^-2 around 2^31 and far above; the sums by hand.
    const values = [21_474_836.47, 21_474_836.48, 21_474_836.5, 80_000_000_000.01];
    const averages = values.map((value) => average.next(value));
    expect(averages[2]).toBe(6_442_450_945 / 300);
    expect(averages[3]).toBe((2_147_483_648 + 2_147_483_650 + 8_000_000_000_001) / 300);
  });

  it('asks for a whole period', () => {
    for (const period of [0, 1.5, 2 ** 22, Number.NaN]) {
      const words = `the period of an sma must be a whole number from 1 to 4194303, received ${period}`;
      expect(() => sma(period)).toThrow(words);
    }
  });
});

describe('ema', () => {
  it('starts at the simple average and then follows with 2 / (period + 1)', () => {
    const average = ema(3); // alpha 0.5; by hand: (1+2+3)/3 = 2, 2+(6-2)/2 = 4, 4+(0-4)/2 = 2
    expect([1, 2, 3, 6, 0].map((value) => average.next(value))).toEqual([Number.NaN, Number.NaN, 2, 4, 2]);
  });
});

describe('crossover', () => {
  it('speaks when the first side is known and whenever a goes to the other side of b', () => {
    const cross = crossover();
    const pairs = [
      [Number.NaN, 1],
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 2],
      [2, 2],
      [3, 2],
      [1, 2],
    ] as const;
    expect(pairs.map(([a, b]) => cross.next(a, b))).toEqual([
      undefined,
      'below',
      undefined,
      'above',
      undefined,
      undefined,
      undefined,
      'below',
    ]);
  });
});
