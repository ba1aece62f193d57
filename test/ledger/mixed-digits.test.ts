import { describe, expect, it } from 'vitest';
import { statementJson } from '../../src/cli/view/statement-view.js';
import type { Cut } from '../../src/ledger/cut.js';
import { finerOf } from '../../src/ledger/finer.js';
import { Ledger, type LedgerFacts } from '../../src/ledger/ledger.js';
import { cutOf, fillEntryOf, precisionsOf, transferEntryOf } from '../../src/ledger/read-records.js';
import { statementOf } from '../../src/ledger/statement.js';
import { LEDGER_DIGITS } from '../../src/ledger/units.js';
import { defineMarket, type Market } from '../../src/model/market.js';
import { moneyOf, moneyText } from '../../src/model/money.js';
import type { Side } from '../../src/model/side.js';
import type { BalanceRecord, FillRecord, PositionRecord } from '../../src/model/venue-records.js';
import { BTC } from '../support/markets.js';
import { fillRecordOf, positionRecordOf } from '../support/records.js';

/** Its money has ten digits, that of BTC eight. */
const FINE = defineMarket({
  pair: 'USD_FINE_PERP',
  base: 'FINE',
  quote: 'USD',
  price: { min: '0.0000001', max: '1000', step: '0.0000001' },
  quantity: { min: '0.001', max: '100000', step: '0.001' },
  quotePrecision: 10,
  fees: { maker: 0, taker: 0 },
});
/** The same before it became finer. */
const COARSE = defineMarket({
  pair: FINE.pair,
  base: 'FINE',
  quote: 'USD',
  price: { min: '0.1', max: '1000', step: '0.1' },
  quantity: { min: '1', max: '100000', step: '1' },
  fees: { maker: 0, taker: 0 },
});
const SPOT = defineMarket({
  pair: 'FINE_USD',
  base: 'FINE',
  quote: 'USD',
  contract: 'spot',
  price: { min: '0.0000001', max: '1000', step: '0.0000001' },
  quantity: { min: '0.001', max: '100000', step: '0.001' },
  quotePrecision: 10,
  fees: { maker: 0, taker: 0 },
});

function factsOf(...markets: readonly Market[]): LedgerFacts {
  return {
    markets: new Map(markets.map((market) => [market.pair, market])),
    precisions: precisionsOf(markets, [
      { key: 'USD', precision: 8 },
      { key: 'FINE', precision: 3 },
    ]),
    funding: 'stated',
  };
}

/** Whichever the venue lists last. */
const LISTS = [
  [BTC, FINE, SPOT],
  [SPOT, FINE, BTC],
] as const;

let ids = 0;
function fill(
  { pair }: Market,
  side: Side,
  { quantity, price, fee = 0 }: { quantity: number; price: number; fee?: number },
): FillRecord {
  const time = ++ids;
  return fillRecordOf({
    id: String(time),
    pair,
    side,
    isBuyerMaker: false,
    quantity,
    price,
    netCommission: fee,
    time,
  });
}

function balance(asset: string, free: number): BalanceRecord {
  return { asset, free, locked: 0, withdrawn: 0, pnl: 0, margin: 0, fees: 0, wire: {} };
}

function shown(
  facts: LedgerFacts,
  time: number,
  usd: number,
  fine = 0,
  positions: readonly PositionRecord[] = [],
): Cut {
  const balances = [balance('USD', usd), balance('FINE', fine)];
  return cutOf(facts, { time, balances, positions, isEveryPair: false });
}

function booked(facts: LedgerFacts, ledger: Ledger, ...fills: readonly FillRecord[]): void {
  for (const record of fills) {
    const entry = fillEntryOf(facts, record);
    if (entry === undefined) throw new Error('the fill can be read');
    ledger.fill(entry);
  }
}

describe('a market that becomes finer while the ledger is open', () => {
  it('leaves what is held, waits for an explanation, and was told of as it was', () => {
    const [early, finer] = [factsOf(BTC, COARSE), factsOf(BTC, FINE)];
    const markets = new Map(early.markets);
    const facts = { ...early, markets };
    const ledger = new Ledger(facts);
    ledger.cut(shown(facts, 0, 1_000));
    booked(facts, ledger, fill(COARSE, 'buy', { quantity: 2, price: 1.5, fee: 0.25 }));
    const late = fill(COARSE, 'buy', { quantity: 1, price: 1.5, fee: 0.5 });
    const held = positionRecordOf({ pair: COARSE.pair, size: 4, averageEntry: 1.5 });
    ledger.cut(shown(facts, 100, 999, 0, [held]));
    const told = [{ pair: FINE.pair, time: 100, ours: 2, venue: 4 }];
    expect(ledger.differences).toEqual(told);
    const [accounts, suspense] = [ledger.accounts, ledger.suspense];
    markets.set(FINE.pair, FINE);
    ledger.becameFiner(finerOf(COARSE, FINE));
    expect(ledger.accounts).toEqual(accounts);
    expect(ledger.suspense).toEqual(suspense);
    expect(ledger.differences).toEqual([{ ...told[0], ours: 2_000, venue: 4_000 }]);
    expect(ledger.position(FINE.pair).lots).toBe(4_000);
    // The books are made anew with it in its place.
    booked(finer, ledger, late);
    expect(ledger.suspense.map(({ amount }) => moneyText(amount, LEDGER_DIGITS))).toEqual(['-0.25']);
    expect(ledger.differences).toMatchObject([{ ours: 3_000, venue: 4_000 }]);
    expect(ledger.total('USD', 'fees')).toBe(moneyOf('0.75', LEDGER_DIGITS));
    booked(finer, ledger, { ...fill(FINE, 'sell', { quantity: 4, price: 1.7500001 }), time: 150 });
    ledger.cut(shown(finer, 200, 1_000.0000004));
    expect(ledger.suspense).toHaveLength(1);
  });
});

