import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, parseDecimal } from '../../src/model/decimal.js';
import {
  exactSteps,
  gridOfDecimals,
  gridOfStep,
  scaledText,
  stepsNear,
  stepsOf,
  textOf,
  wholeSteps,
} from '../../src/model/grid.js';
import { defineMarket, type MarketSpec } from '../../src/model/market.js';
import { divCeil, divFloor, divHalfEven, feeOf, moneyOf, moneyText, rateOf } from '../../src/model/money.js';
import { quantise, type Rounding } from '../../src/model/quantise.js';
import { compareIds, compareTrades } from '../../src/model/trade.js';
import { BTC } from '../support/markets.js';

describe('Decimal', () => {
  it('never prints an exponent', () => {
    expect(String(new Decimal('0.0000001'))).toBe('0.0000001');
    expect(String(new Decimal('123456789012345678901234567890'))).toBe('123456789012345678901234567890');
  });

  it('parses plain decimals only', () => {
    for (const text of ['', ' ', '1e5', '0x10', 'NaN', 'Infinity', '1,5', '--1'])
      expect(parseDecimal(text)).toBeUndefined();
    expect(parseDecimal('.5')?.toFixed()).toBe('0.5');
    expect(parseDecimal(Number.NaN)).toBeUndefined();
  });

  it('parses every double, and nothing whose digits would fill the heap', () => {
    for (const number of [Number.MAX_VALUE, Number.MIN_VALUE, -Number.MAX_VALUE, 0]) {
      expect(parseDecimal(number)?.toNumber()).toBe(number);
    }
    expect(parseDecimal('9'.repeat(400))?.toFixed()).toBe('9'.repeat(400));
    const wide = [new Decimal('1e9000000'), new Decimal('-1e400'), new Decimal('1e-401'), '9'.repeat(401)];
    for (const source of [...wide, `0.${'0'.repeat(400)}1`]) expect(parseDecimal(source)).toBeUndefined();
  });
});

describe('a grid', () => {
  it('has the digits of the step it holds', () => {
    expect(gridOfStep('0.5')).toEqual({ decimals: 1, scale: 10 });
    expect(gridOfStep('0.001').decimals).toBe(3);
    expect(gridOfStep('10').decimals).toBe(0);
    expect(() => gridOfStep('0')).toThrow(/must be a decimal above 0, received 0/);
  });

  it('knows exactly which printed numbers lie on it, through its text and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9e14, max: 9e14 }),
        fc.integer({ min: 0, max: 8 }),
        (steps, decimals) => {
          const grid = gridOfDecimals(decimals);
          const text = textOf(grid, steps);
          expect(exactSteps(grid, text)).toBe(steps);
          if (Math.abs(steps) < 2 ** 50) expect(stepsOf(grid, Number(text)) + 0).toBe(steps);
          expect(text).toBe(new Decimal(steps).div(new Decimal(10).pow(decimals)).toFixed());
        },
      ),
    );
    const tenths = gridOfDecimals(1);
    expect(stepsOf(tenths, 61_800.35)).toBeNaN();
    expect(exactSteps(tenths, '61800.35')).toBeUndefined();
    expect(scaledText(-5n, 3)).toBe('-0.005');
  });

  it('knows every printed decimal of it also without its last bits, however fine it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 48), max: 2 ** 48 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: -1, max: 1 }),
        (steps, decimals, bits) => {
          const grid = gridOfDecimals(decimals);
          const printed = Number(textOf(grid, steps));
          const noisy = printed * (1 + bits * Number.EPSILON);
          expect(stepsNear(grid, noisy) + 0).toBe(steps);
          expect(wholeSteps(grid, Math.abs(noisy))).toBe(Math.abs(steps));
        },
      ),
    );
    expect(stepsNear(gridOfDecimals(8), 165.1580555)).toBe(16_515_805_550);
    expect(wholeSteps(gridOfDecimals(8), 1_062.87837028)).toBe(106_287_837_028);
  });

  it('counts whole steps of a quantity, and nothing for what is below one', () => {
    const thousandths = gridOfDecimals(3);
    expect(wholeSteps(thousandths, 0.1 + 0.2)).toBe(300);
    expect(wholeSteps(thousandths, 0.0129)).toBe(12);
    expect(wholeSteps(thousandths, 0.000_999)).toBe(0);
    expect(wholeSteps(gridOfDecimals(8), 1_062.878_370_285)).toBe(106_287_837_028);
  });

  it('takes float noise for none, and a fraction of a step for no step', () => {
    const thousandths = gridOfDecimals(3);
    expect(stepsNear(thousandths, 0.1 + 0.2)).toBe(300);
    expect(stepsNear(thousandths, -2.7755575615628914e-17) + 0).toBe(0);
    expect(stepsNear(thousandths, 0.0125)).toBeNaN();
    expect(stepsNear(thousandths, 99_999.0001)).toBeNaN();
    expect(stepsNear(thousandths, Number.NaN)).toBeNaN();
    expect(stepsNear(thousandths, 1e300)).toBeNaN();
  });
});

