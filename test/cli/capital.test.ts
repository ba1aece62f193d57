import { describe, expect, it } from 'vitest';
import { cashIn } from '../../src/runner/starting-cash.js';
import { balanceRecordOf } from '../support/records.js';

describe('the cash that a live session starts with', () => {
  it('may use what is free and what its position holds, and counts losses from what orders have locked too', () => {
    // 1 BTC at 60 000 holds 600 USD of 1 000; a reserve of 50 is of an order that was left, or of another program.
    const usd = balanceRecordOf({ asset: 'USD', free: 350, locked: 50, margin: 600 });
    const eur = { ...usd, asset: 'EUR', free: 7, margin: 0 };
    expect(cashIn([eur, usd], 'USD')).toEqual({ funds: 950, wealth: 1_000 });
    expect(cashIn([eur], 'USD')).toBeUndefined();
  });
});
