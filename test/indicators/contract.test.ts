/** What holds of every indicator. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adx,
  atr,
  bollinger,
  cci,
  crossover,
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
  vwap,
  wilder,
  williamsR,
  wma,
} from '../../src/indicators/index.js';

/** That at which a market stands still. */
const PRICE = 'its price';

type Next = (bar: VolumeCandle) => readonly number[];

interface Promised {
  readonly name: string;
  readonly begin: () => Next;
  /** Bars before all of it is known. */
  readonly warmUp: number;
  /** What it says of a market that never moved. */
  readonly still: readonly (number | typeof PRICE)[];
  /** What is no number is passed over; else it stands in the window until it has left it. */
  readonly passesOver: boolean;
}

const ofCloses =
  (make: () => { next(value: number): number }): (() => Next) =>
  () => {
    const indicator = make();
    return ({ close }) => [indicator.next(close)];
  };
const ofBars =
  <T extends number | object>(make: () => { next(bar: VolumeCandle): T }): (() => Next) =>
  () => {
    const indicator = make();
    return (bar) => {
      const value = indicator.next(bar);
      return typeof value === 'number' ? [value] : (Object.values(value) as number[]);
    };
  };
const ofMany =
  (make: () => { next(value: number): object }): (() => Next) =>
  () => {
    const indicator = make();
    return ({ close }) => Object.values(indicator.next(close)) as number[];
  };

const passed = { passesOver: true };
const windowed = { passesOver: false };
const PROMISED: readonly Promised[] = [
  { name: 'sma', begin: ofCloses(() => sma(5)), warmUp: 4, still: [PRICE], ...windowed },
  { name: 'ema', begin: ofCloses(() => ema(5)), warmUp: 4, still: [PRICE], ...passed },
  { name: 'wma', begin: ofCloses(() => wma(5)), warmUp: 4, still: [PRICE], ...windowed },
  { name: 'wilder', begin: ofCloses(() => wilder(5)), warmUp: 4, still: [PRICE], ...passed },
  { name: 'rsi', begin: ofCloses(() => rsi(5)), warmUp: 5, still: [50], ...passed },
  {
    name: 'macd',
    begin: ofMany(() => macd({ fast: 3, slow: 5, signal: 4 })),
    warmUp: 7,
    still: [0, 0, 0],
    ...passed,
  },
  { name: 'roc', begin: ofCloses(() => roc(5)), warmUp: 5, still: [0], ...windowed },
  {
    name: 'standardDeviation',
    begin: ofCloses(() => standardDeviation(5)),
    warmUp: 4,
    still: [0],
    ...windowed,
  },
  {
    name: 'bollinger',
    begin: ofMany(() => bollinger({ period: 5 })),
    warmUp: 4,
    still: [PRICE, PRICE, PRICE],
    ...windowed,
  },
  { name: 'highest', begin: ofCloses(() => highest(5)), warmUp: 4, still: [PRICE], ...windowed },
  { name: 'lowest', begin: ofCloses(() => lowest(5)), warmUp: 4, still: [PRICE], ...windowed },
  { name: 'atr', begin: ofBars(() => atr(5)), warmUp: 5, still: [0], ...passed },
  { name: 'adx', begin: ofBars(() => adx(5)), warmUp: 9, still: [0, 0, 0], ...passed },
  {
    name: 'stochastic',
    begin: ofBars(() => stochastic({ period: 5, smoothK: 2, smoothD: 2 })),
    warmUp: 6,
    still: [50, 50],
    ...windowed,
  },
  { name: 'williamsR', begin: ofBars(() => williamsR(5)), warmUp: 4, still: [-50], ...windowed },
  { name: 'cci', begin: ofBars(() => cci(5)), warmUp: 4, still: [0], ...windowed },
  { name: 'mfi', begin: ofBars(() => mfi(5)), warmUp: 5, still: [50], ...passed },
  { name: 'obv', begin: ofBars(() => obv()), warmUp: 0, still: [3.7], ...passed },
  { name: 'parabolicSar', begin: ofBars(() => parabolicSar()), warmUp: 1, still: [PRICE], ...passed },
  {
    name: 'vwap',
    begin: () => {
      const average = vwap(1_000);
      return (bar) => [average.next({ time: 0, price: bar.close, quantity: bar.volume })];
    },
    warmUp: 0,
    still: [PRICE],
    ...passed,
  },
];

