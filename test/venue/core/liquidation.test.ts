import { expect, test } from 'vitest';
import type { Account } from '../../../src/venue/core/account.js';
import { BTC, ETH, usd } from './desk.js';
import { exampleA, exampleC } from './example-positions.js';
import { brokenLaws } from './laws.js';
import { exampleBtc, exampleEth, RiskDesk } from './risk-desk.js';

test('a slice is flagged on the side of a customer who stood there too, whose order is an ordinary one', () => {
  const { desk } = exampleA('0');
  const buyer = desk.open('buyer');
  const bid = desk.buy(buyer, 1, 54_980);
  desk.mark(55_000);
  expect(bid.isLiquidation).toBe(false);
  // As maker: 0.0002 × 2 749.
  expect(bid.fills).toMatchObject([
    { lots: 50, isLiquidation: true, liquidity: 'maker', fee: usd('0.5498') },
  ]);
});

test('a group exactly at its maintenance margin is left alone, and a tick below it is not', () => {
  // Example A: lp 55 032.4.
  const { desk, account, other } = exampleA('0');
  desk.buy(other, 1, 55_000);
  desk.mark(55_032.4);
  expect(desk.forced(account)).toEqual([]);
  desk.mark(55_032.3);
  expect(desk.forced(account)).toHaveLength(1);
});

test('a liquidation cancels the working orders of its group, and of no other, while triggers wait on', () => {
  const desk = new RiskDesk({ markets: [exampleBtc(), exampleEth()] });
  const account = desk.open('a', '10000');
  const { street } = desk.core;
  desk.index(60_000);
  desk.index(2_500, ETH);
  desk.core.setLeverage(account, BTC, '10', ++desk.now);
  desk.deal(account, street, { side: 'buy', quantity: 0.5, price: 60_000 });
  const mine = desk.buy(account, 0.001, 54_900);
  const reduces = desk.sell(account, 0.1, 61_000, { reduceOnly: true });
  const elsewhere = desk.accept(account, { side: 'buy', quantity: 1, price: 2_400 }, ETH);
  const placed = desk.core.place(
    account,
    {
      pair: BTC,
      terms: { ...reduces.terms, type: 'market', ticks: undefined, timeInForce: 'IOC' },
      options: { trigger: { ticks: desk.ticks(50_000), event: 'mark' } },
    },
    ++desk.now,
  );
  desk.buy(street, 1, 54_980);
  desk.mark(55_000);
  expect([mine, reduces].map(({ doneReason }) => doneReason)).toEqual(['liquidation', 'liquidation']);
  expect(elsewhere.status).toBe('active');
  expect(placed.kind === 'accepted' && placed.order.status).toBe('untriggered');
});

test('slices go on, each of the present size, until the equity carries what is left', () => {
  const { desk, account, other } = exampleA('0');
  desk.buy(other, 1, 54_500);
  // E 260 of MM 507.8: each slice takes a tenth of the size off, and some 9 of fee and price off E.
  desk.mark(54_520);
  const sizes = desk.forced(account).map(({ terms }) => terms.lots);
  // 500 → 450 → 405 → 364 → 327 → 294: a tenth, rounded up to a lot.
  expect(sizes).toEqual([50, 45, 41, 37, 33]);
  expect(brokenLaws(desk.core)).toEqual([]);
});

test('a position below min_liquidate goes at once', () => {
  const desk = new RiskDesk();
  const account = desk.open('a', '100');
  desk.index(60_000);
  desk.core.setLeverage(account, BTC, '50', ++desk.now);
  desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.015, price: 60_000 });
  desk.buy(desk.core.street, 1, 59_000);
  // M 18; at 59 050 E = 18 − 14.25 = 3.75, MM = 885.75 × 0.005 + 0.39 = 4.82; N < 1 000.
  desk.mark(59_050);
  expect(desk.forced(account).map(({ terms }) => terms.lots)).toEqual([15]);
  // E after the slice: 18 − 15 = 3; the fee would be 2.655.
  expect(desk.forced(account)[0]?.fills[0]?.fee).toBe(usd('2.655'));
  expect(desk.margin(account)).toBe(0n);
  // 100 − 18 − taker fee 0.54 + what is left of M: 3 − 2.655.
  expect(desk.cash(account)).toBe(usd('81.805'));
});

