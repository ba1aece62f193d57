import { describe, expect, expectTypeOf, it } from 'vitest';
import { Decimal as EngineDecimal } from '../../src/model/decimal.js';
import { gridOfDecimals } from '../../src/model/grid.js';
import { quantise } from '../../src/model/quantise.js';
import { decimal, parseParams } from '../../src/strategy/params.js';
import { Decimal } from '../../src/strategy/strategy-decimal.js';

/** As JavaScript sees it. */
const untyped = Decimal as unknown as Record<string, (value?: unknown) => unknown>;

describe('the Decimal of strategies', () => {
  it('computes as that of decimal.js does, and to 40 digits', () => {
    expect(new Decimal('0.1').plus('0.2').toFixed()).toBe('0.3');
    expect(Decimal('1e-7').toFixed()).toBe('0.0000001');
    expect(String(new Decimal(1).div(3))).toBe(`0.${'3'.repeat(40)}`);
    expect(Decimal.max(1, '3', new Decimal(2)).toNumber()).toBe(3);
    expect(Decimal.atan2(1, 1).times(4).toFixed(20)).toBe('3.14159265358979323846');
    expect(Decimal.sqrt(2).toFixed(10)).toBe('1.4142135624');
    expect([Decimal.ROUND_HALF_EVEN, Decimal.precision]).toEqual([6, 40]);
    expect(new Decimal(1)).toBeInstanceOf(Decimal);
    expect(new EngineDecimal(1)).toBeInstanceOf(Decimal);
    expect(Decimal.isDecimal(new Decimal(1))).toBe(true);
  });

  it('keeps its settings, and has others in a copy', () => {
    for (const name of ['set', 'config']) {
      expect(() => untyped[name]?.({ precision: 3 })).toThrow(
        `a strategy must not call Decimal.${name}: use Decimal.clone({ … }), since its settings are those of every strategy`,
      );
    }
    expect(() => Object.assign(Decimal, { precision: 3 })).toThrow(TypeError);
    const Coarse = Decimal.clone({ precision: 3, rounding: 0 });
    expect(String(new Coarse(1).div(3))).toBe('0.334');
    expect(String(new Coarse(2).times('1.2345'))).toBe('2.47');
    expect(() => Object.assign(Coarse, { precision: 4 })).toThrow(TypeError);
    expect(String(new Decimal(1).div(3))).toHaveLength(42);
    expectTypeOf(Decimal).not.toHaveProperty('set');
  });

  it('gives no random numbers', () => {
    for (const each of [untyped, Decimal.clone() as unknown as typeof untyped]) {
      expect(() => each['random']?.()).toThrow('take random numbers from context.random');
    }
  });

  it('is not the one of the engine, whatever becomes of it', () => {
    const { quantity } = parseParams('s', { quantity: decimal({ default: '1.2345' }) }, {});
    const made = [quantity, new Decimal('59123.4')].map((value) => value.constructor as typeof EngineDecimal);
    try {
      for (const own of made) own.set({ precision: 3, rounding: 0 });
      expect(String(new EngineDecimal('59123.4').times(10))).toBe('591234');
      const grid = gridOfDecimals(1);
      expect(quantise(grid, 1, new Decimal('59123.4'), 'down')).toBe(591_234);
      expect(quantise(grid, 1, '59123.4', 'down')).toBe(591_234);
      expect(parseParams('s', { quantity: decimal({ default: '1.2345' }) }, {}).quantity.toFixed()).toBe(
        '1.2345',
      );
    } finally {
      for (const own of made) own.set({ precision: 40, rounding: 6 });
    }
  });
});
