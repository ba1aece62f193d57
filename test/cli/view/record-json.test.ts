import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/cli/view/printable.js';
import { recordJson } from '../../../src/cli/view/record-json.js';
import { amount, factLines, recordTable, words } from '../../../src/cli/view/record-table.js';

describe('a record as JSON', () => {
  it('has amounts as decimal text, times and counts as numbers, and nothing that the venue did not say', () => {
    expect(
      recordJson({
        id: '7',
        time: 1_700_000_000_000,
        nextFundingTime: 1_700_000_000_001,
        quantity: 1e-7,
        price: 60_000.5,
        trades: 3,
        precision: 8,
        icebergs: 4,
        fee: undefined,
        none: null,
        active: false,
        fees: { deposit: 0, withdrawal: 0.5 },
        levels: [{ price: 1 }],
        byAsset: new Map([['BTC', 2]]),
        wire: { secret: 1 },
      }),
    ).toEqual({
      id: '7',
      time: 1_700_000_000_000,
      nextFundingTime: 1_700_000_000_001,
      quantity: '0.0000001',
      price: '60000.5',
      trades: 3,
      precision: 8,
      icebergs: 4,
      none: null,
      active: false,
      fees: { deposit: '0', withdrawal: '0.5' },
      levels: [{ price: '1' }],
      byAsset: { BTC: '2' },
    });
  });
});

describe('what a venue says', () => {
  it('cannot move the cursor, hide or turn text', () => {
    expect(printable('\u001B[2Jgone\u009B1A\u202Eabc\u200B')).toBe('\uFFFD[2Jgone\uFFFD1A\uFFFDabc\uFFFD');
    const rows = [{ address: 'a\u001B[31m\nb', quantity: 0.1 }];
    const text = recordTable(rows, [
      words('ADDRESS', (row) => row.address),
      amount('QUANTITY', (row) => row.quantity),
    ]);
    expect(text.split('\n')).toHaveLength(2);
    expect(text).not.toContain('\u001B');
  });

  it('is shown as facts, without those that are not known', () => {
    expect(
      factLines([
        ['pair', 'X'],
        ['fair', undefined],
        ['trading band', '1 to 2'],
      ]),
    ).toBe('pair          X\ntrading band  1 to 2');
  });
});
