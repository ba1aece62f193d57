import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/model/grid.js';
import type { Account } from '../../../src/venue/core/account.js';
import { BTC, btcMarket, Desk, waitFor } from './desk.js';

const mark = (desk: Desk, price: number) =>
  desk.core.setMark(BTC, Math.round(price * 10) as Ticks, ++desk.now);

/** Two makers around 100, of the street, and a mark of 100. */
function market(): { desk: Desk; a: Account; b: Account } {
  const desk = new Desk();
  const [a, b] = [desk.open('a'), desk.open('b')];
  mark(desk, 100);
  desk.buy(desk.core.street, 10, 99);
  desk.sell(desk.core.street, 10, 101);
  return { desk, a, b };
}

const ids = (orders: readonly { id: string }[]) => orders.map(({ id }) => id);

describe('a waiting trigger', () => {
  it('is no working order: it is listed apart, reserves nothing and stands in no depth', () => {
    const { desk, a } = market();
    const before = desk.core.available(a, 'USD');
    const order = desk.buy(a, 5, 100, { options: waitFor(102) });
    expect([order.status, order.message, order.leaves]).toEqual(['untriggered', undefined, 5000]);
    expect(desk.core.triggers(a)).toEqual([order]);
    expect(desk.core.orders(a, 'all')).toEqual([]);
    expect(desk.core.order(a, order.id)).toBe(order);
    expect(desk.core.available(a, 'USD')).toBe(before);
    expect(desk.core.depth(BTC).bids.map(({ ticks }) => ticks)).toEqual([990]);
  });

  it('above the price waits for it to rise there, below for it to fall there, whatever its side', () => {
    for (const side of ['buy', 'sell'] as const) {
      for (const [trigger, towards, reached] of [
        [102, 101.9, 102],
        [102, 90, 103],
        [98, 98.1, 98],
        [98, 110, 97],
      ] as const) {
        const { desk, a } = market();
        const order = desk.accept(a, { side, quantity: 1, price: 100, options: waitFor(trigger) });
        mark(desk, towards);
        expect(order.status).toBe('untriggered');
        mark(desk, reached);
        expect(order.status).toBe('active');
        expect(desk.core.triggers(a)).toEqual([]);
        expect(desk.core.orders(a, 'active')).toEqual([order]);
      }
    }
  });

  it('at the price fires at once', () => {
    const { desk, a } = market();
    expect(desk.buy(a, 1, undefined, { options: waitFor(100) }).status).toBe('completed');
  });

  it('of a market that has no price yet takes its direction from the first one', () => {
    const desk = new Desk();
    const a = desk.open('a');
    const order = desk.buy(a, 1, 50, { options: waitFor(100) });
    mark(desk, 103);
    expect(order.status).toBe('untriggered');
    mark(desk, 100);
    expect(order.status).toBe('active');
  });

  it('watches the price of its event only', () => {
    const { desk, a, b } = market();
    const onMark = desk.buy(a, 1, 90, { options: waitFor(101) });
    const onLast = desk.buy(a, 1, 90, { options: waitFor(101, 'last') });
    // The first trade gives last price 101 and decides: at the price it fires at once.
    desk.buy(b, 1, 101);
    expect([onMark.status, onLast.status]).toEqual(['untriggered', 'active']);
    const later = desk.buy(a, 1, 90, { options: waitFor(99, 'last') });
    mark(desk, 99);
    expect(later.status).toBe('untriggered');
    desk.sell(b, 1, 99);
    expect(later.status).toBe('active');
    mark(desk, 101);
    expect(onMark.status).toBe('active');
  });

  it('is cancelled by id, alone or in a list, and not by a cancel of everything', () => {
    const { desk, a } = market();
    const [one, two] = [98, 97].map((price) => desk.buy(a, 1, 90, { options: waitFor(price) }));
    const working = desk.buy(a, 1, 95);
    expect(ids(desk.core.cancelMany(a, undefined, ++desk.now))).toEqual([working.id]);
    expect(ids(desk.core.cancelMany(a, [one?.id ?? '', working.id], ++desk.now))).toEqual([one?.id]);
    expect(desk.core.cancel(a, two?.id ?? '', ++desk.now).kind).toBe('canceled');
    expect(desk.core.triggers(a)).toEqual([]);
    expect(ids(desk.core.orders(a, 'canceled'))).toEqual([two?.id, one?.id, working.id]);
    mark(desk, 90);
    expect([one?.status, two?.status, two?.message]).toEqual(['canceled', 'canceled', undefined]);
  });
});

