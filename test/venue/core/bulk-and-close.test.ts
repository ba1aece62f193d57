import { describe, expect, it } from 'vitest';
import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { PlaceRequest } from '../../../src/venue/core/commands.js';
import { type Ask, BTC, btcMarket, Desk, ETH, ethMarket, termsOf, waitFor } from './desk.js';

const market = btcMarket();
const request = (ask: Ask): PlaceRequest => ({
  pair: BTC,
  terms: termsOf(market, ask),
  options: ask.options,
  tag: ask.tag,
});
const mark = (desk: Desk, price: number) =>
  desk.core.setMark(BTC, Math.round(price * 10) as Ticks, ++desk.now);

describe('a bulk order', () => {
  it('enters its members in order', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(b, 1.5, 100);
    const placed = desk.core.placeMany(
      a,
      [
        request({ side: 'buy', quantity: 1, price: 100 }),
        request({ side: 'buy', quantity: 1, price: 101 }),
        request({ side: 'sell', quantity: 1, price: 100, postOnly: true }),
        request({ side: 'sell', quantity: 1, price: 102, options: waitFor(90) }),
      ],
      ++desk.now,
    );
    if (placed.kind === 'refused') throw new Error(placed.reason);
    // The second has 0.5 left at 101, above the third's 100, which cannot rest across its own account's order.
    expect(placed.orders.map(({ status, message }) => message ?? status)).toEqual([
      'completed',
      'active',
      'self-trade',
      'untriggered',
    ]);
    expect(placed.orders.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5]);
  });

  it('is refused whole when one member is: no record, no id, no reserve', () => {
    const desk = new Desk();
    // 5 USD of fees and margin: enough for two orders of 1 at 100 (im 1.01 and fee 0.06 each), not for five.
    const a = desk.open('a', '5');
    const one = request({ side: 'buy', quantity: 1, price: 100 });
    const refused = desk.core.placeMany(a, [one, one, one, one, one], ++desk.now);
    expect(refused.kind === 'refused' && refused.reason).toMatch(
      /^insufficient balance: needs .* \(order 5 of 5\)$/,
    );
    expect(desk.core.orders(a, 'all')).toEqual([]);
    expect(desk.core.available(a, 'USD')).toBe(500_000_000n);
    expect(desk.core.depth(BTC).bids).toEqual([]);
    const accepted = desk.core.placeMany(a, [one, one], ++desk.now);
    expect(accepted.kind === 'accepted' && accepted.orders.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('counts its members together for the interest filter', () => {
    const desk = new Desk();
    const a = desk.open('a');
    const half = request({ side: 'buy', quantity: 26, price: 100 });
    const refused = desk.core.placeMany(a, [half, half], ++desk.now);
    expect(refused).toEqual({
      kind: 'refused',
      reason: 'interest exceeded: 52 is not within 0 to 50 (order 2 of 2)',
    });
    expect(desk.core.placeMany(a, [half], ++desk.now).kind).toBe('accepted');
  });

  it('has 1 to 50 orders, one market, and no reduce-only order in it', () => {
    const desk = new Desk({ markets: [{ market }, { market: ethMarket() }] });
    const a = desk.open('a');
    const one = request({ side: 'buy', quantity: 0.001, price: 100 });
    const reasonOf = (requests: readonly PlaceRequest[]) => {
      const placed = desk.core.placeMany(a, requests, ++desk.now);
      return placed.kind === 'refused' ? placed.reason : `accepted: ${placed.orders.length}`;
    };
    expect(reasonOf([])).toMatch(/^bulk: not 1 to 50 orders: received 0$/);
    expect(reasonOf(Array.from({ length: 51 }, () => one))).toBe('bulk: not 1 to 50 orders: received 51');
    expect(reasonOf(Array.from({ length: 50 }, () => one))).toBe('accepted: 50');
    expect(reasonOf([one, { ...one, pair: ETH }])).toBe(`bulk: more than one market: ${BTC} and ${ETH}`);
    const reduce = request({ side: 'sell', quantity: 1, price: 100, reduceOnly: true });
    expect(reasonOf([one, reduce])).toBe('bulk: reduce-only inside: order 2 of 2');
    const close = request({
      side: 'sell',
      quantity: 1,
      options: waitFor(90, 'mark', { closeOnTrigger: true }),
    });
    expect(reasonOf([close])).toBe('bulk: reduce-only inside: order 1 of 1');
    expect(reasonOf([one, { ...one, terms: { ...one.terms, lots: 0 as Lots } }])).toBe(
      'quantity outside filter: 0 is not within 0.001 to 100 (order 2 of 2)',
    );
  });

  it('may be one oco group: a member that fills takes those that have not entered yet', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(b, 1, 100);
    const placed = desk.core.placeMany(
      a,
      [
        request({ side: 'buy', quantity: 1, price: 100, tag: 'x' }),
        request({ side: 'buy', quantity: 1, price: 99, tag: 'x' }),
        request({ side: 'buy', quantity: 1, price: 98, tag: 'x', options: waitFor(90) }),
      ],
      ++desk.now,
    );
    expect(
      placed.kind === 'accepted' && placed.orders.map(({ status, message }) => message ?? status),
    ).toEqual(['completed', 'oco sibling', 'oco sibling']);
    expect(desk.core.depth(BTC).bids).toEqual([]);
    // Nothing of them counts any more: im(100) = 1.01 of the position is all.
    expect(desk.core.margin(a, BTC).reserved).toBe(0n);
  });
});

