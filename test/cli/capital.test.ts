import { describe, expect, it } from 'vitest';
import { fundsIn } from '../../src/cli/compose/capital.js';
import { balanceRecordOf } from '../support/records.js';

describe('the funds that a live session starts with', () => {
  it('are what is free and what its position holds, so that the margin of the position is not asked for twice', () => {
    // 1 BTC at 60 000 holds 600 USD of 1 000; another order's reserve of 50 is another program's.
    const usd = balanceRecordOf({ asset: 'USD', free: 350, locked: 50, margin: 600 });
    const eur = { ...usd, asset: 'EUR', free: 7, margin: 0 };
    expect(fundsIn([eur, usd], 'USD')).toBe(950);
    expect(fundsIn([eur], 'USD')).toBeUndefined();
  });
});
