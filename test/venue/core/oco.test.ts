import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/model/grid.js';
import type { Account, CoreOrder } from '../../../src/venue/core/account.js';
import { BTC, Desk, ETH, btcMarket, ethMarket, waitFor } from './desk.js';

const mark = (desk: Desk, price: number) =>
  desk.core.setMark(BTC, Math.round(price * 10) as Ticks, ++desk.now);

function market(): { desk: Desk; a: Account; b: Account } {
  const desk = new Desk();
  const [a, b] = [desk.open('a'), desk.open('b')];
  mark(desk, 100);
  return { desk, a, b };
}

const states = (...orders: CoreOrder[]) => orders.map(({ status, message }) => message ?? status);

describe('an oco group', () => {
  it('loses its other members with the first fill of one, even a partial one, before the next match', () => {
    const { desk, a, b } = market();
    const near = desk.sell(a, 1, 101, { tag: 'x' });
    const far = desk.sell(a, 1, 102, { tag: 'x' });
    const alien = desk.sell(a, 1, 103, { tag: 'y' });
    // Would have taken 102 next.
    const taker = desk.buy(b, 3, 103);
    expect(states(near, far, alien)).toEqual(['completed', 'oco sibling', 'completed']);
    expect([taker.filled, taker.leaves]).toEqual([2000, 1000]);
  });

  it('takes the others with a partial fill, and leaves the one that filled where it is', () => {
    const { desk, a, b } = market();
    const one = desk.sell(a, 1, 101, { tag: 'x' });
    const other = desk.buy(a, 1, 99, { tag: 'x' });
    desk.buy(b, 0.25, 101);
    expect(states(one, other)).toEqual(['active', 'oco sibling']);
    expect([one.leaves, other.leaves]).toEqual([750, 1000]);
    desk.buy(b, 0.75, 101);
    expect(one.status).toBe('completed');
  });

  it('is of one account and one pair', () => {
    const desk = new Desk({ markets: [{ market: btcMarket() }, { market: ethMarket() }] });
    const [a, b] = [desk.open('a'), desk.open('b')];
    const hit = desk.sell(a, 1, 101, { tag: 'x' });
    const otherPair = desk.accept(a, { side: 'sell', quantity: 1, price: 50, tag: 'x' }, ETH);
    const otherAccount = desk.sell(b, 1, 102, { tag: 'x' });
    desk.buy(desk.open('c'), 1, 101);
    expect(states(hit, otherPair, otherAccount)).toEqual(['completed', 'active', 'active']);
  });

  it('ends then: naming it again is refused, also when its members were cancelled or never rested', () => {
    const { desk, a, b } = market();
    desk.sell(a, 1, 101, { tag: 'filled' });
    desk.buy(b, 0.5, 101);
    const canceled = desk.sell(a, 1, 102, { tag: 'canceled' });
    desk.core.cancel(a, canceled.id, ++desk.now);
    desk.buy(a, 1, 90, { timeInForce: 'IOC', tag: 'done' });
    for (const tag of ['filled', 'canceled', 'done']) {
      expect(desk.refusal(a, { side: 'sell', quantity: 1, price: 103, tag })).toBe(`oco group ended: ${tag}`);
    }
    expect(desk.refusal(b, { side: 'sell', quantity: 1, price: 103, tag: 'filled' })).toBe(
      'accepted: active',
    );
  });

  it('is nothing to an order that is alone in it', () => {
    const { desk, a, b } = market();
    const alone = desk.sell(a, 1, 101, { tag: 'x' });
    desk.buy(b, 0.5, 101);
    expect(states(alone)).toEqual(['active']);
    desk.buy(b, 0.5, 101);
    expect(states(alone)).toEqual(['completed']);
  });

  it('goes on with the others when one is cancelled on request', () => {
    const { desk, a } = market();
    const [one, two] = [desk.sell(a, 1, 101, { tag: 'x' }), desk.sell(a, 1, 102, { tag: 'x' })];
    desk.core.cancel(a, one.id, ++desk.now);
    expect(states(two)).toEqual(['active']);
    const three = desk.sell(a, 1, 103, { tag: 'x' });
    desk.buy(desk.open('c'), 1, 102);
    expect(states(two, three)).toEqual(['completed', 'oco sibling']);
  });

  it('whose member takes at once loses the others before its second trade, own orders in its way included', () => {
    const { desk, a, b } = market();
    desk.sell(b, 1, 101);
    const own = desk.sell(a, 1, 102, { tag: 'x' });
    desk.sell(b, 1, 103);
    const taker = desk.buy(a, 2, 103, { tag: 'x' });
    expect(states(own, taker)).toEqual(['oco sibling', 'completed']);
  });

  it('does so for a fill-or-kill member too, whose dry run knows it', () => {
    const { desk, a, b } = market();
    desk.sell(b, 1, 101);
    const own = desk.sell(a, 1, 102, { tag: 'x' });
    desk.sell(b, 1, 103);
    const taker = desk.buy(a, 2, 103, { tag: 'x', timeInForce: 'FOK' });
    expect(states(own, taker)).toEqual(['oco sibling', 'completed']);
  });

  it('is seen by the dry run of a fill-or-kill order: members count until the first of them fills', () => {
    const { desk, a, b } = market();
    desk.sell(a, 1, 101, { tag: 'x' });
    desk.sell(a, 1, 102, { tag: 'x' });
    expect(states(desk.buy(b, 2, 102, { timeInForce: 'FOK' }))).toEqual(['FOK cannot fill']);
    expect(states(desk.buy(b, 1, 102, { timeInForce: 'FOK' }))).toEqual(['completed']);
  });
});

