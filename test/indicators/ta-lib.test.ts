/** Every indicator of which TA-Lib has one, against what TA-Lib's own C code says (`oracle/ta-lib.c`). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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
  obv,
  parabolicSar,
  roc,
  rsi,
  sma,
  standardDeviation,
  stochastic,
  type VolumeCandle,
  williamsR,
  wma,
} from '../../src/indicators/index.js';

interface Answer {
  /** Index of the first value. */
  readonly begin: number;
  readonly values: readonly number[];
}

const oracle = JSON.parse(readFileSync(new URL('./oracle/ta-lib.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Answer>
>;
const column = (name: string) => (oracle[name] as Answer).values;
const bars: readonly VolumeCandle[] = column('close').map((close, i) => ({
  high: column('high')[i] as number,
  low: column('low')[i] as number,
  close,
  volume: column('volume')[i] as number,
}));

type Series = (bar: VolumeCandle) => number;
interface OfValues {
  next(value: number): number;
}
const of =
  (indicator: OfValues, field: 'high' | 'low' | 'close' = 'close'): Series =>
  (each) =>
    indicator.next(each[field]);
const ofBars =
  (indicator: { next(bar: VolumeCandle): number }): Series =>
  (each) =>
    indicator.next(each);

const bands = (field: 'upper' | 'middle' | 'lower'): Series => {
  const channel = bollinger();
  return ({ close }) => channel.next(close)[field];
};
const direction = (field: 'adx' | 'plusDi' | 'minusDi'): Series => {
  const index = adx();
  return (each) => index.next(each)[field];
};
const oscillator = (field: 'k' | 'd'): Series => {
  const both = stochastic();
  return (each) => both.next(each)[field];
};

const CASES: readonly (readonly [string, () => Series])[] = [
  ['EMA 12', () => of(ema(12))],
  ['EMA 26', () => of(ema(26))],
  ['WMA 9', () => of(wma(9))],
  ['RSI 14', () => of(rsi())],
  ['ROC 10', () => of(roc())],
  ['STDDEV 20', () => of(standardDeviation(20))],
  ['MAX 15', () => of(highest(15), 'high')],
  ['MIN 15', () => of(lowest(15), 'low')],
  ['ATR 14', () => ofBars(atr())],
  ['ATR 1', () => ofBars(atr(1))],
  ['ADX 14', () => direction('adx')],
  ['PLUS_DI 14', () => direction('plusDi')],
  ['MINUS_DI 14', () => direction('minusDi')],
  ['WILLR 14', () => ofBars(williamsR())],
  ['CCI 20', () => ofBars(cci())],
  ['MFI 14', () => ofBars(mfi())],
  ['OBV', () => ofBars(obv())],
  ['SAR 0.02 0.2', () => ofBars(parabolicSar())],
  ['BBANDS 20 2 upper', () => bands('upper')],
  ['BBANDS 20 2 middle', () => bands('middle')],
  ['BBANDS 20 2 lower', () => bands('lower')],
  ['STOCH 14 3 3 k', () => oscillator('k')],
  ['STOCH 14 3 3 d', () => oscillator('d')],
];

/** TA-Lib's deviations come out of running sums of squares, which cost it seven digits at these prices. */
const DIGITS = 6;

it.each(CASES)('%s is TA-Lib’s, and begins where it does', (name, begin) => {
  const answer = oracle[name] as Answer;
  const next = begin();
  const values = bars.map((each) => next(each));
  // Until all of it is known our stochastic tells k, which TA-Lib keeps back until d is there, too.
  const first = values.findIndex((value) => !Number.isNaN(value));
  expect(first).toBe(name.endsWith(' k') ? answer.begin - 2 : answer.begin);
  expect(answer.values.length).toBe(bars.length - answer.begin);
  for (const [i, expected] of answer.values.entries())
    expect(values[answer.begin + i], `bar ${answer.begin + i}`).toBeCloseTo(expected, DIGITS);
});

it('the macd is the difference of two averages of TA-Lib, and its signal the average of that', () => {
  const line = macd();
  const values = bars.map(({ close }) => line.next(close));
  const signal = ema(9);
  const [fast, slow] = [oracle['EMA 12'] as Answer, oracle['EMA 26'] as Answer];
  for (const [i, value] of values.entries()) {
    if (i < slow.begin) {
      expect(value).toEqual({ macd: Number.NaN, signal: Number.NaN, histogram: Number.NaN });
      continue;
    }
    const expected = (fast.values[i - fast.begin] as number) - (slow.values[i - slow.begin] as number);
    expect(value.macd).toBeCloseTo(expected, DIGITS);
    const average = signal.next(value.macd);
    expect(value.signal).toBe(average);
    expect(value.histogram).toBe(value.macd - average);
  }
});

it('the walk has rises and falls, and bars that stand still', () => {
  const still = bars.filter(({ high, low }) => high === low).length;
  expect(still).toBeGreaterThan(5);
  const average = sma(40);
  const slow = bars.map(({ close }) => average.next(close)).filter((value) => !Number.isNaN(value));
  expect(Math.max(...slow)).toBeGreaterThan((slow[0] as number) + 10);
  expect(Math.min(...slow)).toBeLessThan((slow[0] as number) - 10);
});
