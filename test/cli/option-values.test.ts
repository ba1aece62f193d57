import { describe, expect, it } from 'vitest';
import {
  assetAmounts,
  credentials,
  duration,
  durationFrom,
  positiveNumber,
  speed,
  setting,
  wholeNumber,
} from '../../src/cli/option-values.js';

describe('values of options', () => {
  it.each([
    ['500ms', 500],
    ['20s', 20_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1.5s', 1_500],
  ])('reads %s as %d ms', (text, ms) => {
    expect(duration(text)).toBe(ms);
  });

  it.each(['20', 's', '-1s', '1 s', '0.0001ms', ''])('takes %j for no duration', (text) => {
    expect(() => duration(text)).toThrow(/must be a duration like/);
  });

  it('bounds durations from below', () => {
    expect(durationFrom(1_000)('1s')).toBe(1_000);
    expect(() => durationFrom(1_000)('999ms')).toThrow(/at least 1000ms/);
  });

  it('bounds durations from above where there is a reason', () => {
    const bounded = durationFrom(50, { ms: 30_000, why: 'so it is' });
    expect(bounded('30s')).toBe(30_000);
    expect(() => bounded('30.001s')).toThrow('It must be at most 30s: so it is.');
  });

  it.each(['', '-1', '1.5', '1e3', '0x10', '65536', ' 1'])('takes %j for no port', (text) => {
    expect(() => wholeNumber(0, 65_535)(text)).toThrow(/whole number from 0 to 65535/);
  });

  it.each(['0', '-2', '1e3', 'Infinity', ''])('takes %j for no speed', (text) => {
    expect(() => positiveNumber(text)).toThrow(/above 0/);
    expect(() => speed(text)).toThrow(/above 0/);
  });

  it('takes no speed at which time would lose its milliseconds', () => {
    expect(speed('1000000')).toBe(1_000_000);
    expect(() => speed('1000001')).toThrow('It must be at most 1000000.');
  });

  it('collects settings, each name once, with all signs that a value may have', () => {
    expect(setting('a=1', undefined)).toEqual({ a: '1' });
    expect(setting('b=x=y z', { a: '1' })).toEqual({ a: '1', b: 'x=y z' });
    for (const second of ['a=2', 'a=1']) {
      expect(() => setting(second, { a: '1' })).toThrow(`It must name a once, received a=1 and ${second}.`);
    }
    // What every object has is no setting.
    expect(setting('toString=1', {})).toEqual({ toString: '1' });
    expect(() => setting('strategies/x.ts', undefined)).toThrow(/name=value/);
  });

  it('collects amounts of assets', () => {
    expect(assetAmounts('USD=100000', undefined)).toEqual([{ asset: 'USD', amount: '100000' }]);
    expect(assetAmounts('BTC=0.5', [{ asset: 'USD', amount: '1' }])).toHaveLength(2);
    expect(() => assetAmounts('USD=7', assetAmounts('USD=5', undefined))).toThrow(
      'It must name USD once, received USD=5 and USD=7.',
    );
    for (const text of ['USD', 'USD=', '=1', 'USD=-1', 'USD=1e3', 'USD=1=2', 'usd=1']) {
      expect(() => assetAmounts(text, undefined), text).toThrow(/like USD=100000/);
    }
  });

  it('never repeats a secret that it cannot read', () => {
    expect(credentials('key:sec:ret', undefined)).toEqual([{ key: 'key', secret: 'sec:ret' }]);
    expect(credentials('no-colon-here', undefined)).toEqual([{ key: '', secret: '' }]);
  });
});
