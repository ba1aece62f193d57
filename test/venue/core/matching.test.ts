import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/model/grid.js';
import { BTC, btcMarket, Desk, usd } from './desk.js';

const lotsAt = (side: readonly { ticks: number; lots: number }[]) =>
  side.map(({ ticks, lots }) => [ticks, lots]);

describe('price, then time', () => {
  it('serves the best price first and the older order first, each at the resting price', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    const far = desk.sell(a, 1, 102);
    const older = desk.sell(a, 1, 101);
    const younger = desk.sell(b, 1, 101);
    const taker = desk.buy(c, 2.5, 103);
    expect(desk.core.fills(c).map(({ ticks, lots }) => [ticks, lots])).toEqual([
      [1020, 500],
      [1010, 1000],
      [1010, 1000],
    ]);
    expect([older.status, younger.status, far.status, taker.status]).toEqual([
      'completed',
      'completed',
      'active',
      'completed',
    ]);
    expect(far.leaves).toBe(500);
    expect(taker.lastTicks).toBe(1020);
  });

  it('keeps the place of an order that was hit, and loses the place of one that was cancelled', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    const first = desk.buy(a, 2, 100);
    const second = desk.buy(b, 2, 100);
    desk.sell(c, 1, 100);
    expect([first.leaves, second.leaves]).toEqual([1000, 2000]);
    desk.core.cancel(a, first.id, desk.now);
    desk.buy(a, 2, 100);
    desk.sell(c, 2, 100);
    expect(second.status).toBe('completed');
  });

  it('tells every listener in the order of what happened, with contiguous trade ids', () => {
    const desk = new Desk({ markets: [{ market: btcMarket(), firstTradeId: 41 }] });
    const [a, b] = [desk.open('a'), desk.open('b')];
    const heard: string[] = [];
    desk.core.onTrade((pair, { id, price, quantity, isBuyerMaker, time }) =>
      heard.push(`${pair} ${id} ${price} ${quantity} ${isBuyerMaker} ${time}`),
    );
    desk.core.onFill((order, { id, liquidity }) => heard.push(`fill ${id} of ${order.id} as ${liquidity}`));
    const silence = desk.core.onDone((order, reason) => heard.push(`${order.id} ${reason}`));
    desk.sell(a, 0.5, 100.1);
    desk.sell(a, 0.5, 100.2);
    desk.buy(b, 0.75, 101);
    silence();
    desk.buy(b, 0.25, 101);
    expect(heard).toEqual([
      `${BTC} 41 100.1 0.5 false 1000003`,
      'fill 41 of 1 as maker',
      'fill 41 of 3 as taker',
      '1 filled',
      `${BTC} 42 100.2 0.25 false 1000003`,
      'fill 42 of 2 as maker',
      'fill 42 of 3 as taker',
      '3 filled',
      `${BTC} 43 100.2 0.25 false 1000004`,
      'fill 43 of 2 as maker',
      'fill 43 of 4 as taker',
    ]);
    expect(desk.core.trades(BTC).map(({ id }) => id)).toEqual(['43', '42', '41']);
  });

  it('lets no listener command the core in the middle of a match', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.core.onFill(() => desk.sell(a, 1, 200));
    desk.sell(a, 1, 100);
    expect(() => desk.buy(b, 1, 100)).toThrow(/must not command/);
  });
});

describe('times in force', () => {
  it('IOC takes what is there and goes', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 1, 100);
    const order = desk.buy(b, 3, 100, { timeInForce: 'IOC' });
    expect([order.filled, order.leaves, order.status, order.doneReason]).toEqual([
      1000,
      2000,
      'canceled',
      'IOC remainder',
    ]);
    expect(desk.core.depth(BTC)).toEqual({ bids: [], asks: [] });
  });

  it('FOK takes all of it or nothing', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 1, 100);
    desk.sell(a, 1, 101);
    desk.sell(a, 1, 102);
    const short = desk.buy(b, 2.001, 101, { timeInForce: 'FOK' });
    expect([short.filled, short.doneReason]).toEqual([0, 'FOK cannot fill']);
    const enough = desk.buy(b, 2, 101, { timeInForce: 'FOK' });
    expect([enough.filled, enough.doneReason]).toEqual([2000, 'filled']);
  });

  it('FOK counts a reduce-only order for what its position allows only', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(desk.core.street, 1, 100);
    desk.buy(a, 1, 100);
    desk.sell(a, 3, 101, { reduceOnly: true });
    desk.sell(a, 3, 102, { reduceOnly: true });
    expect(desk.buy(b, 1.001, 102, { timeInForce: 'FOK' }).doneReason).toBe('FOK cannot fill');
    expect(desk.buy(b, 1, 102, { timeInForce: 'FOK' }).doneReason).toBe('filled');
  });

  it('MARKET takes up to the edge of the band and never rests', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.core.setMark(BTC, 1000 as Ticks, desk.now);
    desk.sell(a, 1, 110);
    desk.sell(a, 1, 110.1);
    const order = desk.buy(b, 2);
    expect([order.filled, order.limitTicks, order.doneReason]).toEqual([1000, 1100, 'no liquidity']);
  });

  it('MARKET finds no liquidity where there is neither mark nor book, and the best price where there is no mark', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    expect(desk.buy(b, 1).doneReason).toBe('no liquidity');
    desk.sell(a, 1, 100);
    expect(desk.buy(b, 1).doneReason).toBe('filled');
  });
});

