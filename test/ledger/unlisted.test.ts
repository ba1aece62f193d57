import { expect, it } from 'vitest';
import { statementOf } from '../../src/ledger/statement.js';
import { LEDGER_DIGITS } from '../../src/ledger/units.js';
import { moneyText } from '../../src/model/money.js';
import type { BalanceRecord, FillRecord } from '../../src/model/venue-records.js';
import { BTC } from '../support/markets.js';

const balance = (asset: string, free: number): BalanceRecord => ({
  asset,
  free,
  locked: 0,
  withdrawn: 0,
  pnl: 0,
  margin: 0,
  fees: 0,
  wire: {},
});

const fill: FillRecord = {
  id: '7',
  pair: 'USD_GONE_PERP',
  side: 'buy',
  type: 'LIMIT',
  isBuyerMaker: false,
  quantity: 1,
  quantityUsd: 5,
  price: 5,
  cost: 5,
  grossCommission: 0.125,
  grossCommissionAsset: 'OLD',
  netCommission: 0.125,
  netCommissionAsset: 'OLD',
  netCommissionUsd: undefined,
  discount: undefined,
  conversionRate: undefined,
  liquidation: false,
  time: 1_000,
  wire: {},
};

it('a statement has what is no more listed: assets in the digits of their records, and fills that it cannot read', () => {
  const statement = statementOf(
    { markets: new Map([[BTC.pair, BTC]]), precisions: new Map([['USD', 8]]), funding: 'stated' },
    {
      time: 2_000,
      positions: [],
      completed: [],
      deposits: [],
      withdrawals: [],
      balances: [balance('USD', 10), balance('OLD', 0.25), balance('GONE', 3e-9)],
      fills: [fill],
    },
  );
  expect(statement.unreadable).toEqual(['7']);
  expect(statement.assets.map(({ asset, closing }) => [asset, moneyText(closing, LEDGER_DIGITS)])).toEqual([
    ['GONE', '0.000000003'],
    ['OLD', '0.25'],
    ['USD', '10'],
  ]);
});
