import { describe, expect, it } from 'vitest';
import { amount, number, percent, price, signed, length } from '../../src/backtest/report/numbers.js';

/** No line ends within a number. */
const unbroken = (text: string) => text.replaceAll(' ', '\u00a0');

describe('numbers of a report', () => {
  it.each([
    [1_234_567.891, '1 234 567.89'],
    [-12.5, '−12.50'],
    [0.1, '0.10'],
    ['0.05', '0.05'],
    [0.0512, '0.0512'],
    ['-0.001234', '−0.00123'],
    [0.000_000_123_4, '0.00000012'],
    [1e-12, '0.00'],
    [0, '0.00'],
    [null, 'n/a'],
  ])('show of %s what is below a tenth in three digits: %s', (value, text) => {
    expect(amount(value)).toBe(unbroken(text));
  });

  it('have a sign where they are a gain, and ratios two digits whatever their size', () => {
    expect([signed('0.001234'), signed('-0.001234'), signed(12.5)]).toEqual([
      '+0.00123',
      '−0.00123',
      '+12.50',
    ]);
    expect([number(0.001234), amount('12.5', 4)]).toEqual(['0.00', '12.5000']);
  });

  it.each([
    [0.1234, '12.34 %'],
    [0.001, '0.10 %'],
    [0.000_2, '0.02 %'],
    [-0.000_031_26, '−0.00313 %'],
    [0.000_000_5, '0.00005 %'],
    [0, '0.00 %'],
    [null, 'n/a'],
  ])('show of the share %s what is below a tenth of a percent in three digits: %s', (value, text) => {
    expect(percent(value)).toBe(text);
  });

  it.each([
    [60_000.1, '60 000.10'],
    [60_000.333_333_33, '60 000.33'],
    [1_234.5678, '1 234.568'],
    [1.23456, '1.23456'],
    [0.001234, '0.001234'],
    [0.000_000_12, '0.00000012'],
    [0.000_001_230_7, '0.0000012307'],
    [0.000_001_230_733_333, '0.000001230733'],
    [25, '25.00'],
  ])('show of the price %s the digits that it has, up to seven that count: %s', (value, text) => {
    expect(price(value)).toBe(unbroken(text));
  });
});

// The longest time without a stop is mostly the latency: in tenths of a second it would be nothing, or twice as much.
it.each([
  [0, '0.0 s'],
  [40, '40 ms'],
  [50, '50 ms'],
  [999.6, '1.0 s'],
  [1_000, '1.0 s'],
  [9_949, '9.9 s'],
  [310_000, '5 min 10 s'],
  [null, 'n/a'],
])('a duration of %s ms reads %s', (ms, text) => {
  expect(length(ms)).toBe(text);
});