describe('firing', () => {
  it('goes by submission among those that one update meets, whatever their prices', () => {
    const { desk, a, b } = market();
    const first = desk.buy(a, 8, undefined, { options: waitFor(103) });
    const second = desk.buy(b, 8, undefined, { options: waitFor(102) });
    mark(desk, 104);
    expect([first.filled, second.filled]).toEqual([8000, 2000]);
    expect(second.message).toBe('no liquidity');
  });

  it('is caused by trades too, and what fires may make others fire', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    for (const price of [101, 102, 103]) desk.sell(desk.core.street, 1, price);
    const last = desk.buy(a, 1, undefined, { options: waitFor(102, 'last') });
    const next = desk.buy(a, 1, undefined, { options: waitFor(101, 'last') });
    // No trade yet: both wait for the first, at 101. `next` fires at it, takes 102, and so `last` fires.
    desk.buy(b, 1, 101);
    expect([next.lastTicks, last.lastTicks]).toEqual([1020, 1030]);
  });

  it('keeps id and quantity, and enters matching like a new order', () => {
    const { desk, a } = market();
    const order = desk.buy(a, 12, 101, { options: waitFor(102, 'mark', { hidden: true }) });
    const { id } = order;
    mark(desk, 102);
    expect([order.id, order.status, order.filled, order.leaves]).toEqual([id, 'active', 10000, 2000]);
    expect(desk.core.depth(BTC).bids.map(({ ticks }) => ticks)).toEqual([990]);
  });

  it('that the balance does not allow leaves it a trigger, cancelled, with the reason', () => {
    const { desk } = market();
    const poor = desk.open('poor', '5');
    const order = desk.buy(poor, 10, 100, { options: waitFor(102) });
    mark(desk, 102);
    expect(order.status).toBe('canceled');
    expect(order.message).toMatch(/^Order was rejected due to insufficient balance: needs /);
    expect(desk.core.triggers(poor)).toEqual([order]);
    expect(desk.core.orders(poor, 'all')).toEqual([]);
    const again = desk.core.cancel(poor, order.id, ++desk.now);
    expect(again).toEqual({ kind: 'refused', reason: `order already done: ${order.id} is CANCELLED` });
  });

  it('that comes to nothing in the book leaves it a trigger, cancelled, with the reason', () => {
    const reasonOf = (ask: Parameters<Desk['accept']>[1], at = 102) => {
      const { desk, a } = market();
      const order = desk.accept(a, { ...ask, options: waitFor(at) });
      mark(desk, at);
      expect([order.status, order.filled]).toEqual(['canceled', 0]);
      expect(desk.core.triggers(a)).toEqual([order]);
      expect(desk.core.orders(a, 'all')).toEqual([]);
      return order.message;
    };
    const buy = { side: 'buy', quantity: 1 } as const;
    expect(reasonOf({ ...buy, price: 101, postOnly: true })).toBe('post-only would trade');
    expect(reasonOf({ ...buy, quantity: 11, price: 101, timeInForce: 'FOK' })).toBe('FOK cannot fill');
    expect(reasonOf({ ...buy, price: 100, timeInForce: 'IOC' })).toBe('IOC remainder');
    expect(reasonOf({ ...buy, price: 120 })).toBe('outside the trading band');
    expect(reasonOf({ ...buy, price: 100, reduceOnly: true })).toBe('nothing to reduce');
    // The band around 80 ends at 88, below every offer.
    expect(reasonOf(buy, 80)).toBe('no liquidity');
  });

  it('that fills in part makes it an ordinary order, whatever ends it', () => {
    const { desk, a } = market();
    const order = desk.buy(a, 12, 101, { timeInForce: 'IOC', options: waitFor(102) });
    mark(desk, 102);
    expect([order.status, order.filled, order.message]).toEqual(['canceled', 10000, 'IOC remainder']);
    expect(desk.core.triggers(a)).toEqual([]);
    expect(desk.core.orders(a, 'canceled')).toEqual([order]);
  });

  it('does not reach an order that an earlier one of the same update took with it', () => {
    const { desk, a } = market();
    const first = desk.buy(a, 1, 100, { options: waitFor(102), tag: 'x' });
    const second = desk.buy(a, 1, 100, { options: waitFor(102), tag: 'x' });
    mark(desk, 102);
    expect([first.status, second.status, second.message]).toEqual(['active', 'canceled', 'oco sibling']);
  });
});

