import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/model/grid.js';
import { QueueModel } from '../../../src/venue/tape/queue-model.js';
import { BTC, btcMarket, Desk, usd } from './desk.js';

interface TapeDesk extends Desk {
  print(price: number, quantity: number, aggressor: 'buy' | 'sell'): void;
}

/** A tape whose touch is 99.9 / 100.1 after two prints; the model is the real one. */
function tapeDesk(): TapeDesk {
  const desk = newTape();
  desk.print(100.1, 1, 'buy');
  desk.print(99.9, 1, 'sell');
  return desk;
}

function newTape(): TapeDesk {
  const desk = new Desk({
    markets: [{ market: btcMarket(), tape: (market, sink) => new QueueModel({ market, sink }) }],
  });
  let id = 500;
  const print = (price: number, quantity: number, aggressor: 'buy' | 'sell') =>
    desk.core.print(BTC, {
      id: String(++id),
      time: ++desk.now,
      price,
      quantity,
      isBuyerMaker: aggressor === 'sell',
    });
  return Object.assign(desk, { print });
}

describe('an order on a tape', () => {
  it('rests below the touch and fills at its limit, as maker, when a print goes through it', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const order = desk.buy(a, 2, 99.8);
    expect([order.status, order.isTaking]).toEqual(['active', false]);
    desk.print(99.7, 1.5, 'sell');
    const [fill] = desk.core.fills(a);
    expect(fill).toMatchObject({ lots: 1500, ticks: 998, liquidity: 'maker', fee: usd('0.02994') });
    expect(desk.core.depth(BTC).bids[0]).toEqual({ ticks: 998, lots: 500 });
    desk.print(99.7, 5, 'sell');
    expect(order.status).toBe('completed');
    expect(desk.core.position(desk.core.street, BTC).lots).toBe(-2000);
  });

  it('leaves the recorded trades alone: they are the public ones, whatever the clients do', () => {
    const desk = tapeDesk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.buy(a, 2, 99.8);
    desk.sell(b, 1, 99.8);
    desk.print(99.7, 1.5, 'sell');
    expect(desk.core.trades(BTC).map(({ id, price }) => [id, price])).toEqual([
      ['503', 99.7],
      ['502', 99.9],
      ['501', 100.1],
    ]);
    // The fills have ids of their own, ascending; both sides of one have the same.
    expect(desk.core.fills(a).map(({ id }) => id)).toEqual(['2', '1']);
    expect(desk.core.fills(b).map(({ id }) => id)).toEqual(['1']);
  });

  it('meets the resting orders of other clients first, by price and time, and prints for what is left', () => {
    const desk = tapeDesk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    const maker = desk.buy(a, 1, 100);
    const taker = desk.sell(b, 3, 99.5);
    expect([maker.doneReason, taker.filled, taker.isTaking]).toEqual(['filled', 1000, true]);
    desk.print(99.9, 5, 'sell');
    expect([taker.doneReason, taker.lastTicks]).toEqual(['filled', 999]);
  });

  it('as MARKET waits ten seconds for prints of its side and then finds no liquidity', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const order = desk.buy(a, 2);
    const placedAt = desk.now;
    desk.print(100, 5, 'sell');
    expect(order.filled).toBe(0);
    desk.print(100.2, 0.5, 'buy');
    expect([order.filled, order.lastTicks]).toEqual([500, 1002]);
    desk.core.advance(placedAt + 9_999);
    expect(order.status).toBe('active');
    desk.core.advance(placedAt + 10_000);
    expect([order.doneReason, order.updatedAt]).toEqual(['no liquidity', placedAt + 10_000]);
  });

  it('as a marketable limit takes for a second and rests with what is left', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const order = desk.buy(a, 2, 100.1);
    expect(order.isTaking).toBe(true);
    expect(desk.core.depth(BTC).bids[0]?.ticks).toBe(999);
    desk.core.advance(desk.now + 1_000);
    expect([order.isTaking, order.status]).toEqual([false, 'active']);
    expect(desk.core.depth(BTC).bids[0]).toEqual({ ticks: 1001, lots: 2000 });
  });

  it('that goes from taking to resting first meets what other clients have put there meanwhile', () => {
    const desk = tapeDesk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    const taker = desk.buy(a, 2, 100.1);
    const maker = desk.sell(b, 0.5, 100);
    expect([maker.status, maker.filled]).toEqual(['active', 0]);
    desk.core.advance(desk.now + 1_000);
    expect([maker.doneReason, taker.filled, taker.lastTicks]).toEqual(['filled', 500, 1000]);
    expect(desk.core.touch(BTC).ask).toBe(1001);
  });

  it('ends as IOC remainder or FOK cannot fill when its second is over', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const ioc = desk.buy(a, 2, 100.1, { timeInForce: 'IOC' });
    const fok = desk.buy(a, 2, 100.1, { timeInForce: 'FOK' });
    desk.print(100.1, 1, 'buy');
    desk.core.advance(desk.now + 1_000);
    expect([ioc.filled, ioc.doneReason]).toEqual([1000, 'IOC remainder']);
    expect([fok.filled, fok.doneReason]).toEqual([0, 'FOK cannot fill']);
  });

  it('fills as FOK with the print by which there is enough, in one step', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const fok = desk.buy(a, 2, 100.2, { timeInForce: 'FOK' });
    desk.print(100.1, 1.5, 'buy');
    expect([fok.status, fok.filled]).toEqual(['active', 0]);
    desk.print(100.2, 1.5, 'buy');
    expect([fok.filled, fok.doneReason, fok.updatedAt]).toEqual([2000, 'filled', desk.now]);
  });

  it('that only reduces ends as FOK cannot fill where the position is smaller, whatever was printed', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    desk.buy(a, 2);
    desk.print(100.1, 1, 'buy');
    const fok = desk.sell(a, 2, 99, { timeInForce: 'FOK', reduceOnly: true });
    desk.print(99.9, 5, 'sell');
    expect([fok.status, fok.filled]).toEqual(['active', 0]);
    desk.print(100.1, 1, 'buy');
    expect(desk.core.position(a, BTC).lots).toBe(2000);
    desk.core.advance(desk.now + 1_000);
    expect([fok.filled, fok.doneReason]).toEqual([0, 'FOK cannot fill']);
  });

  it('passes an own order that the street stands before, and ends at it once prints come there', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const own = desk.buy(a, 1, 98);
    // The street bids 99.9.
    const market = desk.sell(a, 3);
    const limit = desk.sell(a, 1, 97);
    expect([market.status, limit.status]).toEqual(['active', 'active']);
    desk.print(99.9, 2, 'sell');
    expect([market.filled, limit.filled, own.filled]).toEqual([2000, 0, 0]);
    desk.print(98, 0.5, 'sell');
    expect([market.filled, market.doneReason]).toEqual([2000, 'self-trade']);
    expect([limit.filled, limit.doneReason]).toEqual([0, 'self-trade']);
    expect(own.status).toBe('active');
  });

  it('ends at an own order that stands before the street, or where nobody knows the street', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    desk.sell(a, 1, 100);
    expect(desk.buy(a, 1).doneReason).toBe('self-trade');
    const blind = newTape();
    blind.print(100, 1, 'sell');
    const b = blind.open('b');
    blind.sell(b, 1, 105);
    expect(blind.buy(b, 1).doneReason).toBe('self-trade');
  });

  it('that has not filled in its window does not come to rest across an own order', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    desk.buy(a, 1, 98);
    const limit = desk.sell(a, 1, 97);
    desk.core.advance(desk.now + 1_000);
    expect([limit.filled, limit.doneReason]).toEqual([0, 'self-trade']);
  });

  it('as post-only is decided by the touch', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    expect(desk.buy(a, 1, 100.1, { postOnly: true }).doneReason).toBe('post-only would trade');
    expect(desk.sell(a, 1, 99.9, { postOnly: true }).doneReason).toBe('post-only would trade');
    expect(desk.buy(a, 1, 100, { postOnly: true }).status).toBe('active');
    // Its own order stands before the street.
    expect(desk.sell(a, 1, 99.9, { postOnly: true }).doneReason).toBe('self-trade');
  });

  it('as post-only does not rest beyond all prints while they are of one aggressor', () => {
    const reasonAfter = (aggressor: 'buy' | 'sell', side: 'buy' | 'sell', price: number) => {
      const desk = newTape();
      desk.print(100, 1, aggressor);
      return desk.accept(desk.open('a'), { side, quantity: 1, price, postOnly: true }).doneReason;
    };
    for (const aggressor of ['buy', 'sell'] as const) {
      expect(reasonAfter(aggressor, 'buy', 101)).toBe('post-only would trade');
      expect(reasonAfter(aggressor, 'sell', 99)).toBe('post-only would trade');
      expect(reasonAfter(aggressor, 'buy', 99)).toBeUndefined();
      expect(reasonAfter(aggressor, 'sell', 101)).toBeUndefined();
    }
    expect(reasonAfter('sell', 'buy', 100.1)).toBe('post-only would trade');
    expect(reasonAfter('sell', 'buy', 100)).toBeUndefined();
    expect(reasonAfter('buy', 'sell', 99.9)).toBe('post-only would trade');
    expect(reasonAfter('buy', 'sell', 100)).toBeUndefined();
  });

  it('waits for its own aggressor beyond all prints while they are of the other one', () => {
    const desk = newTape();
    desk.print(100, 1, 'sell');
    const order = desk.buy(desk.open('a'), 1, 102);
    desk.print(100, 9, 'sell');
    expect(order.filled).toBe(0);
    desk.print(100.1, 9, 'buy');
    expect([order.doneReason, order.lastTicks]).toEqual(['filled', 1001]);
  });

  it('is cancelled while it takes and while it rests, and no later print fills it', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const taking = desk.buy(a, 1);
    const resting = desk.buy(a, 1, 99.8);
    expect(desk.core.cancelMany(a, undefined, desk.now)).toEqual([taking, resting]);
    desk.print(99, 50, 'buy');
    desk.print(99, 50, 'sell');
    expect(desk.core.fills(a)).toEqual([]);
  });

  it('that reduces only executes what the position allows, and the others go with it', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    desk.buy(a, 1);
    desk.print(100.1, 1, 'buy');
    const take = desk.sell(a, 3, 100.5, { reduceOnly: true });
    const spare = desk.sell(a, 3, 100.6, { reduceOnly: true });
    desk.print(100.7, 50, 'buy');
    expect([take.filled, take.doneReason]).toEqual([1000, 'position closed']);
    expect([spare.filled, spare.doneReason]).toEqual([0, 'position closed']);
    expect(desk.core.position(a, BTC).lots).toBe(0);
  });

  it('is refused a cancel once its window was over, even if nobody looked meanwhile', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const order = desk.buy(a, 1);
    expect(desk.core.cancel(a, order.id, desk.now + 10_000)).toEqual({
      kind: 'refused',
      reason: `order already done: ${order.id} is CANCELLED`,
    });
  });

  it('finds no liquidity before the first print', () => {
    const desk = new Desk({
      markets: [{ market: btcMarket(), tape: (market, sink) => new QueueModel({ market, sink }) }],
    });
    expect(desk.buy(desk.open('a'), 1).doneReason).toBe('no liquidity');
  });
});

