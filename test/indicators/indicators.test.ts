import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adx, atr, crossover, ema, mfi, parabolicSar, rsi, sma, wilder } from '../../src/indicators/index.js';

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

  it.each([
    6, -1,
  ])('is NaN exactly as long as what is no number is in its window: decimals %i', (decimals) => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 6, arbitrary: fc.integer({ min: 1, max: 9_999_999 }) },
            fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
          ),
          { minLength: 1, maxLength: 120 },
        ),
        fc.integer({ min: 1, max: 20 }),
        (steps, period) => {
          // No decimals at all, or such as prices are.
          const scale = decimals < 0 ? Math.PI : 10 ** decimals;
          const average = sma(period);
          for (const i of steps.keys()) {
            const value = average.next((steps[i] as number) / scale);
            const window = steps.slice(Math.max(0, i + 1 - period), i + 1);
            if (window.length < period || !window.every(Number.isFinite)) expect(value).toBeNaN();
            else {
              const mean = window.reduce((total, item) => total + item, 0) / (period * scale);
              if (decimals < 0) expect(Math.abs(value - mean)).toBeLessThan(1e-6);
              else expect(value).toBe(mean);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
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

it.each([20_704.1, 0.1, 2.2])('averages of a price that stands still do not cross: %d', (price) => {
  for (const [make, fast, slow] of [
    [sma, 10, 30],
    [ema, 10, 30],
    [wilder, 7, 14],
  ] as const) {
    const [one, other, cross] = [make(fast), make(slow), crossover()];
    for (let i = 0; i < 200; i++) {
      const values = [one.next(price), other.next(price)] as const;
      expect(cross.next(...values), `${make.name}, ${i}: ${values.join(', ')}`).toBeUndefined();
    }
  }
});

describe('averages of averages', () => {
  it('are warm once there are enough of them: the lines of a MACD', () => {
    const fast = ema(2);
    const slow = ema(3);
    const signal = ema(2);
    const smooth = sma(2);
    const lines = [1, 2, 4, 8, 16, 32].map((price) => {
      const macd = fast.next(price) - slow.next(price);
      return [macd, signal.next(macd), smooth.next(macd)];
    });
    // By hand: fast 1.5, 19/6, 115/18, 691/54, …; slow 7/3, 31/6, 127/12, ….
    const macd = [19 / 6 - 7 / 3, 115 / 18 - 31 / 6, 691 / 54 - 127 / 12] as const;
    expect(lines.slice(0, 3).map(([, line]) => line)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(lines[3]?.[1]).toBeCloseTo((macd[0] + macd[1]) / 2, 12);
    expect(lines[3]?.[2]).toBeCloseTo((macd[0] + macd[1]) / 2, 12);
    const before = (macd[0] + macd[1]) / 2;
    expect(lines[4]?.[1]).toBeCloseTo(before + (2 / 3) * (macd[2] - before), 12);
    expect(lines[5]?.[1]).toBeGreaterThan(0);
  });

  it('pass over what is no number: an ema stays where it was', () => {
    const average = ema(2);
    const values = [1, 3, Number.NaN, Number.POSITIVE_INFINITY, 5].map((value) => average.next(value));
    expect(values).toEqual([Number.NaN, 2, 2, 2, 4]);
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

describe('an oscillator', () => {
  it('never leaves its range, however long all goes one way', () => {
    for (let period = 2; period <= 20; period++) {
      const strength = rsi(period);
      const flow = mfi(period);
      let price = 50.1;
      for (let i = 0; i < 400; i++) {
        price = Number((price + 0.1 + (i % 7) * 0.1).toFixed(1));
        const bar = { high: price, low: price, close: price, volume: 0.1 + (i % 3) };
        for (const value of [strength.next(price), flow.next(bar)]) {
          if (i > period) expect(value).toBe(100);
        }
      }
    }
  });
});

describe.each([
  ['atr', () => atr(2)],
  ['adx', () => adx(2)],
  ['parabolicSar', () => parabolicSar()],
] as const)('%s', (_, begin) => {
  it.each(['high', 'low', 'close'] as const)('passes over a bar whose %s is no number', (price) => {
    const [disturbed, undisturbed] = [begin(), begin()];
    for (const [at, middle] of [10, 11, 13, 12, 12.5, 11, 14].entries()) {
      const bar = { high: middle + 0.5, low: middle - 0.5, close: middle };
      if (at === 3) disturbed.next({ ...bar, high: 30, low: 5, [price]: Number.NaN });
      expect(disturbed.next(bar)).toEqual(undisturbed.next(bar));
    }
  });
});

describe('adx', () => {
  // TA-Lib's own C code (0.4) over the same bars says so.
  it('begins with TA-Lib where nothing moves at first', () => {
    const index = adx(14);
    let last = 60_000;
    const values = Array.from({ length: 60 }, (_, at) => {
      const close = at < 20 ? last : last + ((at * 37) % 41) - 18;
      const spread = at < 20 ? { above: 0, below: 0 } : { above: 3, below: 2 };
      const bar = {
        high: Math.max(last, close) + spread.above,
        low: Math.min(last, close) - spread.below,
        close,
      };
      last = close;
      return index.next(bar).adx;
    });
    expect(values[26]).toBeNaN();
    expect(values[27]).toBeCloseTo(29.832167029134602, 9);
    expect(values[33]).toBeCloseTo(25.346918521129933, 9);
  });
});