describe('close_on_trigger', () => {
  it('is reduce-only, and cancels the other working orders of its side before it enters', () => {
    const { desk, a } = market();
    desk.buy(a, 3, 101);
    const [other, tooMuch, buy] = [desk.sell(a, 1, 105), desk.sell(a, 9, 106), desk.buy(a, 1, 95)];
    const waiting = desk.sell(a, 1, 90, { options: waitFor(85) });
    const close = desk.sell(a, 5, undefined, { options: waitFor(98, 'mark', { closeOnTrigger: true }) });
    expect([close.status, close.terms.reduceOnly]).toEqual(['untriggered', true]);
    mark(desk, 98);
    expect([other.message, tooMuch.message, buy.status, waiting.status]).toEqual([
      'close on trigger',
      'close on trigger',
      'active',
      'untriggered',
    ]);
    expect(desk.core.position(a, BTC).lots).toBe(0);
    // It asked for 5 and could reduce by 3.
    expect([close.filled, close.leaves, close.message]).toEqual([3000, 2000, 'position closed']);
  });

  it('frees what the cancelled orders reserved, so that the close is not refused for them', () => {
    const { desk, a } = market();
    desk.buy(a, 3, 101);
    const before = desk.core.available(a, 'USD');
    desk.sell(a, 50, 105);
    expect(desk.core.available(a, 'USD')).toBeLessThan(before);
    const close = desk.sell(a, 3, undefined, { options: waitFor(99, 'mark', { closeOnTrigger: true }) });
    mark(desk, 99);
    expect(close.status).toBe('completed');
  });

  it('is malformed without a trigger price', () => {
    const { desk, a } = market();
    expect(
      desk.refusal(a, { side: 'sell', quantity: 1, price: 101, options: { closeOnTrigger: true } }),
    ).toBe('malformed: close_on_trigger must go with trigger_price');
  });
});

describe('refusals at submission', () => {
  it('are those of the request: a trigger price must be on the tick and within the filter', () => {
    const { desk, a } = market();
    const refusal = (ticks: number) =>
      desk.refusal(a, {
        side: 'buy',
        quantity: 1,
        price: 100,
        options: { trigger: { ticks: ticks as Ticks, event: 'mark' } },
      });
    expect(refusal(1000.5)).toBe('price off tick: trigger_price 100.05 is not a multiple of 0.1');
    expect(refusal(0)).toBe('price outside filter: trigger_price 0 is not within 0.1 to 1000000');
  });

  it('leave the account alone: interest and balance are looked at when it fires', () => {
    const desk = new Desk({
      markets: [{ market: btcMarket({ interest: { min: '0', max: '5', step: '0.001' } }) }],
    });
    const a = desk.open('a');
    mark(desk, 100);
    const order = desk.buy(a, 6, 90, { options: waitFor(101) });
    mark(desk, 101);
    expect(order.message).toBe('Order was rejected due to interest exceeded: 6 is not within 0 to 5');
  });
});
