import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/venue/core/account.js';
import { deleverageScore } from '../../../src/venue/core/deleverage.js';
import { BTC, ETH, usd } from './desk.js';
import { brokenLaws } from './laws.js';
import { exampleBtc, exampleEth, RiskDesk } from './risk-desk.js';

const NO_FEES = exampleBtc({ fees: { maker: '0', taker: '0', liquidation: '0.003' } });

/**
 * Longs who will go bankrupt against shorts with different gains and leverage. `old` and `young` are alike, `thin`
 * has as much gain with less money, `late` sold at a worse price, and the street holds the rest.
 */
function crowded(insurance = '0') {
  const desk = new RiskDesk({ markets: [NO_FEES], insurance });
  const open = (name: string, usdText: string) => desk.open(name, usdText);
  const old = open('old', '10000');
  const thin = open('thin', '2000');
  const late = open('late', '10000');
  const young = open('young', '10000');
  const bankrupt = open('bankrupt', '10000');
  desk.index(60_000);
  desk.core.setLeverage(bankrupt, BTC, '10', ++desk.now);
  const sell = (seller: Account, quantity: number, price: number) =>
    desk.deal(bankrupt, seller, { side: 'buy', quantity, price });
  sell(young, 0.1, 60_000);
  sell(thin, 0.1, 60_000);
  sell(old, 0.1, 60_000);
  sell(late, 0.1, 59_000);
  sell(desk.core.street, 0.1, 60_000);
  return { desk, old, thin, late, young, bankrupt };
}

/** Who was deleveraged, in order. */
function deleveraged(desk: RiskDesk): string[] {
  const seen: string[] = [];
  desk.core.onFill((order, fill) => {
    if (fill.isLiquidation === true && fill.liquidity === 'maker') seen.push(order.account.name);
  });
  return seen;
}