describe('post-only, band and self-trade', () => {
  it('cancels a post-only order that would trade, and lets one rest that would not', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 1, 100);
    expect(desk.buy(b, 1, 100, { postOnly: true }).doneReason).toBe('post-only would trade');
    expect(desk.buy(b, 1, 99.9, { postOnly: true }).status).toBe('active');
    expect(desk.core.fills(b)).toEqual([]);
  });

  it('cancels a post-only order that would rest across an order of its own', () => {
    const desk = new Desk();
    const a = desk.open('a');
    desk.sell(a, 1, 100);
    expect(desk.buy(a, 1, 100, { postOnly: true }).doneReason).toBe('self-trade');
  });

  it('bounds how much worse than the mark a limit may be, inward to the tick, and not how much better', () => {
    const desk = new Desk({ markets: [{ market: btcMarket(), band: '0.05' }] });
    const a = desk.open('a');
    // 100.1 × 1.05 = 105.105, 100.1 × 0.95 = 95.095.
    desk.core.setMark(BTC, 1001 as Ticks, desk.now);
    expect(desk.core.ticker(BTC, desk.now)).toMatchObject({ minTicks: 951, maxTicks: 1051 });
    expect(desk.buy(a, 1, 105.2).doneReason).toBe('outside the trading band');
    expect(desk.sell(a, 1, 95).doneReason).toBe('outside the trading band');
    expect(desk.buy(a, 1, 50).status).toBe('active');
    expect(desk.sell(a, 1, 150).status).toBe('active');
    expect(desk.buy(a, 1, 105.1).status).toBe('active');
  });

  it('trades with a better resting price outside the band', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 1, 100);
    desk.core.setMark(BTC, 2000 as Ticks, desk.now);
    const order = desk.buy(b, 1, 200);
    expect([order.doneReason, order.lastTicks]).toEqual(['filled', 1000]);
  });

  it('cancels the rest of an order that meets one of its own account, after what came before it', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 1, 100);
    const own = desk.sell(b, 1, 100);
    desk.sell(a, 1, 100);
    const order = desk.buy(b, 3, 100);
    expect([order.filled, order.doneReason, own.status]).toEqual([1000, 'self-trade', 'active']);
  });
});

describe('reduce-only', () => {
  it('is cancelled at once where there is nothing to reduce', () => {
    const desk = new Desk();
    const a = desk.open('a');
    expect(desk.sell(a, 1, 100, { reduceOnly: true }).doneReason).toBe('nothing to reduce');
    desk.sell(desk.core.street, 1, 100);
    desk.buy(a, 1, 100);
    expect(desk.buy(a, 1, 100, { reduceOnly: true }).doneReason).toBe('nothing to reduce');
  });

  it('executes at most the position, keeps its quantities, and goes with the position', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(desk.core.street, 1, 100);
    desk.buy(a, 1, 100);
    const take = desk.sell(a, 5, 102, { reduceOnly: true });
    const stop = desk.sell(a, 5, 101, { reduceOnly: true });
    const plain = desk.sell(a, 5, 103);
    desk.buy(b, 3, 101);
    expect(desk.core.position(a, BTC).lots).toBe(0);
    expect([stop.filled, stop.leaves, stop.doneReason]).toEqual([1000, 4000, 'position closed']);
    expect([take.filled, take.leaves, take.doneReason]).toEqual([0, 5000, 'position closed']);
    expect(plain.status).toBe('active');
    // What the buyer could not get rests.
    expect(lotsAt(desk.core.depth(BTC).bids)).toEqual([[1010, 2000]]);
  });

  it('goes when another order takes the position to the other side', () => {
    const desk = new Desk();
    const a = desk.open('a');
    desk.sell(desk.core.street, 1, 100);
    desk.buy(a, 1, 100);
    const order = desk.sell(a, 1, 105, { reduceOnly: true });
    desk.buy(desk.core.street, 3, 99);
    desk.sell(a, 3, 99);
    expect(desk.core.position(a, BTC).lots).toBe(-2000);
    expect(order.doneReason).toBe('position closed');
  });

  it('as a taker closes the position and leaves its remainder cancelled', () => {
    const desk = new Desk();
    const a = desk.open('a');
    desk.sell(desk.core.street, 1, 100);
    desk.buy(a, 1, 100);
    desk.buy(desk.core.street, 5, 99);
    const order = desk.sell(a, 3, undefined, { reduceOnly: true });
    expect([order.filled, order.leaves, order.doneReason]).toEqual([1000, 2000, 'position closed']);
  });

  it('is accepted with no money left', () => {
    const desk = new Desk();
    const a = desk.open('a', '100');
    desk.sell(desk.core.street, 0.1, 60_000);
    desk.buy(a, 0.1, 60_000);
    expect(desk.refusal(a, { side: 'buy', quantity: 0.001, price: 60_000 })).toMatch(
      /^insufficient balance: /,
    );
    expect(desk.refusal(a, { side: 'sell', quantity: 0.1, price: 60_500, reduceOnly: true })).toBe(
      'accepted: active',
    );
  });
});

