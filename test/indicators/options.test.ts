import { describe, expect, it } from 'vitest';
import {
  adx,
  atr,
  bollinger,
  cci,
  ema,
  highest,
  lowest,
  macd,
  mfi,
  parabolicSar,
  roc,
  rsi,
  standardDeviation,
  stochastic,
  typicalPrice,
  vwap,
  wilder,
  williamsR,
  wma,
} from '../../src/indicators/index.js';

it.each([
  ['an ema', 1, ema],
  ['a wma', 1, wma],
  ["wilder's smoothing", 1, wilder],
  ['an rsi', 1, rsi],
  ['a roc', 1, roc],
  ['a standard deviation', 2, standardDeviation],
  ['bollinger bands', 2, (period: number) => bollinger({ period })],
  ['a highest', 1, highest],
  ['a lowest', 1, lowest],
  ['an atr', 1, atr],
  ['an adx', 2, adx],
  ['a stochastic', 1, (period: number) => stochastic({ period })],
  ['the k of a stochastic', 1, (smoothK: number) => stochastic({ smoothK })],
  ['the d of a stochastic', 1, (smoothD: number) => stochastic({ smoothD })],
  ['a williamsR', 1, williamsR],
  ['a cci', 2, cci],
  ['an mfi', 1, mfi],
  ['the fast average of a macd', 1, (fast: number) => macd({ fast })],
  // Faster than the fast one it would be none.
  ['the slow average of a macd', 13, (slow: number) => macd({ slow })],
  ['the signal of a macd', 1, (signal: number) => macd({ signal })],
  ['a vwap, in ms,', 1, vwap],
])('the period of %s is a whole number of at least %i', (what, least, make) => {
  expect(() => make(least)).not.toThrow();
  for (const period of [least - 1, -3, least + 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    const words = `the period of ${what} must be a whole number of at least ${least}, received ${period}`;
    expect(() => make(period)).toThrow(new RangeError(words));
  }
});

it.each([
  ['wma', wma],
  ['roc', roc],
  ['standardDeviation', standardDeviation],
  ['highest', highest],
  ['lowest', lowest],
  ['cci', cci],
  ['mfi', mfi],
  ['bollinger', (period: number) => bollinger({ period: Math.min(period, 2 ** 22), width: 1 })],
  ['stochastic', (period: number) => stochastic({ period })],
  ['the smoothing of a stochastic', (smoothK: number) => stochastic({ smoothK })],
  ['williamsR', williamsR],
])('what %s would have to keep is bounded', (_, make) => {
  expect(() => make(2 ** 22 - 1)).not.toThrow();
  for (const period of [2 ** 22, 1e10])
    expect(() => make(period)).toThrow(/at most 4194303|from 1 to 4194303/);
});

it('bands have a width, and a parabolic sar steps that lead somewhere', () => {
  for (const width of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => bollinger({ width })).toThrow(`the width of bollinger bands must be`);
  for (const options of [{ step: 0 }, { step: 0.3, most: 0.2 }, { most: 1.1 }, { step: Number.NaN }])
    expect(() => parabolicSar(options)).toThrow('a parabolic sar must have 0 < step <= most <= 1, received');
});

it('an option that is a text is told as one', () => {
  const of = (value: unknown) => value as number;
  const whole = 'must be a whole number of at least 1, received';
  expect(() => ema(of('5'))).toThrow(new RangeError(`the period of an ema ${whole} "5"`));
  expect(() => rsi(of({ period: 5 }))).toThrow(new RangeError(`the period of an rsi ${whole} {"period":5}`));
  expect(() => atr(of(5n))).toThrow(new RangeError(`the period of an atr ${whole} 5n`));
  expect(() => roc(of(Symbol('five')))).toThrow(new RangeError(`the period of a roc ${whole} Symbol(five)`));
  expect(() => wma(of(ema))).toThrow(new RangeError(`the period of a wma ${whole} a function`));
  expect(() => bollinger({ width: of('2') })).toThrow('must be a finite number above 0, received "2"');
  expect(() => parabolicSar({ step: of('0.02') })).toThrow('received step "0.02" and most 0.2');
  expect(() => parabolicSar({ most: of('0.2') })).toThrow('received step 0.02 and most "0.2"');
});

describe.each([
  ['bollinger bands', 'period, width', bollinger],
  ['a macd', 'fast, slow, signal', macd],
  ['a stochastic', 'period, smoothK, smoothD', stochastic],
  ['a parabolic sar', 'step, most', parabolicSar],
] as readonly [string, string, (options?: object) => unknown][])('the options of %s', (what, keys, make) => {
  it('may be absent, all or some', () => {
    for (const options of [undefined, {}, { [keys.split(', ')[0] as string]: undefined }])
      expect(() => make(options)).not.toThrow();
  });

  it.each([
    [5, '5'],
    ['5', '"5"'],
    [null, 'null'],
    [[5], '[5]'],
    [ema, 'a function'],
  ] as readonly [unknown, string][])('are one object, not %j', (given, shown) => {
    const words = `the options of ${what} must be an object like { ${keys} }, received ${shown}`;
    expect(() => make(given as object)).toThrow(new RangeError(words));
  });

  it('have no other keys', () => {
    const words = `an option of ${what} must be one of ${keys}, received perriod`;
    expect(() => make({ perriod: 5 })).toThrow(new RangeError(words));
  });
});

describe('vwap', () => {
  it('weighs prices with quantities, and begins anew at each multiple of its time', () => {
    const average = vwap(1_000);
    const at = (time: number, price: number, quantity: number) => average.next({ time, price, quantity });
    expect(at(1_200, 100, 1)).toBe(100);
    expect(at(1_999, 110, 3)).toBe((100 + 330) / 4);
    expect(at(2_000, 90, 2)).toBe(90);
    // Two hours without a trade are no reason to go on with the old ones.
    expect(at(7_202_500, 50, 1)).toBe(50);
  });

  it('is no number before anything was traded, and does without what is none', () => {
    const average = vwap();
    expect(average.next({ time: 0, price: 100, quantity: 0 })).toBeNaN();
    expect(average.next({ time: 1, price: 100, quantity: 2 })).toBe(100);
    expect(average.next({ time: 2, price: Number.NaN, quantity: 2 })).toBe(100);
    expect(average.next({ time: 3, price: 103, quantity: 1 })).toBe(101);
  });

  it('takes a bar by its typical price', () => {
    const average = vwap();
    const bar = { openTime: 0, high: 12, low: 6, close: 9, volume: 4 };
    expect(average.next({ time: bar.openTime, price: typicalPrice(bar), quantity: bar.volume })).toBe(9);
  });
});

it('the average of an rsi is known once that is', () => {
  const strength = rsi(2);
  const average = wma(2);
  const values = [10, 11, 10.5, 10.75, 11.5].map((price) => average.next(strength.next(price)));
  // Wilder's averages of gains and losses, by hand: 0.5 and 0.25, then 0.375 and 0.125, then 0.5625 and 0.0625.
  const [first, second, third] = [200 / 3, 75, 90];
  expect(values.slice(0, 3)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  expect(values[3]).toBeCloseTo((first + 2 * second) / 3, 10);
  expect(values[4]).toBeCloseTo((second + 2 * third) / 3, 10);
});