describe('auto-deleveraging', () => {
  it('scores a gain on the cost times the leverage of the group', () => {
    const { desk, old, thin, late } = crowded();
    desk.core.setMark(BTC, desk.ticks(59_500), ++desk.now);
    const score = (account: Account) => {
      const { numerator, denominator } = deleverageScore(account.holdings.get(BTC) as never);
      return Number(numerator) / Number(denominator);
    };
    // U 50 on 6 000, N 5 950, E 10 050.
    expect(score(old)).toBeCloseTo((50 / 6_000) * (5_950 / 10_050), 12);
    expect(score(thin)).toBeCloseTo((50 / 6_000) * (5_950 / 2_050), 12);
    // A loser of 50 on 5 900 with E 9 950: the less leverage, the worse.
    expect(score(late)).toBeCloseTo(-50 / 5_900 / (5_950 / 9_950), 12);
  });

  it('takes customers by score, of equals the older account, then the street', () => {
    const { desk, bankrupt } = crowded();
    const seen = deleveraged(desk);
    // M 3 000 − 10 of the cheaper part: K 29 900, M 2 990, bankrupt at 26 910 / 0.5 = 53 820; E < 0 at 53 000.
    desk.mark(53_000);
    expect(seen).toEqual(['thin', 'old', 'young', 'late', 'street']);
    expect(desk.core.position(bankrupt, BTC).lots).toBe(0);
    // 10 000 − 2 990; nothing of the margin is left, as the price is on the tick.
    expect(desk.cash(bankrupt)).toBe(usd('7010'));
    for (const order of desk.forced(bankrupt)) expect(order.fills[0]?.ticks).toBe(538_200);
    expect(brokenLaws(desk.core)).toEqual([]);
  });

  it('takes the provider before the street', () => {
    const { desk } = crowded('1000');
    // A short that the provider takes over: 0.1 from 60 000, isolated at 10, gone at 66 000.
    const squeezed = desk.open('squeezed', '700');
    desk.core.setLeverage(squeezed, BTC, '10', ++desk.now);
    desk.deal(squeezed, desk.core.street, { side: 'sell', quantity: 0.1, price: 60_000 });
    desk.mark(66_100);
    expect(desk.core.position(desk.provider(), BTC).lots).toBe(-100);
    const all = desk.core.position(desk.core.street, BTC).lots;
    // The street is flat now: short 0.1, and long 0.1 from `squeezed`.
    expect(all).toBe(0);
    const seen = deleveraged(desk);
    // The fund paid 10 for the take-over, 990 are left: short of 0.5 × (53 820 − 51 800) = 1 010.
    desk.mark(51_800);
    expect(seen).toEqual(['thin', 'old', 'young', 'late', 'provider']);
    expect(desk.insurance()).toBe(usd('990'));
    expect(brokenLaws(desk.core)).toEqual([]);
  });

  it('rounds the price so that the bankrupt account keeps the residue', () => {
    const desk = new RiskDesk({ markets: [NO_FEES] });
    const account = desk.open('a', '10000');
    const short = desk.open('b', '100000');
    desk.index(60_000);
    desk.core.setLeverage(account, BTC, '7', ++desk.now);
    desk.deal(account, short, { side: 'buy', quantity: 0.3, price: 60_000 });
    // M = ⌈18 000 / 7⌉ = 2 571.42857143; bankrupt at 15 428.57142857 / 0.3 = 51 428.5714 → 51 428.6.
    desk.mark(51_000);
    expect(desk.forced(account)[0]?.fills[0]?.ticks).toBe(514_286);
    // 0.3 × 51 428.6 − 18 000 + M = 0.00857143, which stays.
    expect(desk.cash(account)).toBe(usd('7428.58'));
    expect(desk.core.badDebt('USD')).toBe(0n);
  });

  it('rounds a short down', () => {
    const desk = new RiskDesk({ markets: [NO_FEES] });
    const account = desk.open('a', '10000');
    const long = desk.open('b', '100000');
    desk.index(60_000);
    desk.core.setLeverage(account, BTC, '7', ++desk.now);
    desk.deal(account, long, { side: 'sell', quantity: 0.3, price: 60_000 });
    // Bankrupt at 20 571.42857143 / 0.3 = 68 571.4285 → 68 571.4.
    desk.mark(69_000);
    expect(desk.forced(account)[0]?.fills[0]?.ticks).toBe(685_714);
    expect(desk.cash(account)).toBe(usd('7428.58'));
  });

  it('closes no more of the others than the bankrupt position is large, and their reduce-only orders with it', () => {
    const desk = new RiskDesk({ markets: [NO_FEES] });
    const account = desk.open('a', '10000');
    const first = desk.open('b', '1000');
    const second = desk.open('c', '100000');
    desk.index(60_000);
    desk.core.setLeverage(account, BTC, '5', ++desk.now);
    desk.deal(account, first, { side: 'buy', quantity: 0.05, price: 60_000 });
    desk.deal(account, second, { side: 'buy', quantity: 0.15, price: 60_000 });
    desk.deal(desk.core.street, second, { side: 'buy', quantity: 0.25, price: 60_000 });
    const takesProfit = desk.buy(first, 0.05, 40_000, { reduceOnly: true });
    // M 2 400: bankrupt at 48 000.
    desk.mark(47_000);
    expect(desk.core.position(account, BTC).lots).toBe(0);
    expect(desk.core.position(first, BTC).lots).toBe(0);
    expect(takesProfit.doneReason).toBe('position closed');
    expect(desk.core.position(second, BTC).lots).toBe(-250);
    // 1 000 + 0.05 × 12 000, and 100 000 + 0.15 × 12 000.
    expect([first, second].map((each) => desk.cash(each))).toEqual([usd('1600'), usd('101800')]);
    expect(brokenLaws(desk.core)).toEqual([]);
  });

  it('draws nobody below 0: what a holder cannot pay for goes to the provider', () => {
    const eth = exampleEth({ fees: { maker: '0', taker: '0', liquidation: '0.003' } });
    const desk = new RiskDesk({ markets: [NO_FEES, eth] });
    const { street } = desk.core;
    const bankrupt = desk.open('a', '2000');
    const holder = desk.open('b', '1000');
    desk.index(60_000);
    desk.index(2_500, ETH);
    desk.deal(bankrupt, holder, { side: 'sell', quantity: 0.31, price: 60_000 });
    desk.deal(bankrupt, street, { side: 'buy', quantity: 7, price: 2_500 }, ETH);
    // The loss of 3 500 is made on ETH, the largest position is the BTC short: bankrupt at (18 600 − 1 500) / 0.31 =
    // 55 161.29. At 55 161.2 a long loses 4 838.8 for each BTC, of which 1 000 pay for 0.206.
    desk.mark(2_000, ETH);
    expect(desk.forced(bankrupt)[0]?.fills[0]).toMatchObject({ lots: 206, ticks: 551_612 });
    expect(desk.cash(holder)).toBeLessThan(usd('10'));
    expect(desk.core.badDebt('USD')).toBe(0n);
    for (const account of [bankrupt, holder]) expect(desk.core.position(account, BTC).lots).toBe(0);
    // 0.104 of the bankrupt short, and what `b` had left and could not keep.
    expect(desk.core.position(desk.provider(), BTC).lots).toBe(0);
    expect(brokenLaws(desk.core)).toEqual([]);
  });
});
