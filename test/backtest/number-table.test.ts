import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MoneyColumn, NumberColumn } from '../../src/backtest/columns.js';

describe('a column', () => {
  it('keeps every number, however many there are', () => {
    const column = new NumberColumn();
    for (let i = 0; i < 10_000; i++) column.push(i / 7);
    expect(column.length).toBe(10_000);
    for (let i = 0; i < 10_000; i++) expect(column.at(i)).toBe(i / 7);
    expect(column.at(10_000)).toBeNaN();
  });

  it('keeps money exactly, far beyond what a double holds', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })), (random) => {
        const amounts = [...random, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 0n];
        const column = new MoneyColumn();
        for (const amount of amounts) column.push(amount);
        expect(amounts.map((_, i) => column.at(i))).toEqual(amounts);
      }),
    );
  });
});
