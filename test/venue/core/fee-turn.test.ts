import { describe, expect, it } from 'vitest';
import type { MarketSpec } from '../../../src/model/market.js';
import { btcMarket, Desk, ETH, usd } from './desk.js';
import { brokenLaws } from './laws.js';

const SPOT = 'BTC_USD';

const taking = (taker: string): Partial<MarketSpec> => ({ fees: { maker: '0', taker } });
const plain = { initial: '0.01', maintenance: '0.005', initialRiskLimit: 0, maintenanceRiskLimit: 0 };

describe('a fee that changes', () => {
  it('is what working orders reserve from then on, and a cancel gives all of it back', () => {
    const desk = new Desk({ markets: [{ market: btcMarket({ ...taking('0.0006'), margin: plain }) }] });
    const account = desk.open('a', '1000');
    const order = desk.accept(account, { side: 'buy', quantity: 0.1, price: 60_000 });
    // 6 000: 60 of margin, and the fee.
    expect(desk.core.available(account, 'USD')).toBe(usd('936.4'));
    desk.core.turnMarket(btcMarket({ ...taking('0.01'), margin: plain }), ++desk.now);
    expect(desk.core.available(account, 'USD')).toBe(usd('880'));
    // 6 900 and 6 960 at a hundredth each of margin and fee, where 880 are left.
    expect(desk.refusal(account, { side: 'buy', quantity: 0.8, price: 60_000 })).toBe(
      'insufficient balance: needs 960 USD, available 880 USD',
    );
    desk.accept(account, { side: 'buy', quantity: 0.7, price: 60_000 });
    expect(desk.core.available(account, 'USD')).toBe(usd('40'));
    desk.core.cancel(account, order.id, ++desk.now);
    expect(desk.core.available(account, 'USD')).toBe(usd('160'));
    expect(brokenLaws(desk.core)).toEqual([]);
  });

  it('leaves orders alone that the account could not place any more, and nothing is available meanwhile', () => {
    const desk = new Desk({ markets: [{ market: btcMarket({ ...taking('0.0006'), margin: plain }) }] });
    const account = desk.open('a', '1000');
    const order = desk.accept(account, { side: 'buy', quantity: 1, price: 60_000 });
    desk.core.turnMarket(btcMarket({ ...taking('0.01'), margin: plain }), ++desk.now);
    expect(order.leaves).toBe(1_000);
    expect(desk.core.available(account, 'USD')).toBe(usd('-200'));
    expect(desk.core.balances(account)[0]).toMatchObject({ free: 0n, locked: usd('1000') });
    desk.accept(desk.open('b'), { side: 'sell', quantity: 1, price: 60_000 });
    // A maker after all, for nothing.
    expect(desk.core.available(account, 'USD')).toBe(usd('400'));
    expect(brokenLaws(desk.core)).toEqual([]);
  });

  it('may have more digits than all that margins were compared in, on one of several markets of the asset', () => {
    const coarse = { quotePrecision: 4, margin: plain };
    const eth = btcMarket({ pair: ETH, base: 'ETH', ...coarse, ...taking('0.001') });
    const desk = new Desk({
      markets: [{ market: btcMarket({ ...coarse, ...taking('0.001') }) }, { market: eth }],
    });
    const account = desk.open('a', '1000');
    desk.accept(account, { side: 'buy', quantity: 0.1, price: 60_000 });
    desk.accept(account, { side: 'buy', quantity: 0.1, price: 40_000 }, ETH);
    expect(desk.core.available(account, 'USD')).toBe(8_900_000n);
    desk.core.turnMarket(btcMarket({ ...coarse, ...taking('0.00012345') }), ++desk.now);
    // 0.7407 in place of 6.
    expect(desk.core.available(account, 'USD')).toBe(8_952_593n);
    desk.core.turnMarket(btcMarket({ ...coarse, ...taking('0.001') }), ++desk.now);
    expect(desk.core.available(account, 'USD')).toBe(8_900_000n);
    expect(desk.core.available(desk.open('b', '7'), 'USD')).toBe(70_000n);
  });

  it('is locked with the amount of a spot buy', () => {
    const market = (taker: string) => btcMarket({ pair: SPOT, contract: 'spot', ...taking(taker) });
    const desk = new Desk({ markets: [{ market: market('0.0006') }] });
    const account = desk.open('a', '1000');
    desk.accept(account, { side: 'buy', quantity: 0.01, price: 60_000 }, SPOT);
    desk.core.turnMarket(market('0.01'), ++desk.now);
    expect(desk.core.available(account, 'USD')).toBe(usd('394'));
  });
});