test('the fee of a slice takes no more than the group has left', () => {
  const desk = new RiskDesk();
  const account = desk.open('a', '100');
  desk.index(60_000);
  desk.core.setLeverage(account, BTC, '50', ++desk.now);
  desk.deal(account, desk.core.street, { side: 'buy', quantity: 0.015, price: 60_000 });
  desk.buy(desk.core.street, 1, 58_900);
  // Sold at 58 900: 18 − 16.5 = 1.5 is left, less than the fee of 0.003 × 883.5.
  desk.mark(59_050);
  expect(desk.forced(account)[0]?.fills[0]?.fee).toBe(usd('1.5'));
  expect(desk.insurance()).toBe(usd('1.5'));
  expect(desk.cash(account)).toBe(usd('81.46'));
});

test('the fee of the first fill of a slice leaves what the rest may lose at its limit', () => {
  const desk = new RiskDesk();
  const account = desk.open('a', '100');
  const { street } = desk.core;
  desk.index(60_000);
  desk.core.setLeverage(account, BTC, '50', ++desk.now);
  desk.deal(account, street, { side: 'buy', quantity: 0.015, price: 60_000 });
  // Bankrupt at (900 − 18) / 0.015 = 58 800. The first bid is good, the second as bad as can be.
  desk.buy(street, 0.007, 59_050);
  desk.buy(street, 1, 58_800);
  desk.mark(59_050);
  // E stays 3.75 after the first fill, of which 0.008 × 250 = 2 is at risk: 1.24005 of fee is within what is left.
  // After the second E = 3.75 − 1.24005 − 2 = 0.50995, which is all that its fee can take.
  const fees = desk.forced(account).flatMap(({ fills }) => fills.map(({ fee }) => fee));
  expect(fees).toEqual([usd('1.24005'), usd('0.50995')]);
  expect(desk.core.badDebt('USD')).toBe(0n);
  expect(brokenLaws(desk.core)).toEqual([]);
});

test('a slice that nobody takes leads to a take-over', () => {
  const { desk, account } = exampleA('0');
  // E 500 > 0.5 × MM, but the book is empty.
  desk.mark(55_000);
  const provider = desk.provider();
  expect(desk.core.position(provider, BTC).lots).toBe(500);
  expect(desk.cash(provider)).toBe(usd('500'));
  expect(desk.forced(account).map(({ doneReason }) => doneReason)).toEqual(['IOC remainder', 'filled']);
  expect(desk.cash(account)).toBe(usd('6982'));
});

test('a cross take-over ends with no position, no cash and no debt', () => {
  const { desk, account } = exampleC();
  desk.mark(2_600, ETH);
  // E = 8 000 − 6 900 − 1 000 = 100.
  desk.mark(53_100);
  expect(desk.core.position(account, BTC).lots).toBe(0);
  expect(desk.core.position(account, ETH).lots).toBe(0);
  expect(desk.cash(account)).toBe(0n);
  expect(desk.cash(desk.provider())).toBe(usd('100'));
  expect(brokenLaws(desk.core)).toEqual([]);
});

test('a share of the liquidation fee that is not insured goes to fees', () => {
  const market = exampleBtc({
    liquidation: {
      swapThreshold: '0.5',
      deleverageThreshold: '0',
      minLiquidate: '1000',
      liquidateThreshold: '0.1',
      insurancePercentage: '0.3',
    },
  });
  const desk = new RiskDesk({ markets: [market] });
  const account = desk.open('a', '10000');
  const { street } = desk.core;
  desk.index(60_000);
  desk.core.setLeverage(account, BTC, '10', ++desk.now);
  desk.deal(account, street, { side: 'buy', quantity: 0.5, price: 60_000 });
  desk.buy(street, 1, 54_980);
  desk.mark(55_000);
  expect(desk.insurance()).toBe(usd('2.4741'));
  // 18 of the entry.
  expect(desk.cash(desk.core.account('fees') as Account)).toBe(usd('23.7729'));
});
