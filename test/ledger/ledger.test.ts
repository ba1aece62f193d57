import { describe, expect, it } from 'vitest';
import type { Cut, CutBalance, CutPosition } from '../../src/ledger/cut.js';
import { Ledger, type LedgerFacts } from '../../src/ledger/ledger.js';
import { LEDGER_DIGITS, ledgerScale } from '../../src/ledger/units.js';
import type { Fill } from '../../src/model/fill.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { type Money, moneyOf } from '../../src/model/money.js';
import type { Side } from '../../src/model/side.js';
import { BTC } from '../support/markets.js';
import { exampleBtc, exampleEth, RiskDesk } from '../venue/core/risk-desk.js';
import { WatchedAccount } from './watched-account.js';

const PAIR = BTC.pair;
/** One unit of BTC's money, in units of the ledger. */
const UNIT = ledgerScale(BTC.quotePrecision);

function usd(amount: string): Money {
  return moneyOf(amount, LEDGER_DIGITS);
}

const FACTS: LedgerFacts = {
  markets: new Map([[PAIR, BTC]]),
  precisions: new Map([
    ['USD', 8],
    ['BNB', 8],
  ]),
  funding: 'stated',
};

function balance(total: bigint, more: Partial<CutBalance> = {}): CutBalance {
  return {
    asset: 'USD',
    total,
    withdrawing: 0n,
    realised: undefined,
    fees: undefined,
    tolerance: 0n,
    ...more,
  };
}

function cut(time: number, total: bigint, positions: readonly Partial<CutPosition>[] = []): Cut {
  return {
    time,
    balances: [balance(total)],
    positions: positions.map((position) => ({
      pair: PAIR,
      lots: 0 as Lots,
      cost: undefined,
      roughCost: 0n,
      funding: 0n,
      margin: undefined,
      ...position,
    })),
    isEveryPair: true,
  };
}

let ids = 0;
function fill(
  time: number,
  side: Side,
  lots: number,
  price: number,
  fee = 0n,
): { pair: string; fill: Fill; liquidation: boolean } {
  return {
    pair: PAIR,
    liquidation: false,
    fill: {
      id: String(++ids),
      orderId: '1',
      time,
      side,
      lots: lots as Lots,
      ticks: Math.round(price * 10) as Ticks,
      liquidity: 'taker',
      fee,
    },
  };
}

function opened(total = usd('1000'), facts = FACTS): Ledger {
  const ledger = new Ledger(facts);
  ledger.cut(cut(0, total));
  return ledger;
}

