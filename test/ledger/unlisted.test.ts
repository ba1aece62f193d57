import { expect, it } from 'vitest';
import { statementText } from '../../src/cli/view/statement-view.js';
import { isExplained, statementOf } from '../../src/ledger/statement.js';
import { LEDGER_DIGITS } from '../../src/ledger/units.js';
import { moneyText } from '../../src/model/money.js';
import type { BalanceRecord, FillRecord, PositionRecord } from '../../src/model/venue-records.js';
import { BTC } from '../support/markets.js';
import { positionRecordOf } from '../support/records.js';

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

it('a statement says what funding has no time, where the venue lists no fills with its positions', () => {
  const traded = (id: string, side: 'buy' | 'sell', time: number): FillRecord => ({
    ...fill,
    id,
    pair: BTC.pair,
    side,
    isBuyerMaker: side === 'sell',
    quantity: 0.01,
    price: 60_000,
    cost: 600,
    netCommission: 0,
    netCommissionAsset: 'USD',
    grossCommissionAsset: 'USD',
    time,
  });
  const fills = [traded('1', 'buy', 1_000), traded('2', 'sell', 1_500)];
  const ended = { ...positionRecordOf({ pair: BTC.pair, size: 0 }), funding: -5 };
  const of = (completed: readonly PositionRecord[]) =>
    statementOf(
      { markets: new Map([[BTC.pair, BTC]]), precisions: new Map([['USD', 8]]), funding: 'stated' },
      {
        time: 2_000,
        positions: [],
        deposits: [],
        withdrawals: [],
        balances: [balance('USD', 10)],
        fills,
        completed,
      },
    );
  const statement = of([
    { ...ended, fills: undefined },
    { ...ended, fills: undefined },
  ]);
  expect(statement.pairs.map(({ undatedFunding }) => moneyText(undatedFunding, 8))).toEqual(['-10']);
  expect(isExplained(statement)).toBe(false);
  expect(statementText(statement, undefined)).toContain(
    'USD_BTC_PERP: the venue states -10 of funding for ended positions with which it lists no fill',
  );
  expect(isExplained(of([{ ...ended, funding: 0, fills: undefined }]))).toBe(true);
  // One that does has forgotten the fills of the older position: that ended before the statement begins.
  const forgotten = of([
    { ...ended, fills: undefined },
    { ...ended, funding: 0, fills },
  ]);
  expect(isExplained(forgotten)).toBe(true);
});
