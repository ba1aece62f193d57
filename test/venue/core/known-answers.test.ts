import { describe, expect, it } from 'vitest';
import { averageEntry } from '../../../src/model/position.js';
import type { Ticks } from '../../../src/model/grid.js';
import { BTC, btcMarket, Desk, ETH, ethMarket, usd } from './desk.js';

describe('example E of the money rules: cost, realised P&L and a flip', () => {
  it('closes part of a position at its average cost and leaves the residue of the division in the cost', () => {
    const desk = new Desk();
    const maker = desk.core.street;
    const account = desk.open('a', '10000');
    desk.sell(maker, 0.001, 60_000.0);
    desk.sell(maker, 0.002, 60_000.1);
    desk.buy(account, 0.003, 60_000.1);
    expect(desk.core.position(account, BTC)).toMatchObject({ lots: 3, cost: usd('180.0002') });

    desk.buy(maker, 0.001, 60_010);
    desk.sell(account, 0.001, 60_010);
    const [first] = desk.core.fills(account, { limit: 1 });
    expect(first?.realised).toBe(usd('0.00993333'));
    const held = desk.core.position(account, BTC);
    expect(held.cost).toBe(usd('120.00013333'));
    expect(averageEntry(btcMarket(), held)?.toFixed()).toBe('60000.066665');

    desk.buy(maker, 0.005, 60_020);
    desk.sell(account, 0.005, 60_020);
    const [flip] = desk.core.fills(account, { limit: 1 });
    expect(flip?.realised).toBe(usd('0.03986667'));
    expect(flip?.fee).toBe(usd('0.18006'));
    // Of the fee, 0.072024 belongs to the position that ended; 0.18006 − 0.072024 = 0.108036.
    expect(desk.core.position(account, BTC)).toEqual({
      lots: -3,
      cost: usd('-180.06'),
      realised: 0n,
      fees: usd('-0.108036'),
      funding: 0n,
    });
    // ΣΔW − K before fees: what went through the account's hands in cash.
    const fees = account.balances.get('USD')?.feesPaid ?? 0n;
    expect(desk.cash(account) - usd('10000') + fees - usd('-180.06')).toBe(usd('180.1098'));
  });
});

describe('example J of the money rules: what working orders reserve', () => {
  it('reserves the dearer side and its fee, and lets asks close the position first', () => {
    const desk = new Desk();
    const account = desk.open('a', '10000');
    desk.sell(desk.core.street, 0.1, 60_000);
    desk.buy(account, 0.1, 60_000);
    desk.core.setMark(BTC, 600_000 as Ticks, desk.now);
    desk.buy(account, 0.05, 59_990);
    desk.buy(account, 0.05, 59_980);
    desk.sell(account, 0.05, 60_010);
    desk.sell(account, 0.05, 60_020);
    expect(desk.core.margin(account, BTC)).toEqual({ position: usd('96'), reserved: usd('171.54990225') });
    // W = 10 000 − 3.6 of fee; A = 9 996.4 − 96 − 171.54990225.
    expect(desk.core.available(account, 'USD')).toBe(usd('9728.85009775'));
    const [balance] = desk.core.balances(account);
    expect(balance).toMatchObject({
      free: usd('9728.85009775'),
      locked: usd('171.54990225'),
      margin: usd('96'),
      withdrawn: 0n,
    });
  });
});

describe('example K of the money rules: cash below zero that a profit carries', () => {
  it('shows no free money and a negative margin, which add up to the cash', () => {
    const fees = { maker: '0', taker: '0' };
    const desk = new Desk({ markets: [{ market: btcMarket({ fees }) }, { market: ethMarket({ fees }) }] });
    const { street } = desk.core;
    const account = desk.open('a', '1000');
    desk.accept(street, { side: 'sell', quantity: 0.1, price: 60_000 });
    desk.accept(account, { side: 'buy', quantity: 0.1, price: 60_000 });
    desk.accept(street, { side: 'buy', quantity: 4, price: 2_500 }, ETH);
    desk.accept(account, { side: 'sell', quantity: 4, price: 2_500 }, ETH);
    desk.core.setMark(BTC, 660_000 as Ticks, desk.now);
    desk.core.setMark(ETH, 280_000 as Ticks, desk.now);
    desk.accept(street, { side: 'sell', quantity: 4, price: 2_800 }, ETH);
    // Only as reduce-only: A is below 0, and what may open needs A ≥ 0.
    expect(desk.refusal(account, { side: 'buy', quantity: 4, price: 2_800 }, ETH)).toBe(
      'insufficient balance: needs 0 USD, available -184.44 USD',
    );
    desk.accept(account, { side: 'buy', quantity: 4, price: 2_800, reduceOnly: true }, ETH);
    expect(desk.cash(account)).toBe(usd('-200'));
    expect(desk.core.balances(account)).toEqual([
      {
        asset: 'USD',
        precision: 8,
        free: 0n,
        locked: 0n,
        margin: usd('-200'),
        withdrawn: 0n,
        pnl: usd('-1200'),
        fees: 0n,
      },
    ]);
    expect(desk.core.orders(account, 'all').every((order) => order.status === 'completed')).toBe(true);
  });
});