describe('a ledger', () => {
  it('books a flip as money.md §15 E does, and its accounts add up to nothing', () => {
    const ledger = opened();
    ledger.fill(fill(1, 'buy', 1, 60_000));
    ledger.fill(fill(2, 'buy', 2, 60_000.1));
    expect(ledger.position(PAIR)).toMatchObject({ lots: 3, cost: usd('180.0002'), realised: 0n });
    const first = ledger.fill(fill(3, 'sell', 1, 60_010));
    expect(first).toMatchObject({ kind: 'booked', entry: { realised: usd('0.00993333') } });
    expect(ledger.position(PAIR).cost).toBe(usd('120.00013333'));
    const second = ledger.fill(fill(4, 'sell', 5, 60_020, usd('0.18006') / UNIT));
    expect(second).toMatchObject({ entry: { realised: usd('0.03986667'), lots: -3, cost: usd('-180.06') } });
    expect(ledger.held('USD')).toBe(usd('1000') + usd('0.0498') - usd('0.18006'));
    expect(ledger.accounts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    expect(ledger.total('USD', 'fees')).toBe(usd('0.18006'));
  });

  it('books a fee in the asset that it was paid in', () => {
    const ledger = opened();
    ledger.fill({ ...fill(1, 'buy', 1, 60_000), fee: { asset: 'BNB', amount: 7n } });
    expect(ledger.held('BNB')).toBe(-7n);
    expect(ledger.held('USD')).toBe(usd('1000'));
  });

  it('takes a fill and a transfer once', () => {
    const ledger = opened();
    const twice = fill(1, 'buy', 1, 60_000, 5n);
    expect([ledger.fill(twice).kind, ledger.fill(twice).kind]).toEqual(['booked', 'known']);
    const deposit = { kind: 'deposit', id: '1', asset: 'USD', time: 1, quantity: 100n, fee: 1n } as const;
    expect([ledger.transfer(deposit).kind, ledger.transfer(deposit).kind]).toEqual(['booked', 'known']);
    expect(ledger.held('USD')).toBe(usd('1000') - 5n * UNIT + 99n);
  });

  it('is exact over a million fills', { timeout: 60_000 }, () => {
    const ledger = opened();
    let expected = usd('1000');
    const unit = BTC.unitsPerTickLot;
    for (let n = 0; n < 500_000; n++) {
      const price = 600_000 + ((n * 7_919) % 10_007);
      const [entry, exit] = [price, price + ((n * 104_729) % 211) - 105];
      ledger.fill(fill(n, 'buy', 3, entry / 10, 1_000_003n));
      ledger.fill(fill(n, 'sell', 3, exit / 10, -500_001n));
      expected += (3n * BigInt(exit - entry) * unit - 1_000_003n + 500_001n) * UNIT;
    }
    expect(ledger.cut(cut(1_000_000, expected, [{ lots: 0 as Lots }])).isBalanced).toBe(true);
    expect(ledger.held('USD')).toBe(expected);
  });

  it('puts what nothing explains into suspense, between the cuts around it', () => {
    const ledger = opened();
    expect(ledger.cut(cut(10, usd('1000'))).isBalanced).toBe(true);
    const report = ledger.cut(cut(20, usd('990')));
    expect(report.unexplained).toEqual([{ asset: 'USD', amount: usd('-10'), from: 10, to: 20 }]);
    expect(ledger.exceeds(new Map([['USD', usd('9.99999999')]]))).toBe(
      'the ledger must explain the balance of USD but for 9.99999999, received -10 that nothing explains, between 10 and 20',
    );
    expect(ledger.exceeds(new Map([['USD', usd('10')]]))).toBeUndefined();
    expect(ledger.exceeds(new Map())).toContain('but for 0,');
    // Nothing new is said as long as nothing happens.
    expect(ledger.cut(cut(30, usd('990'))).unexplained).toEqual([]);
    expect(ledger.suspense).toHaveLength(1);
  });

  it('forgets suspense that the next cut takes back', () => {
    const ledger = opened();
    expect(ledger.cut(cut(10, usd('990'))).isBalanced).toBe(false);
    expect(ledger.cut(cut(20, usd('1000'))).isBalanced).toBe(true);
    expect(ledger.suspense).toEqual([]);
  });

  it('still knows each fill of the time that it is open since, however long something stays in suspense', () => {
    const ledger = opened();
    // One unit that nobody will ever explain.
    let total = usd('1000') - 1n;
    ledger.cut(cut(5_000, total));
    expect(ledger.openSince).toBe(0);
    const fills = [];
    for (let n = 1; n <= 3_300; n++) {
      const each = fill(10_000 * n, n % 2 === 0 ? 'buy' : 'sell', 1, 60_000, 100n);
      fills.push(each);
      ledger.fill(each);
      total -= 100n * UNIT;
      if (n % 50 === 0) ledger.cut(cut(10_000 * n + 6_000, total));
    }
    expect(ledger.suspense).toEqual([{ asset: 'USD', amount: -1n, from: 0, to: 5_000 }]);
    const since = ledger.openSince ?? ledger.cutTime ?? 0;
    const again = fills.filter((each) => each.fill.time >= since - 60_000);
    expect(again.length).toBeGreaterThan(0);
    expect(again.filter((each) => ledger.fill(each).kind !== 'known')).toEqual([]);
    // What is missing now is looked for since the cut before it, which is the last of which something was new.
    ledger.cut(cut(33_200_000, total - 5n));
    expect(ledger.openSince).toBe(33_006_000);
  });

  it('says when the fills do not lead to the position, and goes on with that of the venue', () => {
    const ledger = opened();
    ledger.fill(fill(1, 'buy', 3, 60_000));
    const report = ledger.cut(cut(2, usd('1000'), [{ lots: 5 as Lots, cost: usd('300.1') }]));
    expect(report).toMatchObject({ isBalanced: false, positions: [{ pair: PAIR, ours: 3, venue: 5 }] });
    expect(ledger.position(PAIR)).toMatchObject({ lots: 5, cost: usd('300.1') });
  });

  it('allows what the wire loses beyond fifteen digits, and no more', () => {
    const ledger = new Ledger(FACTS);
    const large = usd('12345678.12345678');
    const shown = (time: number, total: bigint): Cut => ({
      ...cut(time, total),
      balances: [balance(total, { tolerance: 10n })],
    });
    ledger.cut(shown(0, large));
    expect(ledger.cut(shown(1, large + 10n)).isBalanced).toBe(true);
    expect(ledger.cut(shown(2, large - 10n)).isBalanced).toBe(true);
    expect(ledger.cut(shown(3, large + 11n)).isBalanced).toBe(false);
  });

  it('refuses entries before it is open, and of what it does not know', () => {
    expect(() => new Ledger(FACTS).fill(fill(1, 'buy', 1, 60_000))).toThrow(
      'a ledger must be opened by a cut',
    );
    expect(() => opened().fill({ ...fill(1, 'buy', 1, 60_000), pair: 'X' })).toThrow('received X');
    expect(() =>
      opened().transfer({ kind: 'deposit', id: '1', asset: 'X', time: 1, quantity: 1n, fee: 0n }),
    ).toThrow('received X');
  });

  it('infers funding where none is stated: across a funding time, within the rates, and never else', () => {
    const inferred: LedgerFacts = { ...FACTS, funding: 'inferred' };
    const hour = BTC.funding.intervalMs;
    const ledger = opened(usd('1000'), inferred);
    const held = [{ lots: 10 as Lots, cost: usd('600') }];
    ledger.fill(fill(hour - 10, 'buy', 10, 60_000));
    expect(ledger.cut(cut(hour - 5, usd('1000'), held)).isBalanced).toBe(true);
    // 600 × 0.003 = 1.8 at most, and a tenth for the mark that is not known.
    const paid = ledger.cut(cut(hour + 5, usd('998.2'), held));
    expect(paid).toMatchObject({
      isBalanced: true,
      inferred: [{ asset: 'USD', amount: usd('-1.8'), pair: PAIR }],
    });
    expect(ledger.total('USD', 'funding')).toBe(usd('1.8'));
    expect(ledger.cut(cut(hour + 9, usd('998.1'), held)).isBalanced).toBe(false);
    ledger.cut(cut(hour + 11, usd('998.2'), held));
    expect(ledger.cut(cut(2 * hour + 5, usd('990'), held)).unexplained).toMatchObject([
      { amount: usd('-8.2') },
    ]);
  });
});

describe('liquidations (money.md §15)', () => {
  /** Example A: isolated long 0.5 at 60 000, leverage 10, 10 000 deposited. */
  function isolatedLong(insurance: string) {
    const desk = new RiskDesk({ insurance });
    const [anna, bert] = [desk.open('anna', '10000'), desk.open('bert', '1000000')];
    const watched = new WatchedAccount(desk.core, anna);
    desk.index(60_000);
    expect(desk.core.setLeverage(anna, PAIR, '10', ++desk.now).kind).toBe('done');
    watched.cut(desk.now);
    desk.deal(anna, bert, { side: 'buy', quantity: 0.5, price: 60_000 });
    expect(watched.cut(desk.now).isBalanced).toBe(true);
    expect(watched.ledger.total('USD', 'margin')).toBe(usd('3000'));
    return { desk, watched };
  }

  it('H: what a take-over takes stands in an account of its own', () => {
    const { desk, watched } = isolatedLong('0');
    desk.mark(54_300);
    expect(watched.cut(desk.now).isBalanced).toBe(true);
    expect(watched.ledger.held('USD')).toBe(usd('6982'));
    expect(watched.ledger.total('USD', 'liquidation')).toBe(usd('150'));
    expect(watched.ledger.position(PAIR)).toMatchObject({ lots: 0, cost: 0n, realised: usd('-2850') });
  });

  it('I: what insurance pays stands there with the other sign', () => {
    const { desk, watched } = isolatedLong('500');
    desk.mark(53_000);
    expect(watched.cut(desk.now).isBalanced).toBe(true);
    expect(watched.ledger.held('USD')).toBe(usd('6982'));
    expect(watched.ledger.total('USD', 'liquidation')).toBe(usd('-500'));
  });

  it('C: both positions of a cross group go in one cut', () => {
    const desk = new RiskDesk({ markets: [exampleBtc(), exampleEth()], insurance: '100000' });
    const [anna, bert] = [desk.open('anna', '8000'), desk.open('bert', '1000000')];
    const watched = new WatchedAccount(desk.core, anna);
    desk.index(60_000);
    desk.index(2_500, 'USD_ETH_PERP');
    watched.cut(desk.now);
    desk.deal(anna, bert, { side: 'buy', quantity: 1, price: 60_000 });
    desk.deal(anna, bert, { side: 'sell', quantity: 10, price: 2_500 }, 'USD_ETH_PERP');
    expect(watched.cut(desk.now).isBalanced).toBe(true);
    desk.mark(50_000);
    expect(watched.cut(desk.now).isBalanced).toBe(true);
    expect(watched.ledger.held('USD')).toBe(0n);
  });
});
