import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs, parseDuration } from '../../src/model/duration.js';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

describe('durations', () => {
  it('reads what people write', () => {
    expect([
      parseDuration('500ms'),
      parseDuration('30s'),
      parseDuration('1.5m'),
      parseDuration('2h'),
    ]).toEqual([500, 30_000, 90_000, 7_200_000]);
    expect(() => durationMs('5 parsecs', '--for')).toThrow(
      '--for must be a duration like 500ms, 30s, 5m or 2h, received "5 parsecs"',
    );
  });

  it('reads what is a whole number of ms though it is none times its unit as doubles', () => {
    expect(['2.3h', '2.01s', '4.03s', '16.1s', '1.000s', '1.0ms'].map(parseDuration)).toEqual([
      8_280_000, 2_010, 4_030, 16_100, 1_000, 1,
    ]);
  });

  it('reads a decimal of any unit as exactly its ms, and nothing where these are not whole', () => {
    const units = Object.keys(UNITS) as (keyof typeof UNITS)[];
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(...units),
        (digits, decimals, unit) => {
          const [whole, rest] = [Math.floor(digits / 10 ** decimals), digits % 10 ** decimals];
          const text = `${whole}.${String(rest).padStart(decimals, '0')}${unit}`;
          // Below 2^53: the product is exact.
          const scaled = digits * UNITS[unit];
          expect(parseDuration(text)).toBe(
            scaled % 10 ** decimals === 0 ? scaled / 10 ** decimals : undefined,
          );
        },
      ),
    );
  });

  it('reads every two decimals of s, m, h and d up to a hundred', () => {
    const wrong = (['s', 'm', 'h', 'd'] as const).flatMap((unit) =>
      Array.from({ length: 10_000 }, (_, hundredths) => hundredths)
        .filter((n) => parseDuration(`${(n / 100).toFixed(2)}${unit}`) !== (n * UNITS[unit]) / 100)
        .map((n) => `${n / 100}${unit}`),
    );
    expect(wrong).toEqual([]);
  });

  it('refuses what is no duration, less than a whole ms of it, and more ms than a number holds exactly', () => {
    const texts = ['', '5', 's', '-1s', '+1s', '1e3s', '.5s', '1.s', '1,5s', '1 s', '1S', '1m30s', '0x1s'];
    const parts = ['0.5ms', '0.0001s', '1.0000000000000000000000001s'];
    const endless = ['9007199254740992ms', '9007199254740993ms', `${'9'.repeat(400)}d`];
    for (const text of [...texts, ...parts, ...endless]) expect(parseDuration(text), text).toBeUndefined();
    expect(parseDuration('9007199254740991ms')).toBe(Number.MAX_SAFE_INTEGER);
    expect([parseDuration('0s'), parseDuration(' 1s ')]).toEqual([0, 1_000]);
  });
});
