/** Positions of the worked examples of `money.md` §15. The examples themselves check their numbers. */
import type { Account } from '../../../src/venue/core/account.js';
import { BTC, ETH } from './desk.js';
import { exampleBtc, exampleEth, PRICING, RiskDesk } from './risk-desk.js';

const HOUR = 3_600_000;
export const FREE = { maker: '0', taker: '0', liquidation: '0' } as const;

/** Example A: isolated long 0.5 BTC from 60 000 as taker at leverage 10; deposit 10 000. */
export function exampleA(
  insurance: string,
  seller?: (desk: RiskDesk) => Account,
  side: 'buy' | 'sell' = 'buy',
) {
  const desk = new RiskDesk({ insurance });
  const account = desk.open('a', '10000');
  const other = seller?.(desk) ?? desk.core.street;
  desk.index(60_000);
  desk.core.setLeverage(account, BTC, '10', ++desk.now);
  desk.deal(account, other, { side, quantity: 0.5, price: 60_000 });
  return { desk, account, other };
}

/** Example C: cross long 1 BTC from 60 000 and short 10 ETH from 2 500, cash 8 000 after the fees of 36 and 15. */
export function exampleC() {
  const desk = new RiskDesk({ markets: [exampleBtc(), exampleEth()] });
  const account = desk.open('a', '8051');
  const { street } = desk.core;
  desk.index(60_000);
  desk.index(2_500, ETH);
  desk.deal(account, street, { side: 'buy', quantity: 1, price: 60_000 });
  desk.deal(account, street, { side: 'sell', quantity: 10, price: 2_500 }, ETH);
  return { desk, account, street };
}

/** Example F: a market whose fair price is 30 above an index of 60 000 for the whole hour: premium 0.0005. No fees. */
export function exampleF() {
  const desk = new RiskDesk({
    markets: [exampleBtc({ pricing: { ...PRICING, fairQuantity: '1', markEmaRange: 1 }, fees: FREE })],
    start: 100 * HOUR + 500,
  });
  const { street } = desk.core;
  desk.buy(street, 2, 60_020);
  desk.sell(street, 2, 60_040);
  desk.index(60_000);
  return desk;
}