describe('close', () => {
  function long(lots = 2) {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(b, lots, 100);
    desk.buy(a, lots, 100);
    return { desk, a, b };
  }

  it('is a reduce-only MARKET order of the whole position, against it', () => {
    const { desk, a, b } = long();
    desk.buy(b, 5, 99);
    const closed = desk.core.close(a, { pair: BTC }, ++desk.now);
    if (closed.kind === 'refused') throw new Error(closed.reason);
    const { order } = closed;
    expect([order.side, order.terms.type, order.terms.lots, order.terms.reduceOnly]).toEqual([
      'sell',
      'market',
      2000,
      true,
    ]);
    expect([order.status, order.lastTicks, desk.core.position(a, BTC).lots]).toEqual(['completed', 990, 0]);
  });

  it('takes a quantity and a limit price, and rests at it', () => {
    const { desk, a } = long();
    const closed = desk.core.close(a, { pair: BTC, lots: 500 as Lots, ticks: 1010 as Ticks }, ++desk.now);
    expect(closed.kind === 'accepted' && [closed.order.status, closed.order.leaves]).toEqual(['active', 500]);
    expect(desk.core.depth(BTC).asks).toEqual([{ ticks: 1010, lots: 500 }]);
  });

  it('buys a short back, and of a quantity above it no more than the position', () => {
    const { desk, a, b } = long();
    desk.sell(a, 10, 101);
    const closed = desk.core.close(b, { pair: BTC, lots: 5000 as Lots }, ++desk.now);
    expect(closed.kind === 'accepted' && [closed.order.filled, closed.order.message]).toEqual([
      2000,
      'position closed',
    ]);
  });

  it('closes a position larger than one order may be', () => {
    const desk = new Desk({
      markets: [{ market: btcMarket({ quantity: { min: '0.01', max: '2', step: '0.001' } }) }],
    });
    const [a, b] = [desk.open('a'), desk.open('b')];
    for (let n = 0; n < 2; n++) {
      desk.sell(b, 2, 100);
      desk.buy(a, 2, 100);
    }
    desk.buy(desk.core.street, 2, 99);
    desk.buy(desk.core.street, 2, 99);
    const closed = desk.core.close(a, { pair: BTC }, ++desk.now);
    expect(closed.kind === 'accepted' && closed.order.filled).toBe(4000);
    const refused = desk.core.close(b, { pair: BTC, lots: 2001 as Lots }, ++desk.now);
    expect(refused).toEqual({
      kind: 'refused',
      reason: 'quantity outside filter: 2.001 is not within 0.01 to 2',
    });
  });

  it('is refused without a position, and on an unknown pair', () => {
    const desk = new Desk();
    const a = desk.open('a');
    expect(desk.core.close(a, { pair: BTC }, ++desk.now)).toEqual({
      kind: 'refused',
      reason: `nothing to reduce: no position on ${BTC}`,
    });
    expect(desk.core.close(a, { pair: 'NONE' }, ++desk.now)).toEqual({
      kind: 'refused',
      reason: 'unknown pair: NONE',
    });
  });

  it('of a position that is worth less than nothing at the edge of the band is refused like any order', () => {
    const { desk } = long();
    const [c, d] = [desk.open('c', '50'), desk.open('d')];
    desk.sell(d, 10, 100);
    desk.buy(c, 10, 100);
    // 10 long from 100 with some 49 USD: at 90, the edge of the band around 100, equity would be below 0.
    mark(desk, 100);
    const closed = desk.core.close(c, { pair: BTC }, ++desk.now);
    expect(closed.kind === 'refused' && closed.reason).toMatch(/^insufficient balance: /);
  });
});

describe('spot', () => {
  const spot = btcMarket({ pair: 'BTC_USD', contract: 'spot' });
  const refusal = (ask: Ask) => {
    const desk = new Desk({ markets: [{ market: spot }] });
    return desk.refusal(desk.open('a'), ask, 'BTC_USD');
  };
  const buy = { side: 'buy', quantity: 1, price: 100 } as const;

  it('has no position to reduce, and no mark or index to wait for', () => {
    expect(refusal({ ...buy, reduceOnly: true })).toBe(
      'malformed: reduce_only must not go with BTC_USD, which is spot',
    );
    expect(refusal({ ...buy, options: waitFor(90, 'last', { closeOnTrigger: true }) })).toBe(
      'malformed: close_on_trigger must not go with BTC_USD, which is spot',
    );
    for (const event of ['mark', 'index'] as const) {
      expect(refusal({ ...buy, options: waitFor(90, event) })).toBe(
        'malformed: trigger_event must be LAST_PRICE on BTC_USD, which is spot',
      );
    }
    expect(refusal({ ...buy, options: waitFor(90, 'last') })).toBe('accepted: untriggered');
  });
});