describe('fees, discount and the insurance fund', () => {
  it('takes fees from both sides of customers and none from the street', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a', '1000'), desk.open('b', '1000')];
    desk.sell(a, 0.001, 100.1);
    desk.buy(b, 0.001, 100.1);
    // 0.1001 × 0.0002 = 0.00002002, × 0.0006 = 0.00006006.
    expect([desk.cash(a), desk.cash(b)]).toEqual([usd('999.99997998'), usd('999.99993994')]);
    expect(desk.core.account('fees')?.balances.get('USD')?.cash).toBe(usd('0.00008008'));
    desk.sell(desk.core.street, 1, 100);
    desk.buy(desk.core.street, 1, 100);
    expect(desk.core.account('fees')?.balances.get('USD')?.cash).toBe(usd('0.00008008'));
  });

  it('rounds a paid fee up and a rebate down, to the unit', () => {
    const market = btcMarket({ quotePrecision: 4, fees: { maker: '-0.00001', taker: '0.00001' } });
    const desk = new Desk({ markets: [{ market }] });
    const [a, b] = [desk.core.openAccount('a', { USD: '1000' }), desk.core.openAccount('b', { USD: '1000' })];
    // 15 × 0.00001 = 0.00015: a unit is 0.0001.
    desk.sell(a, 0.1, 150);
    desk.buy(b, 0.1, 150);
    const [paid] = desk.core.fills(b);
    const [got] = desk.core.fills(a);
    expect([paid?.fee, got?.fee]).toEqual([2n, -1n]);
  });

  it('discounts fees, not rebates, while the account holds the asset', () => {
    const market = btcMarket({ fees: { maker: '-0.0001', taker: '0.0006' } });
    const desk = new Desk({
      markets: [{ market }],
      commissionDiscount: { rate: '0.25', assets: ['EVE'] },
    });
    const holder = desk.core.openAccount('holder', { USD: '1000', EVE: '1' });
    const other = desk.open('other');
    desk.sell(other, 1, 100);
    desk.buy(holder, 1, 100);
    desk.sell(holder, 1, 100);
    desk.buy(other, 1, 100);
    const [rebate, discounted] = desk.core.fills(holder);
    expect([discounted?.fee, discounted?.grossFee]).toEqual([usd('0.045'), usd('0.06')]);
    expect([rebate?.fee, rebate?.grossFee]).toEqual([usd('-0.01'), usd('-0.01')]);
    const [full] = desk.core.fills(other);
    expect([full?.fee, full?.grossFee]).toEqual([usd('0.06'), usd('0.06')]);
  });

  it.each([
    ['30', '0', '0.46'],
    ['20', '-9.54', '0'],
  ])('makes an account whole that owes money and has no position, as far as a fund of %s goes', (fund, cash, left) => {
    const desk = new Desk({ insurance: { USD: fund } });
    const a = desk.open('a', '280');
    desk.sell(desk.core.street, 0.2, 60_000);
    desk.buy(a, 0.2, 60_000);
    // Each alone loses 150 of the 272.8 that are left, which is allowed; both together do not have to be.
    desk.sell(a, 0.1, 58_500, { reduceOnly: true });
    desk.sell(a, 0.1, 58_500, { reduceOnly: true });
    desk.buy(desk.core.street, 0.2, 58_500);
    // 272.8 − 300 − 2 × 1.17 of maker fees = −29.54.
    expect(desk.core.position(a, BTC).lots).toBe(0);
    expect(desk.cash(a)).toBe(usd(cash));
    expect(desk.core.account('insurance')?.balances.get('USD')?.cash).toBe(usd(left));
  });
});
