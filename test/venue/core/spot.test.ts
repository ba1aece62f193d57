import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/model/grid.js';
import type { MarketSpec } from '../../../src/model/market.js';
import type { Account } from '../../../src/venue/core/account.js';
import { crossGroup, ordersOf } from '../../../src/venue/core/margin-group.js';
import { BTC, btcMarket, Desk, usd } from './desk.js';

const SPOT = 'BTC_USD';

function spotMarket(changes: Partial<MarketSpec> = {}) {
  return btcMarket({ pair: SPOT, contract: 'spot', ...changes });
}

class SpotDesk extends Desk {
  constructor() {
    super({ markets: [{ market: spotMarket() }, { market: btcMarket() }] });
  }

  /** free, locked of each asset. */
  held(account: Account): Record<string, readonly [bigint, bigint]> {
    return Object.fromEntries(
      this.core.balances(account).map(({ asset, free, locked }) => [asset, [free, locked]]),
    );
  }

  both(name: string, usdAmount: string, btc: string): Account {
    return this.core.openAccount(name, { USD: usdAmount, BTC: btc });
  }
}

describe('a spot pair', () => {
  it('exchanges base and quote, and both sides pay their fee in the quote asset', () => {
    const desk = new SpotDesk();
    const buyer = desk.both('buyer', '1000', '0');
    const seller = desk.both('seller', '0', '1');
    desk.accept(seller, { side: 'sell', quantity: 0.01, price: 60_000 }, SPOT);
    desk.accept(buyer, { side: 'buy', quantity: 0.004, price: 60_100 }, SPOT);
    // 240 at the resting price; taker 0.0006, maker 0.0002.
    expect(desk.held(buyer)).toEqual({ USD: [usd('759.856'), 0n], BTC: [usd('0.004'), 0n] });
    expect(desk.held(seller)).toEqual({ USD: [usd('239.952'), 0n], BTC: [usd('0.99'), usd('0.006')] });
    expect(desk.core.fills(buyer)[0]).toMatchObject({ fee: usd('0.144'), realised: 0n, lots: 4 });
    expect(desk.core.position(buyer, SPOT)).toMatchObject({ lots: 0, cost: 0n });
    expect(desk.core.positionFacts(buyer, SPOT)).toMatchObject({ lots: 0, margin: 0n, reserved: 0n });
    expect(desk.core.completedPositions(buyer)).toEqual([]);
  });

  it('locks the amount and its fee of a buy, the quantity of a sell, and gives them back with a cancel', () => {
    const desk = new SpotDesk();
    const account = desk.both('a', '1000', '0.5');
    const buy = desk.accept(account, { side: 'buy', quantity: 0.01, price: 59_000 }, SPOT);
    // 590 + 0.354
    expect(desk.held(account)).toEqual({
      USD: [usd('409.646'), usd('590.354')],
      BTC: [usd('0.5'), 0n],
    });
    const sell = desk.accept(account, { side: 'sell', quantity: 0.2, price: 61_000 }, SPOT);
    expect(desk.held(account)['BTC']).toEqual([usd('0.3'), usd('0.2')]);
    desk.core.cancel(account, buy.id, ++desk.now);
    desk.core.cancel(account, sell.id, ++desk.now);
    expect(desk.held(account)).toEqual({ USD: [usd('1000'), 0n], BTC: [usd('0.5'), 0n] });
  });

  it('refuses to the unit what the account cannot give away', () => {
    const desk = new SpotDesk();
    // 0.01 at 60 000 needs 600.36.
    const short = desk.both('short', '600.35999999', '0.00999999');
    expect(desk.refusal(short, { side: 'buy', quantity: 0.01, price: 60_000 }, SPOT)).toBe(
      'insufficient balance: needs 600.36 USD, available 600.35999999 USD',
    );
    expect(desk.refusal(short, { side: 'sell', quantity: 0.01, price: 60_000 }, SPOT)).toBe(
      'insufficient balance: needs 0.01 BTC, available 0.00999999 BTC',
    );
    const exact = desk.both('exact', '600.36', '0.01');
    desk.accept(exact, { side: 'buy', quantity: 0.01, price: 60_000 }, SPOT);
    desk.accept(exact, { side: 'sell', quantity: 0.01, price: 61_000 }, SPOT);
    expect(desk.refusal(exact, { side: 'buy', quantity: 0.001, price: 10 }, SPOT)).toMatch(
      /^insufficient balance: needs 0.010006 USD, available 0 USD$/,
    );
  });

  it('counts a MARKET buy at the edge of the band', () => {
    const desk = new SpotDesk();
    desk.accept(desk.core.street, { side: 'sell', quantity: 1, price: 60_000 }, SPOT);
    desk.accept(desk.core.street, { side: 'buy', quantity: 0.1, price: 60_000 }, SPOT);
    // 0.01 · 66 000 · 1.0006
    const poor = desk.both('poor', '660.39599999', '0');
    expect(desk.refusal(poor, { side: 'buy', quantity: 0.01 }, SPOT)).toMatch(/needs 660.396 USD/);
    const rich = desk.both('rich', '660.396', '0');
    desk.accept(rich, { side: 'buy', quantity: 0.01 }, SPOT);
    expect(desk.cash(rich)).toBe(usd('60.036'));
  });

  it('takes no leverage and no margin', () => {
    const desk = new SpotDesk();
    const account = desk.both('a', '1000', '0');
    expect(desk.core.setLeverage(account, SPOT, '2', desk.now)).toEqual({
      kind: 'refused',
      reason: 'malformed: leverage must be of a contract, received the spot pair BTC_USD',
    });
    expect(desk.core.fund(account, SPOT, '2', desk.now)).toMatchObject({
      reason: 'malformed: margin must be of a contract, received the spot pair BTC_USD',
    });
  });

  it('what its orders lock is not available to a contract, and the other way round', () => {
    const desk = new SpotDesk();
    const account = desk.both('a', '1000', '0');
    desk.core.setMark(BTC, 600_000 as Ticks, desk.now);
    desk.accept(account, { side: 'buy', quantity: 0.01, price: 60_000 }, SPOT);
    // 399.64 are left; a buy of 0.5 at 60 000 needs im(30 000) = 1 200.
    expect(desk.core.available(account, 'USD')).toBe(usd('399.64'));
    expect(desk.refusal(account, { side: 'buy', quantity: 0.5, price: 60_000 })).toMatch(
      /^insufficient balance: .*available 399.64 USD$/,
    );
    desk.buy(account, 0.1, 60_000);
    // Λ = im(6 000) + 3.6 = 99.6
    expect(desk.core.available(account, 'USD')).toBe(usd('300.04'));
    expect(desk.refusal(account, { side: 'buy', quantity: 0.01, price: 60_000 }, SPOT)).toMatch(
      /needs 600.36 USD, available 300.04 USD$/,
    );
  });

  it('orders that lock the asset of a cross group belong to what a liquidation of the group cancels', () => {
    const desk = new SpotDesk();
    const account = desk.both('a', '5000', '1');
    desk.core.setMark(BTC, 600_000 as Ticks, desk.now);
    const buy = desk.accept(account, { side: 'buy', quantity: 0.01, price: 50_000 }, SPOT);
    desk.accept(account, { side: 'sell', quantity: 0.01, price: 61_000 }, SPOT);
    const perp = desk.buy(account, 0.01, 59_000);
    const balance = account.balances.get('USD');
    if (balance === undefined) throw new Error('no cash');
    expect(ordersOf(crossGroup(balance))).toEqual([buy, perp]);
    const base = account.balances.get('BTC');
    if (base === undefined) throw new Error('no cash');
    expect(ordersOf(crossGroup(base)).map(({ side }) => side)).toEqual(['sell']);
  });
});