/** Of sums of a few of them one is no multiple of it: the last digits show who keeps sums of prices. */
const STILL_PRICES = [100, 0.1, 20_704.1, 10_615.7, 0.000_123_4];
const stillAt = (price: number): VolumeCandle => ({ high: price, low: price, close: price, volume: 3.7 });
const STILL: VolumeCandle = { high: 100, low: 100, close: 100, volume: 3 };
const NOTHING: VolumeCandle = { high: Number.NaN, low: Number.NaN, close: Number.NaN, volume: Number.NaN };
/** More than the longest memory of those above. */
const LONG = 12;

/** Bars on a tick of 0.1 around 100, many of which stand still or repeat the one before. */
const bar = fc
  .tuple(fc.integer({ min: 900, max: 1_100 }), fc.nat({ max: 8 }), fc.nat({ max: 8 }), fc.nat({ max: 8 }))
  .map(([low, body, wick, volume]) => ({
    low: low / 10,
    close: (low + body) / 10,
    high: (low + body + wick) / 10,
    volume: 0.1 + volume / 10,
  }));
const walk = fc
  .array(fc.oneof({ weight: 3, arbitrary: bar }, { weight: 1, arbitrary: fc.constant(STILL) }), {
    minLength: 2 * LONG,
    maxLength: 80,
  })
  .filter((bars) => new Set(bars.map(({ close }) => close)).size > LONG);

it('what was given for the value or the bar is shown, with what should have been', () => {
  expect(() => rsi(14).next(STILL as never)).toThrow(
    'an indicator of values must be given a number (bar.close, for example), received {"high":100,"low":100,"close":100,"volume":3}',
  );
  expect(() => crossover().next(STILL as never, 100)).toThrow(/must be given a number \(bar.close, for/);
  for (const none of [null, true, '100', undefined]) {
    for (const average of [sma(3), ema(3)]) {
      expect(() => average.next(none as never)).toThrow(
        /^an indicator of values must be given a number, received /,
      );
    }
  }
  expect(() => atr(14).next(100 as never)).toThrow(
    'an indicator of bars must be given high, low and close, numbers, received 100',
  );
  expect(() => obv().next({ high: 3, low: 1, close: 2 } as never)).toThrow(
    'an indicator of bars must be given high, low, close and volume, numbers, received {"high":3,"low":1,"close":2}',
  );
});

describe.each(PROMISED)('$name', ({ begin, warmUp, still, passesOver }) => {
  it('is all known after its warm-up, and finite from then on', () => {
    fc.assert(
      fc.property(walk, (bars) => {
        const next = begin();
        for (const [i, each] of bars.entries()) {
          const values = next(each);
          if (i < warmUp) expect(values.some(Number.isNaN), `bar ${i}`).toBe(true);
          else for (const value of values) expect(value, `bar ${i}`).toSatisfy(Number.isFinite);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('owes nothing to another one, nor to the object that a bar came in', () => {
    fc.assert(
      fc.property(walk, (bars) => {
        const [one, other] = [begin(), begin()];
        const reused = { ...STILL };
        for (const each of bars) expect(one(Object.assign(reused, each))).toEqual(other(each));
      }),
      { numRuns: 30 },
    );
  });

  it.each(
    STILL_PRICES,
  )('has something to say of a market that never moves, to the last digit: at %d', (price) => {
    const next = begin();
    let values: readonly number[] = [];
    for (let i = 0; i < 3 * LONG; i++) {
      values = next(stillAt(price));
      if (i >= warmUp) expect(values).toEqual(still.map((each) => (each === PRICE ? price : each)));
    }
  });

  it('throws for what is of another kind, which would be NaN at every bar', () => {
    const next = begin();
    const wrong = { ...STILL, close: { close: 100 }, high: '100' };
    expect(() => next(wrong as never)).toThrow(TypeError);
    expect(() => next({ ...STILL, close: undefined, volume: undefined } as never)).toThrow(
      /^an indicator of (values|bars|trades) must be given .*, received/,
    );
  });

  it('gets over what is no number', () => {
    fc.assert(
      fc.property(walk, fc.nat({ max: LONG }), (bars, at) => {
        const [disturbed, undisturbed] = [begin(), begin()];
        const given = passesOver ? bars : bars.slice(at);
        const expected = given.map((each) => undisturbed(each));
        const seen = bars.map((each, i) => {
          if (i === at) disturbed(NOTHING);
          return disturbed(each);
        });
        if (passesOver) expect(seen).toEqual(expected);
        else expect(seen.slice(at + LONG)).toEqual(expected.slice(LONG));
      }),
      { numRuns: 60 },
    );
  });
});
