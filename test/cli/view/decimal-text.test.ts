import { describe, expect, it } from 'vitest';
import { amountText, gainText } from '../../../src/cli/view/decimal-text.js';

describe('an amount of money for people', () => {
  it.each([
    ['1234.5678', '1234.57'],
    ['0', '0.00'],
    ['0.5', '0.50'],
    ['0.1', '0.10'],
    ['0.0999', '0.0999'],
    ['0.00426486', '0.00426'],
    ['0.0000467', '0.0000467'],
    ['0.05', '0.05'],
  ])('of %s is %s', (text, shown) => {
    expect(amountText(text)).toBe(shown);
    if (Number(text) !== 0) expect(amountText(`-${text}`)).toBe(`-${shown}`);
  });

  it('says 0 of what is less than anybody counts, without a sign', () => {
    expect(amountText('0.000000000000000000000001')).toBe('0.00');
    expect(gainText('-0.000000000000000000000001')).toBe('+0.00');
  });

  it.each([
    ['0', '+0.00'],
    ['12.345', '+12.34'],
    ['-0.00426486', '-0.00426'],
    ['-12.345', '-12.34'],
  ])('that is a gain or a loss of %s says so: %s', (text, shown) => {
    expect(gainText(text)).toBe(shown);
  });
});
