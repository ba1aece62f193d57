import { describe, expect, it } from 'vitest';
import type { Texts } from '../../../src/backtest/search/space.js';
import { spaceOf } from '../../../src/backtest/search/space.js';
import { barInterval, boolean, choice, decimal, integer, number } from '../../../src/strategy/params.js';

const SPECS = {
  fast: integer({ default: 10, min: 1, max: 100 }),
  threshold: number({ default: 0.5, min: 0, max: 1 }),
  quantity: decimal({ default: '0.01', min: 0 }),
  bars: barInterval({ default: '1m' }),
  side: choice({ default: 'both', of: ['long', 'short', 'both'] }),
  maker: boolean({ default: true }),
};
const space = (given: Texts) => spaceOf('demo', SPECS, given);
/** All texts of a dimension of levels, by the middles of its parts. */
function texts(given: Texts): readonly string[] {
  const [dimension] = space(given).dimensions;
  const levels = dimension?.levels ?? 0;
  return Array.from({ length: levels }, (_, at) => dimension?.text((at + 0.5) / levels) ?? '');
}

describe('a space', () => {
  it('has whole numbers one by one, or by a step that need not end at the last', () => {
    expect(texts({ fast: '5..8' })).toEqual(['5', '6', '7', '8']);
    expect(texts({ fast: '5..20:4' })).toEqual(['5', '9', '13', '17']);
  });

  it('has decimals exactly as they are written: no float is between', () => {
    expect(texts({ quantity: '0.1..0.7:0.2' })).toEqual(['0.1', '0.3', '0.5', '0.7']);
    expect(texts({ threshold: '0.1..0.3:0.1' })).toEqual(['0.1', '0.2', '0.3']);
  });

  it('has any number of a range without a step, never beyond its ends', () => {
    const { dimensions, size } = space({ threshold: '0.1..0.3' });
    expect(size).toBeUndefined();
    expect(dimensions[0]).toMatchObject({ levels: undefined, isOrdered: true });
    expect([0, 0.5, 1 / 3, 1 - 2 ** -53].map((at) => dimensions[0]?.text(at))).toEqual([
      '0.1',
      '0.2',
      '0.166667',
      '0.3',
    ]);
    const narrow = space({ threshold: '0.1234567..0.1234569' }).dimensions[0];
    expect([0, 0.25, 1 - 2 ** -53].map((at) => narrow?.text(at))).toEqual([
      '0.1234567',
      '0.12345675',
      '0.1234569',
    ]);
  });

  it('has what is listed; neighbours are alike where they are listed in order, words never are', () => {
    expect(texts({ bars: '1m, 5m,15m' })).toEqual(['1m', '5m', '15m']);
    const isOrdered = (given: Texts) => space(given).dimensions[0]?.isOrdered;
    expect(isOrdered({ bars: '1m,5m,15m' })).toBe(true);
    expect(isOrdered({ bars: '15m,1m' })).toBe(false);
    expect(isOrdered({ fast: '3,7,20' })).toBe(true);
    expect(isOrdered({ side: 'long,short' })).toBe(false);
    expect(isOrdered({ maker: 'true,false' })).toBe(false);
  });

  it('has choices that contain commas: a value is the longest that the parameter takes', () => {
    const specs = { sets: choice({ default: 'a', of: ['a', 'b', 'a,b', 'c, d'] }) };
    const levels = (sets: string) => {
      const [dimension] = spaceOf('demo', specs, { sets }).dimensions;
      const count = dimension?.levels ?? 0;
      return Array.from({ length: count }, (_, at) => dimension?.text((at + 0.5) / count));
    };
    expect(levels('a,a,b,c, d')).toEqual(['a', 'a,b', 'c, d']);
    expect(levels('b, a')).toEqual(['b', 'a']);
    expect(() => levels('c,a')).toThrow('one of a, b, a,b, c, d, received "c"');
  });

  it('says how many points there are and what each is', () => {
    const { size, texts: at } = space({ fast: '1..10', side: 'long,short,both' });
    expect(size).toBe(30);
    expect(at([0.95, 0.5])).toEqual({ fast: '10', side: 'short' });
  });

  it.each([
    [
      {},
      '--space must name what to choose, like fast=10..44, received nothing (parameters of demo: fast, threshold, quantity, bars, side, maker)',
    ],
    [
      { slow: '1..5' },
      '--space must name parameters of demo (fast, threshold, quantity, bars, side, maker), received slow',
    ],
    [{ fast: '0..5' }, '--space fast must give values that are a whole number from 1 to 100, received "0"'],
    [{ fast: '5..101' }, 'received "101"'],
    [{ fast: '5..5' }, 'must be a range like 5..50 or 5..50:5, from less to more, received 5..5'],
    [{ fast: '9..5' }, 'from less to more, received 9..5'],
    [{ fast: 'a..5' }, 'received a..5'],
    [{ fast: '1..5:0' }, 'the step of --space fast must be a whole number above 0, received 1..5:0'],
    [{ fast: '1..5:0.5' }, 'must be a whole number above 0'],
    [{ fast: '5,5' }, '--space fast must list each value once, received 5 twice'],
    [{ fast: '5,05' }, '--space fast must list each value once, received 5 and 05, which are the same'],
    [{ bars: '60s,5m,1m' }, 'received 60s and 1m, which are the same'],
    [{ quantity: '0.01,0.010' }, 'received 0.01 and 0.010, which are the same'],
    [{ fast: '' }, 'received ""'],
    [{ fast: '5,' }, 'received ""'],
    [{ quantity: '0.1..0.2' }, 'must have a step, since it is an exact decimal: quantity=0.1..0.2:0.01'],
    [{ bars: '1m..5m' }, '--space bars must be a list like bars=1m,…'],
    [{ side: 'long,up' }, '--space side must give values that are one of long, short, both, received "up"'],
    [{ threshold: '0..1:0.0000001' }, 'must have at most 1000000 values, received 10000001'],
  ] as readonly [Texts, string][])('refuses %j', (given, said) => {
    expect(() => space(given)).toThrow(said);
  });

  it('refuses a strategy that has nothing to choose', () => {
    expect(() => spaceOf('plain', {}, {})).toThrow('received plain, which has none');
    expect(() => spaceOf('plain', {}, { fast: '1..2' })).toThrow('it has none');
  });
});
