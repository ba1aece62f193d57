import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/model/grid.js';
import type { Account } from '../../../src/venue/core/account.js';
import { refusalRule } from '../../../src/venue/core/refusals.js';
import { BTC, btcMarket, Desk, ETH, ethMarket, usd } from './desk.js';

/** The account with the isolated long of example A: 0.5 at 60 000, leverage 10. */
function exampleA(): { readonly desk: Desk; readonly account: Account } {
  const desk = new Desk();
  const account = desk.open('a', '10000');
  expect(desk.core.setLeverage(account, BTC, '10', desk.now)).toEqual({ kind: 'done' });
  desk.sell(desk.core.street, 0.5, 60_000);
  desk.buy(account, 0.5, 60_000);
  return { desk, account };
}

function margin(desk: Desk, account: Account): bigint {
  return desk.core.positionFacts(account, BTC).margin;
}

describe('example A of the money rules: an isolated position', () => {
  it('takes its margin and the fee out of the cash', () => {
    const { desk, account } = exampleA();
    expect(desk.cash(account)).toBe(usd('6982'));
    expect(desk.core.positionFacts(account, BTC)).toMatchObject({
      lots: 500,
      cost: usd('30000'),
      leverage: { numerator: 10n, denominator: 1n },
      notional: usd('30000'),
      margin: usd('3000'),
      reserved: 0n,
      upnl: 0n,
      fees: usd('-18'),
      rpnl: usd('-18'),
      pnl: usd('-18'),
      equity: usd('3000'),
      averageEntry: 60_000,
      effectiveLeverage: 10,
      // −18 / (30 000 / 10)
      roe: -0.006,
      liquidationTicks: 550_324,
      bankruptcyTicks: 540_000,
    });
  });

  it('is shown in the balance as margin and is no part of what is available, whatever the mark', () => {
    const { desk, account } = exampleA();
    for (const mark of [600_000, 650_000, 560_000]) {
      desk.core.setMark(BTC, mark as Ticks, desk.now);
      expect(desk.core.balances(account)).toEqual([
        {
          asset: 'USD',
          precision: 8,
          free: usd('6982'),
          locked: 0n,
          margin: usd('3000'),
          withdrawn: 0n,
          pnl: 0n,
          fees: usd('18'),
        },
      ]);
    }
  });

  it('may be levered up to 25 at 60 000: the initial margin of 30 000 is 1 200', () => {
    const { desk, account } = exampleA();
    // ⌈30 000 / 25⌉ = 1 200: 1 800 come back.
    expect(desk.core.setLeverage(account, BTC, '25', desk.now)).toEqual({ kind: 'done' });
    expect(margin(desk, account)).toBe(usd('1200'));
    expect(desk.cash(account)).toBe(usd('8782'));
    expect(desk.core.setLeverage(account, BTC, '25.01', desk.now)).toEqual({
      kind: 'refused',
      reason: 'leverage above the maximum: 25.01 is above 25.0000 at a notional of 30000',
    });
    expect(desk.core.setLeverage(account, BTC, '0.5', desk.now)).toEqual({
      kind: 'refused',
      reason: 'malformed: leverage must be 0 or at least 1, received 0.5',
    });
  });
});

