import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ageText,
  ceilingText,
  clockText,
  dayText,
  decimalText,
  momentText,
  plain,
  signedText,
} from '../../../src/daemon/dashboard/text.js';

describe('text from outside', () => {
  it.each([
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a\nb\tc\u0000d', 'a b c d'],
    ['USD\u202eCTB\u202c_PERP', 'USD CTB _PERP'],
    ['\u2066hidden\u2069', ' hidden '],
    ['zero\u200bwidth\ufeff', 'zero width '],
    ['half \ud800 a pair', 'half \ufffd a pair'],
  ])('%j is shown as %j', (text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  it('is cut, and how much there was is said', () => {
    expect(plain('x'.repeat(10_000), 20)).toBe(`${'x'.repeat(20)}… (10000 characters)`);
    expect(plain('x'.repeat(20), 20)).toBe('x'.repeat(20));
    expect(plain('x'.repeat(21), 20)).toBe(`${'x'.repeat(20)}… (21 characters)`);
  });

  it('is not cut in the middle of a character', () => {
    expect(plain(`${'x'.repeat(19)}😀😀`, 20)).toBe(`${'x'.repeat(19)}… (23 characters)`);
  });

  it('is nothing where there is none, whatever else came', () => {
    for (const value of [undefined, null, {}, [], () => 1]) expect(plain(value)).toBe('');
    expect(plain(17)).toBe('17');
  });

  /** Any code units, half characters among them. */
  const anything = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 120 })
    .map((units) => String.fromCharCode(...units));

  it('never holds what cannot be seen, and is never longer than its bound and a remark', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 100 }), (text, most) => {
        const shown = plain(text, most);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(shown.length).toBeLessThanOrEqual(most + '… (120 characters)'.length);
      }),
    );
  });
});

describe('numbers', () => {
  it.each([
    [0, '0.0 s'],
    [-5, '0.0 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 0 s'],
    [185_000, '3 min 5 s'],
    [3_600_000, '1 h 0 min'],
    [100 * 3_600_000, '4 d 4 h'],
  ])('%d ms are %s', (ms, words) => {
    expect(ageText(ms)).toBe(words);
  });

  it.each([
    ['1234567.891', '1\u202f234\u202f567.891'],
    ['-1234.5', '−1\u202f234.5'],
    ['0.00001234', '0.00001234'],
    ['999', '999'],
    ['not a number', 'not a number'],
    ['1e5', '1e5'],
  ])('%s is written %s', (text, shown) => {
    expect(decimalText(text)).toBe(shown);
  });

  it('have a sign where it matters', () => {
    expect(signedText('12.345')).toBe('+12.34');
    expect(signedText('-12.345')).toBe('−12.34');
    expect(signedText('0.00')).toBe('0.00');
    expect(signedText('-47.14687718')).toBe('−47.15');
    expect(signedText('1.999')).toBe('+2.00');
    expect(signedText('999.995')).toBe('+1\u202f000.00');
    expect(signedText('-0.997')).toBe('−1.00');
    expect([signedText('-0.004'), signedText('0.005'), signedText('0.0051')]).toEqual([
      '0.00',
      '0.00',
      '+0.01',
    ]);
    expect(signedText('+3')).toBe('+3');
  });

  it('of memory say how much it may be, where that is bounded', () => {
    expect(ceilingText(536_870_912)).toBe('of 512 MiB');
    expect(ceilingText(undefined)).toBe('held now, unbounded');
  });

  it('that are times are those of the calendar', () => {
    fc.assert(
      fc.property(fc.integer({ min: -6e13, max: 2.5e14 }), (time) => {
        const iso = new Date(time).toISOString();
        expect(`${dayText(time)}T${clockText(time)}`).toBe(iso.slice(0, 19));
        expect(momentText(time)).toBe(`${iso.slice(0, 10)} ${iso.slice(11, 16)}`);
      }),
      { examples: [[0], [-1], [Date.UTC(2024, 1, 29)], [Date.UTC(2100, 1, 28, 23, 59, 59, 999)]] },
    );
    expect(clockText(Number.NaN)).toBe('??:??:??');
  });
});