describe('quantising', () => {
  const grid = gridOfDecimals(1);
  it.each([
    [61_800.3 - 0.1, 1, 'down', 618_002],
    [61_800.29, 1, 'down', 618_002],
    [61_800.21, 1, 'up', 618_003],
    [61_800.2, 5, 'down', 618_000],
    [61_800.2, 5, 'up', 618_005],
    [-0.19, 1, 'toward-zero', -1],
    [0.09, 1, 'toward-zero', 0],
  ] as const)('takes %d on multiples of %d tenths %s to %d tenths', (value, step, rounding, expected) => {
    expect(quantise(grid, step, value, rounding)).toBe(expected);
    expect(quantise(grid, step, String(Math.round(value * 100) / 100), rounding)).toBe(expected);
  });

  it('takes a printed number for what its text is, however fine the grid', () => {
    const roundings = fc.constantFrom('down', 'up', 'toward-zero') as fc.Arbitrary<Rounding>;
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 48), max: 2 ** 48 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 1_000 }),
        roundings,
        (steps, decimals, step, rounding) => {
          const at = gridOfDecimals(decimals);
          const text = textOf(at, steps);
          expect(quantise(at, step, Number(text), rounding)).toBe(quantise(at, step, text, rounding));
        },
      ),
    );
    const fine = gridOfDecimals(8);
    for (const rounding of ['down', 'up', 'toward-zero'] as const) {
      expect(quantise(fine, 1, 1_062.87837028, rounding)).toBe(106_287_837_028);
    }
  });

  it('takes a text for what its decimal is, however it is written and rounded', () => {
    const digits = fc.stringMatching(/^[0-9]{0,17}$/);
    const text = fc
      .tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.'), digits)
      .map((parts) => parts.join(''));
    const roundings = fc.constantFrom('down', 'up', 'toward-zero') as fc.Arbitrary<Rounding>;
    const steps = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8 }),
        steps,
        text,
        roundings,
        (decimals, step, value, rounding) => {
          const at = gridOfDecimals(decimals);
          const exact = parseDecimal(value);
          const expected = exact === undefined ? Number.NaN : quantise(at, step, exact, rounding);
          expect(quantise(at, step, value, rounding)).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('answers NaN for what is no number', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e300, 'abc']) {
      expect(quantise(grid, 1, value, 'down')).toBeNaN();
    }
  });
});

describe('money', () => {
  it('divides like floor, ceil and half-even do', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -1_000n, max: 1_000n }), fc.bigInt({ min: 1n, max: 40n }), (a, b) => {
        const exact = new Decimal(a.toString()).div(b.toString());
        expect(divFloor(a, b).toString()).toBe(exact.floor().toFixed().replace('-0', '0'));
        expect(divCeil(a, b).toString()).toBe(exact.ceil().toFixed().replace(/^-0$/, '0'));
        expect(divHalfEven(a, b).toString()).toBe(
          exact.toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).toFixed().replace(/^-0$/, '0'),
        );
      }),
    );
  });

  it('rounds fees up and rebates down', () => {
    expect(feeOf(rateOf('0.0006'), 1n)).toBe(1n);
    expect(feeOf(rateOf('-0.0006'), 1n)).toBe(0n);
    expect(feeOf(rateOf('-0.5'), 3n)).toBe(-1n);
    expect(feeOf(rateOf('0.5'), 3n)).toBe(2n);
  });

  it('reads exact amounts only', () => {
    expect(moneyOf('1.5', 2)).toBe(150n);
    expect(moneyText(150n, 2)).toBe('1.5');
    expect(() => moneyOf('1.505', 2)).toThrow(/at most 2 digits after the point, received 1.505/);
  });
});

describe('a market', () => {
  const spec = {
    pair: 'X',
    base: 'B',
    quote: 'Q',
    price: { min: 0, max: 10, step: '0.1' },
    quantity: { min: 0, max: 10, step: '0.001' },
    fees: { maker: 0, taker: 0 },
  };

  it('is refused when price × quantity would be finer than its money', () => {
    expect(() => defineMarket({ ...spec, quotePrecision: 3 })).toThrow(
      /digits of tick \(1\) and lot \(3\).*received 3/,
    );
    expect(defineMarket({ ...spec, quotePrecision: 4 }).unitsPerTickLot).toBe(1n);
    expect(BTC.unitsPerTickLot).toBe(10_000n);
  });

  it('is refused when a filter is off its own grid or empty', () => {
    expect(() => defineMarket({ ...spec, price: { min: '0.05', max: 10, step: '0.1' } })).toThrow(
      /filter price.min/,
    );
    expect(() => defineMarket({ ...spec, quantity: { min: 5, max: 1, step: 1 } })).toThrow(/0 <= min <= max/);
    const noMin = { max: 10, step: '0.1' } as MarketSpec['price'];
    expect(() => defineMarket({ ...spec, price: noMin })).toThrow(
      /price\.min must be a decimal, received undefined/,
    );
  });
});

describe('the order of trades', () => {
  it('compares decimal ids as integers and others by length, then text', () => {
    expect(compareIds('9', '10')).toBeLessThan(0);
    expect(compareIds('010', '10')).toBe(0);
    expect(compareIds('b', 'aa')).toBeLessThan(0);
    expect(compareIds('ab', 'aa')).toBeGreaterThan(0);
    expect(compareTrades({ time: 1, id: '9' }, { time: 1, id: '10' })).toBeLessThan(0);
    expect(compareTrades({ time: 2, id: '1' }, { time: 1, id: '2' })).toBeGreaterThan(0);
  });
});