describe('a closing fill of an isolated position', () => {
  it('releases its share of the margin, rounded down, with the result', () => {
    const desk = new Desk({ markets: [{ market: btcMarket({ fees: { maker: '0', taker: '0' } }) }] });
    const account = desk.open('a', '10000');
    desk.core.setLeverage(account, BTC, '7', desk.now);
    desk.sell(desk.core.street, 0.003, 60_000);
    desk.buy(account, 0.003, 60_000);
    // ⌈180 / 7⌉ to the unit: 25.714285714… → 25.71428572.
    expect(margin(desk, account)).toBe(usd('25.71428572'));
    expect(desk.cash(account)).toBe(usd('9974.28571428'));
    desk.buy(desk.core.street, 0.001, 60_010);
    desk.sell(account, 0.001, 60_010);
    // ⌊25.71428572 / 3⌋ = 8.57142857, and 0.01 of profit.
    expect(margin(desk, account)).toBe(usd('17.14285715'));
    expect(desk.cash(account)).toBe(usd('9982.86714285'));
  });

  it('takes a loss beyond the margin it releases from the rest of the margin, then from the cash', () => {
    const { desk, account } = exampleA();
    desk.core.setLeverage(account, BTC, '25', desk.now);
    desk.core.setMark(BTC, 590_000 as Ticks, desk.now);
    desk.buy(desk.core.street, 0.4, 56_900);
    desk.sell(account, 0.1, 56_900, { reduceOnly: true });
    // Released 1 200 / 5 = 240; realised −310; fee 0.0006 · 5 690 = 3.414: x = −73.414, taken from the other 960.
    expect(margin(desk, account)).toBe(usd('886.586'));
    expect(desk.cash(account)).toBe(usd('8782'));
    // What stays must not be bankrupt: with a mark of 59 000 the rest of 0.1 would be.
    const ask = { side: 'sell', quantity: 0.3, price: 56_900, reduceOnly: true } as const;
    expect(desk.refusal(account, ask)).toBe(
      'insufficient balance: filled at the worst price it allows, the isolated position would be worth -100 USD at the mark: ' +
        'a better limit price helps',
    );
    desk.core.setMark(BTC, 605_000 as Ticks, desk.now);
    desk.accept(account, ask);
    // Released 886.586 · 3 / 4 = 664.9395; realised −930; fee 10.242: x = −275.3025, of which 221.6465 from the rest.
    expect(margin(desk, account)).toBe(0n);
    expect(desk.cash(account)).toBe(usd('8728.344'));
  });

  it('returns the whole margin with the last lot, and a flip opens with a margin of its own', () => {
    const { desk, account } = exampleA();
    desk.buy(desk.core.street, 0.8, 60_020);
    desk.sell(account, 0.8, 60_020);
    // M 3 000 back, realised 10, fee 0.0006 · 48 016 = 28.8096, new margin 18 006 / 10.
    expect(desk.core.position(account, BTC)).toMatchObject({ lots: -300, cost: usd('-18006') });
    expect(margin(desk, account)).toBe(usd('1800.6'));
    expect(desk.cash(account)).toBe(usd('8162.5904'));
    desk.sell(desk.core.street, 0.3, 60_020);
    desk.buy(account, 0.3, 60_020, { reduceOnly: true });
    expect(margin(desk, account)).toBe(0n);
    // 8 162.5904 + 1 800.6 − 0.0006 · 18 006
    expect(desk.cash(account)).toBe(usd('9952.3868'));
    expect(desk.core.positionFacts(account, BTC)).toMatchObject({
      lots: 0,
      margin: 0n,
      notional: 0n,
      roe: 0,
    });
  });
});

describe('admission of orders on an isolated pair', () => {
  it('reserves the margin at the leverage where that is more than the initial margin', () => {
    const desk = new Desk();
    const account = desk.open('a', '10000');
    desk.core.setLeverage(account, BTC, '5', desk.now);
    desk.core.setMark(BTC, 600_000 as Ticks, desk.now);
    desk.buy(account, 0.1, 59_990);
    // 5 999 / 5 + 0.0006 · 5 999; im(5 999) = 95.98… is less.
    expect(desk.core.margin(account, BTC).reserved).toBe(usd('1203.3994'));
    expect(desk.core.available(account, 'USD')).toBe(usd('8796.6006'));
    expect(refusalRule(desk.refusal(account, { side: 'buy', quantity: 0.8, price: 59_990 }))).toBe('balance');
    desk.buy(account, 0.7, 59_990);
  });

  it('says that the position would be worth too little where its leverage leaves no room to the worst price', () => {
    const desk = new Desk();
    const account = desk.open('a', '100000');
    desk.core.setLeverage(account, BTC, '25', desk.now);
    desk.core.setMark(BTC, 600_000 as Ticks, desk.now);
    // 0.02 at 66 000: margin 1 320 / 25 = 52.8, and 0.02 · 6 000 = 120 under water at the mark.
    expect(desk.refusal(account, { side: 'buy', quantity: 0.02, price: 66_000 })).toBe(
      'insufficient balance: filled at the worst price it allows, the isolated position would be worth -67.2 USD at the mark: ' +
        'a better limit price helps',
    );
    // At 62 000 it has 49.6, and 40 under water.
    desk.buy(account, 0.02, 62_000);
  });

  it('needs no more than the dry run of a reduce-only order, which must leave no debt', () => {
    const desk = new Desk();
    const account = desk.open('a', '1018.1');
    desk.core.setLeverage(account, BTC, '25', desk.now);
    desk.sell(desk.core.street, 0.4, 60_000);
    // M = 24 000 / 25 = 960, fee 14.4, cash 43.7.
    desk.buy(account, 0.4, 60_000);
    desk.core.setMark(BTC, 590_000 as Ticks, desk.now);
    // At 57 500: realised −1 000, fee 13.8: 960 + 43.7 − 1 013.8 < 0.
    expect(desk.refusal(account, { side: 'sell', quantity: 0.4, price: 57_500, reduceOnly: true })).toBe(
      'insufficient balance: needs 53.8 USD, available 43.7 USD',
    );
    // At 57 600: realised −960, fee 13.824: 43.7 − 13.824 are left.
    desk.buy(desk.core.street, 0.4, 57_600);
    desk.sell(account, 0.4, 57_600, { reduceOnly: true });
    expect(desk.cash(account)).toBe(usd('29.876'));
  });
});