describe('an oco group with triggers', () => {
  it('loses the others when one fires and is accepted', () => {
    const { desk, a } = market();
    const limit = desk.buy(a, 1, 95, { tag: 'x' });
    const waiting = desk.buy(a, 1, 90, { tag: 'x', options: waitFor(97) });
    const fires = desk.buy(a, 1, 94, { tag: 'x', options: waitFor(103) });
    mark(desk, 103);
    expect(states(limit, waiting, fires)).toEqual(['oco sibling', 'oco sibling', 'active']);
    expect(desk.core.triggers(a)).toEqual([]);
  });

  it('keeps the others when one fires and comes to nothing', () => {
    const { desk, a, b } = market();
    desk.sell(b, 1, 101);
    const limit = desk.buy(a, 1, 95, { tag: 'x' });
    const fires = desk.buy(a, 2, 101, { tag: 'x', timeInForce: 'FOK', options: waitFor(103) });
    mark(desk, 103);
    expect(states(limit, fires)).toEqual(['active', 'FOK cannot fill']);
    expect(desk.core.triggers(a)).toEqual([fires]);
    expect(desk.refusal(a, { side: 'buy', quantity: 1, price: 94, tag: 'x' })).toBe('accepted: active');
  });
});

describe('the reduce-only members of a group', () => {
  /** `a` is long 2 and has a bracket: take profit at 105, stop at 95. */
  function bracket() {
    const { desk, a, b } = market();
    desk.sell(b, 10, 100);
    desk.buy(a, 2, 100);
    const profit = desk.sell(a, 2, 105, { reduceOnly: true, tag: 'x' });
    const stop = desk.sell(a, 2, undefined, { reduceOnly: true, tag: 'x', options: waitFor(95) });
    return { desk, a, b, profit, stop };
  }

  it('stay through a partial fill of one, and go when one is completed', () => {
    const { desk, b, profit, stop } = bracket();
    // Its own offers would stop it.
    desk.core.cancelMany(b, undefined, ++desk.now);
    desk.buy(b, 1, 105);
    expect(states(profit, stop)).toEqual(['active', 'untriggered']);
    expect(profit.leaves).toBe(1000);
    desk.buy(b, 1, 105);
    expect(states(profit, stop)).toEqual(['completed', 'oco sibling']);
  });

  it('go when the position is closed by something else, waiting ones too', () => {
    const { desk, a, b, profit, stop } = bracket();
    const lone = desk.sell(a, 1, undefined, { reduceOnly: true, tag: 'lone', options: waitFor(90) });
    const free = desk.sell(a, 1, undefined, { reduceOnly: true, options: waitFor(91) });
    desk.buy(b, 2, 99);
    desk.sell(a, 2, 99);
    expect(desk.core.position(a, BTC).lots).toBe(0);
    expect(states(profit, stop, lone, free)).toEqual([
      'position closed',
      'position closed',
      'untriggered',
      'untriggered',
    ]);
  });

  it('do not go with the others: the first fill cancels those that could open only', () => {
    const { desk, a, b, profit, stop } = bracket();
    const more = desk.buy(a, 1, 98, { tag: 'x' });
    desk.core.cancelMany(b, undefined, ++desk.now);
    desk.buy(b, 0.5, 105);
    expect(states(profit, stop, more)).toEqual(['active', 'untriggered', 'oco sibling']);
  });
});
