import { describe, expect, it } from 'vitest';
import { capitalOf } from '../../../src/cli/settings/capital.js';
import { cashIn } from '../../../src/runner/starting-cash.js';
import { BTC } from '../../support/markets.js';
import { balanceRecordOf } from '../../support/records.js';

describe('the cash that a live session starts with', () => {
  it('may use what is free and what its position holds, and counts losses from what orders and withdrawals hold too', () => {
    // 1 BTC at 60 000 holds 600 USD of 1 000; a reserve of 50 is of an order that was left, or of another program.
    const usd = balanceRecordOf({ asset: 'USD', free: 350, locked: 50, margin: 600 });
    const eur = { ...usd, asset: 'EUR', free: 7, margin: 0 };
    expect(cashIn([eur, usd], 'USD')).toEqual({ funds: 950, wealth: 1_000 });
    expect(cashIn([{ ...usd, withdrawn: 7 }], 'USD')).toEqual({ funds: 950, wealth: 1_007 });
    expect(cashIn([eur], 'USD')).toBeUndefined();
  });
});

describe('the capital of a backtest', () => {
  it('is an amount of the quote asset above 0', () => {
    const usd = (amount: string) => capitalOf(BTC, [{ asset: 'USD', amount }]);
    expect(usd('0.01')).toBe('0.01');
    expect(capitalOf(BTC, undefined)).toBe('100000');
    for (const amount of ['0', '0.00', '-5']) {
      expect(() => usd(amount)).toThrow(`--capital must be above 0, received USD=${amount}`);
    }
    expect(() => capitalOf(BTC, [{ asset: 'BTC', amount: '1' }])).toThrow('must be in the quote asset');
  });

  it.each([
    ['100000', '100000'],
    ['100000.00', '100000'],
    ['0100000.0', '100000'],
    ['0.010', '0.01'],
    ['0.00000001', '0.00000001'],
    ['123456789012345678901234567890.5', '123456789012345678901234567890.5'],
  ])('%s is %s, the same run however it was typed', (amount, text) => {
    expect(capitalOf(BTC, [{ asset: 'USD', amount }])).toBe(text);
  });
});