describe('moving margin', () => {
  it('funds from what is available and draws what the initial margin and the loss do not need', () => {
    const { desk, account } = exampleA();
    expect(desk.core.fund(account, BTC, '6982.00000001', desk.now)).toEqual({
      kind: 'refused',
      reason: 'insufficient balance: needs 6982.00000001 USD, available 6982 USD',
    });
    expect(desk.core.fund(account, BTC, '982', desk.now)).toEqual({ kind: 'done' });
    expect(margin(desk, account)).toBe(usd('3982'));
    expect(desk.cash(account)).toBe(usd('6000'));
    desk.core.setMark(BTC, 590_000 as Ticks, desk.now);
    // N 29 500: im 1 165.25; U −500: 3 982 − 1 665.25 = 2 316.75 may go.
    expect(desk.core.draw(account, BTC, '2316.75000001', desk.now)).toEqual({
      kind: 'refused',
      reason: 'insufficient balance: needs 2316.75000001 USD, available 2316.75 USD',
    });
    expect(desk.core.draw(account, BTC, '2316.75', desk.now)).toEqual({ kind: 'done' });
    expect(margin(desk, account)).toBe(usd('1665.25'));
    expect(desk.core.positionFacts(account, BTC).leverage).toEqual({ numerator: 10n, denominator: 1n });
  });

  it('is for isolated positions only, and of amounts on the grid of the asset', () => {
    const { desk, account } = exampleA();
    const other = desk.open('b');
    for (const move of ['fund', 'draw'] as const) {
      expect(desk.core[move](other, BTC, '1', desk.now)).toEqual({
        kind: 'refused',
        reason: 'not isolated: USD_BTC_PERP has no isolated position',
      });
      for (const amount of ['0', '-1', '0.000000001', 'NaN', Number.NaN]) {
        expect(desk.core[move](account, BTC, amount, desk.now)).toMatchObject({
          reason: expect.stringMatching(/^malformed: qty must be above 0 with at most 8 digits/),
        });
      }
    }
  });

  it('goes from cross to isolated and back', () => {
    const desk = new Desk();
    const account = desk.open('a', '10000');
    desk.sell(desk.core.street, 0.5, 60_000);
    desk.buy(account, 0.5, 60_000);
    expect(desk.core.setLeverage(account, BTC, 10, desk.now)).toEqual({ kind: 'done' });
    expect([desk.cash(account), margin(desk, account)]).toEqual([usd('6982'), usd('3000')]);
    expect(desk.core.setLeverage(account, BTC, '0', desk.now)).toEqual({ kind: 'done' });
    expect(desk.cash(account)).toBe(usd('9982'));
    // Cross again: the margin is im(30 000).
    expect(margin(desk, account)).toBe(usd('1200'));
  });

  it('is refused where it would leave the cash without what other positions need', () => {
    const markets = [{ market: btcMarket() }, { market: ethMarket() }];
    const desk = new Desk({ markets });
    // 18 and 18.75 of fees.
    const account = desk.open('a', '4436.75');
    desk.sell(desk.core.street, 0.5, 60_000);
    desk.buy(account, 0.5, 60_000);
    desk.accept(desk.core.street, { side: 'sell', quantity: 10, price: 2_500 }, ETH);
    desk.accept(account, { side: 'buy', quantity: 10, price: 2_500 }, ETH);
    desk.core.setMark(BTC, 680_000 as Ticks, desk.now);
    desk.core.setMark(ETH, 215_000 as Ticks, desk.now);
    // A = 4 400 − im(34 000) 1 496 − im(21 500) 1 354.5 = 1 549.5, enough for a margin of 1 500. But the profit of 4 000
    // would no longer carry the loss of 3 500 on the other pair: 4 400 − 1 500 − 1 354.5 − 3 500 = −1 954.5, which is
    // 3 504 less than now.
    expect(desk.core.available(account, 'USD')).toBe(usd('1549.5'));
    const before = desk.core.positionFacts(account, BTC);
    expect(desk.core.setLeverage(account, BTC, '20', desk.now)).toEqual({
      kind: 'refused',
      reason: 'insufficient balance: needs 3504 USD, available 1549.5 USD',
    });
    expect(desk.core.positionFacts(account, BTC)).toEqual(before);
    expect(desk.core.setLeverage(account, ETH, '1', desk.now)).toMatchObject({
      reason: expect.stringMatching(/^insufficient balance: needs 25000 USD/),
    });
    expect(desk.core.positionFacts(account, ETH).leverage).toBeUndefined();
  });

  it('back to cross is refused when the cash and the margin do not cover the initial margins', () => {
    const { desk, account } = exampleA();
    desk.core.setLeverage(account, BTC, '25', desk.now);
    const balance = account.balances.get('USD');
    if (balance === undefined) throw new Error('no cash');
    // As if the rest had been lost elsewhere.
    balance.cash = 0n;
    desk.core.setMark(BTC, 599_990 as Ticks, desk.now);
    // E = 1 200 − 0.5; im(29 999.5) = 299.995 + 899.97000025.
    expect(desk.core.setLeverage(account, BTC, 0, desk.now)).toEqual({
      kind: 'refused',
      reason: 'insufficient balance: needs 1199.96500025 USD, available 1199.5 USD',
    });
    expect(margin(desk, account)).toBe(usd('1200'));
    expect(balance.cash).toBe(0n);
  });
});

