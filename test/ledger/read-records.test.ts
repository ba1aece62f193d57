import { expect, test } from 'vitest';
import { fillEntryOf } from '../../src/ledger/read-records.js';
import { defineMarket } from '../../src/model/market.js';
import { fillRecordOf } from '../support/records.js';

const FINE = defineMarket({
  pair: 'USD_FINE_PERP',
  base: 'FINE',
  quote: 'USD',
  price: { min: '0.00000001', max: '10', step: '0.00000001' },
  quantity: { min: '0.00000001', max: '100000', step: '0.00000001' },
  quotePrecision: 16,
  fees: { maker: 0, taker: 0 },
});
const FACTS = { markets: new Map([[FINE.pair, FINE]]), precisions: new Map(), funding: 'stated' as const };

test('a fill of so many steps that the last bits of its double are more than noise of one is booked in whole steps', () => {
  const record = fillRecordOf({
    id: '1',
    pair: FINE.pair,
    side: 'buy',
    isBuyerMaker: false,
    // As a double it is 1e-5 of a step below.
    quantity: 1_062.87837028,
    price: 1.25,
    netCommission: 0,
    time: 1,
  });
  expect(fillEntryOf(FACTS, record)?.fill).toMatchObject({ lots: 106_287_837_028, ticks: 125_000_000 });
  expect(fillEntryOf(FACTS, { ...record, quantity: 0.000_000_005 })).toBeUndefined();
});