describe('markets of one asset whose money has different digits', () => {
  it.each(LISTS)('are explained in one ledger, to the last digit of each', (...markets) => {
    const facts = factsOf(...markets);
    const ledger = new Ledger(facts);
    ledger.cut(shown(facts, 0, 1_000));
    booked(facts, ledger, fill(FINE, 'buy', { quantity: 1_000, price: 1.5, fee: 0.0000000003 }));
    booked(facts, ledger, fill(FINE, 'sell', { quantity: 1_000, price: 1.51 }));
    expect(ledger.cut(shown(facts, 10, 1_009.9999999997)).unexplained).toEqual([]);
    booked(facts, ledger, fill(BTC, 'buy', { quantity: 0.1, price: 60_000, fee: 3.6 }));
    booked(facts, ledger, fill(BTC, 'sell', { quantity: 0.1, price: 60_100, fee: -0.00000001 }));
    expect(ledger.cut(shown(facts, 20, 1_016.4000000097)).unexplained).toEqual([]);
    booked(facts, ledger, fill(SPOT, 'buy', { quantity: 0.001, price: 0.0000003 }));
    expect(ledger.cut(shown(facts, 30, 1_016.4000000094, 0.001)).unexplained).toEqual([]);
    const deposit = { id: '1', asset: 'USD', time: 31, quantity: 5, net: 4.99999999, status: 'COMPLETED' };
    const unsaid = { address: undefined, customerId: undefined, quantityUsd: undefined, netUsd: undefined };
    const entry = transferEntryOf(facts, 'deposit', {
      ...deposit,
      ...unsaid,
      transaction: undefined,
      wire: {},
    });
    if (entry !== undefined) ledger.transfer(entry);
    expect(ledger.cut(shown(facts, 40, 1_021.3999999994, 0.001)).isBalanced).toBe(true);
    expect(ledger.exceeds(new Map())).toBeUndefined();
  });

  it.each(LISTS)('round the cost of what is closed to the digits of their own money', (...markets) => {
    const facts = factsOf(...markets);
    const ledger = new Ledger(facts);
    ledger.cut(shown(facts, 0, 1_000));
    booked(facts, ledger, fill(BTC, 'buy', { quantity: 0.001, price: 60_000 }));
    booked(facts, ledger, fill(BTC, 'buy', { quantity: 0.002, price: 60_000.1 }));
    // money.md §15 E: 0.0099333… with eight digits.
    booked(facts, ledger, fill(BTC, 'sell', { quantity: 0.001, price: 60_010 }));
    expect(ledger.cut(shown(facts, 10, 1_000.00993333)).unexplained).toEqual([]);
  });

  it.each(LISTS)('are told in one amount where nothing explains it', (...markets) => {
    const facts = factsOf(...markets);
    const ledger = new Ledger(facts);
    ledger.cut(shown(facts, 0, 1_000));
    booked(facts, ledger, fill(FINE, 'buy', { quantity: 1_000, price: 1.5 }));
    booked(facts, ledger, fill(FINE, 'sell', { quantity: 1_000, price: 1.51 }));
    ledger.cut(shown(facts, 10, 1_007.5));
    expect(ledger.exceeds(new Map())).toContain('USD but for 0, received -2.5 that nothing explains');
  });

  it.each(LISTS)('are stated in one sum', (...markets) => {
    const facts = factsOf(...markets);
    const fills = [
      fill(FINE, 'buy', { quantity: 1_000, price: 1.5, fee: 0.0000000003 }),
      fill(FINE, 'sell', { quantity: 1_000, price: 1.51 }),
      fill(BTC, 'buy', { quantity: 0.1, price: 60_000, fee: 3.6 }),
      fill(BTC, 'sell', { quantity: 0.1, price: 60_100 }),
      fill(SPOT, 'buy', { quantity: 0.001, price: 0.0000003 }),
    ];
    const statement = statementOf(facts, {
      time: ids + 1,
      balances: [balance('USD', 1_016.3999999994)],
      positions: [],
      completed: [],
      fills,
      deposits: [],
      withdrawals: [],
    });
    const { assets, pairs } = statementJson(statement, undefined);
    expect(assets).toMatchObject([
      { asset: 'FINE', exchanged: '0.001', closing: '0', opening: '-0.001' },
      {
        asset: 'USD',
        opening: '1000',
        realised: '20',
        fees: '-3.6000000003',
        exchanged: '-0.0000000003',
        suspense: '0',
        closing: '1016.3999999994',
      },
    ]);
    const sums = [
      { pair: BTC.pair, realised: '10', fees: '-3.6' },
      { pair: FINE.pair, realised: '10', fees: '-0.0000000003' },
    ];
    expect(pairs).toMatchObject(markets[0] === BTC ? sums : sums.reverse());
  });
});