describe('positions that passed through 0', () => {
  it('are kept with their P&L and their fills, a flip with the closing share of its fee', () => {
    const desk = new Desk();
    const account = desk.open('a');
    const { street } = desk.core;
    desk.sell(street, 0.3, 60_000);
    desk.buy(account, 0.1, 60_000);
    const openedAt = desk.now;
    desk.buy(account, 0.2, 60_000);
    desk.buy(street, 0.4, 60_100);
    desk.sell(account, 0.4, 60_100);
    const closedAt = desk.now;
    desk.sell(street, 0.1, 60_100);
    desk.buy(account, 0.1, 60_100);
    const [short, long, ...none] = desk.core.completedPositions(account);
    expect(none).toEqual([]);
    // Fee of the flip 14.424, of which three quarters closed.
    expect(long).toMatchObject({
      pair: BTC,
      direction: 'buy',
      openedAt,
      closedAt,
      exitTicks: 601_000,
      realised: usd('30'),
      fees: usd('-21.618'),
      funding: 0n,
    });
    expect(short).toMatchObject({
      direction: 'sell',
      openedAt: closedAt,
      closedAt: desk.now,
      realised: 0n,
      fees: usd('-7.212'),
    });
    if (long === undefined || short === undefined) throw new Error('unreachable');
    expect(desk.core.fillsOf(account, long).map(({ lots }) => lots)).toEqual([400, 200, 100]);
    expect(desk.core.fillsOf(account, short).map(({ lots }) => lots)).toEqual([100, 400]);
    expect(desk.core.completedPositions(account, { pair: ETH })).toEqual([]);
    expect(desk.core.completedPositions(account, { to: closedAt })).toEqual([long]);
    expect(desk.core.completedPositions(account, { from: closedAt + 1 })).toEqual([short]);
    expect(desk.core.completedPositions(account, { limit: 1 })).toEqual([short]);
  });

  it('the fills of the open one go back to where it was flat', () => {
    const desk = new Desk({ historyLimit: 3 });
    const account = desk.open('a');
    desk.sell(desk.core.street, 1, 60_000);
    desk.buy(account, 0.1, 60_000);
    desk.buy(desk.core.street, 0.1, 59_900);
    desk.sell(account, 0.1, 59_900);
    desk.buy(account, 0.2, 60_000);
    desk.buy(account, 0.3, 60_000);
    const fills = () => desk.core.positionFacts(account, BTC).fills.map(({ lots }) => lots);
    expect(fills()).toEqual([300, 200]);
    desk.buy(account, 0.1, 60_000);
    desk.buy(account, 0.15, 60_000);
    // The oldest is forgotten.
    expect(fills()).toEqual([150, 100, 300]);
  });
});
