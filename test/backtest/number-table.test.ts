import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberColumn } from '../../src/backtest/number-column.js';
import { NumberTable } from '../../src/backtest/number-table.js';

it('a column keeps every number, however many there are', () => {
  const column = new NumberColumn();
  for (let i = 0; i < 10_000; i++) column.push(i / 7);
  expect(column.length).toBe(10_000);
  for (let i = 0; i < 10_000; i++) expect(column.at(i)).toBe(i / 7);
  expect(column.at(10_000)).toBeNaN();
});

describe('a table', () => {
  it('keeps every number of every row, however many there are', () => {
    const table = new NumberTable(3);
    for (let row = 0; row < 10_000; row++) {
      table.add();
      // The one in the middle is left as it is.
      table.put(0, row / 7);
      table.put(2, -row);
    }
    expect(table.length).toBe(10_000);
    for (let row = 0; row < 10_000; row++) {
      expect([table.at(row, 0), table.at(row, 1), table.at(row, 2)]).toEqual([
        row / 7,
        0,
        row === 0 ? -0 : -row,
      ]);
    }
    expect(table.at(10_000, 0)).toBeNaN();
  });

  it('keeps money exactly, far beyond what a double holds', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })), (random) => {
        const amounts = [...random, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 0n];
        const table = new NumberTable(2);
        for (const amount of amounts) {
          table.add();
          table.putMoney(0, amount);
          table.putMoney(1, -amount);
        }
        expect(amounts.map((_, row) => table.moneyAt(row, 0))).toEqual(amounts);
        expect(amounts.map((_, row) => -table.moneyAt(row, 1))).toEqual(amounts);
      }),
    );
  });

  it('takes amounts that are doubles', () => {
    const table = new NumberTable(1);
    table.add();
    table.putMoney(0, -12_345);
    expect(table.moneyAt(0, 0)).toBe(-12_345n);
  });
});