describe('the prints of a tape', () => {
  it('end what was due before them, before they become public', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    desk.buy(a, 1);
    const heard: string[] = [];
    desk.core.onTrade((_, { id }) => heard.push(`trade ${id}`));
    desk.core.onDone((_, reason) => heard.push(reason));
    desk.now += 20_000;
    desk.print(100, 1, 'buy');
    expect(heard).toEqual(['no liquidity', 'trade 503']);
  });

  it('are the mark, rounded half-even to the tick when they lie off it', () => {
    const desk = tapeDesk();
    desk.print(100.25, 1, 'buy');
    expect(desk.core.mark(BTC)).toBe(1002);
    desk.print(100.35, 1, 'buy');
    expect(desk.core.mark(BTC)).toBe(1004);
    desk.core.setMark(BTC, 900 as Ticks, desk.now);
    desk.print(100.5, 1, 'buy');
    expect(desk.core.mark(BTC)).toBe(900);
  });

  it('fill the same through the path that records nothing', () => {
    const recorded = tapeDesk();
    const bare = tapeDesk();
    const orders = [recorded, bare].map((desk) => desk.buy(desk.open('a'), 2, 99.8));
    recorded.print(99.7, 1.5, 'sell');
    bare.core.matcher(BTC).printScalars(++bare.now, 99.7, 1.5, true);
    expect(orders.map((order) => order.fills.map(({ lots, ticks, time }) => [lots, ticks, time]))).toEqual([
      [[1500, 998, recorded.now]],
      [[1500, 998, recorded.now]],
    ]);
    expect(bare.core.trades(BTC)).toHaveLength(2);
    expect(bare.core.mark(BTC)).toBe(997);
  });

  it('are refused by a book market', () => {
    const desk = new Desk();
    const print = { id: '1', time: 1, price: 1, quantity: 1, isBuyerMaker: true };
    expect(() => desk.core.print(BTC, print)).toThrow(/must be a tape market/);
  });
});
