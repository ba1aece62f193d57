import { describe, expect, it } from 'vitest';
import type { PlaceCommand } from '../../src/model/command.js';
import { QUANTITY_TAG } from '../../src/model/report.js';
import { flat, holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';
import { deskOf, onlyPlace, words } from '../support/desk.js';

/** A strategy that wants what the test says at each trade. */
function deskWanting() {
  const wants: (Want | undefined)[] = [];
  const desk = deskOf(() => ({ onTrade: () => wants.shift() }));
  let time = 0;
  return {
    ...desk,
    want(want: Want | undefined) {
      wants.push(want);
      return desk.trade(++time, 60_000);
    },
  };
}

describe('what the venue rejects', () => {
  const grid = (top: number) =>
    orders(
      Array.from({ length: 6 }, (_, i) => ({
        side: 'buy' as const,
        quantity: '0.001',
        price: String(top - i),
        postOnly: true,
      })),
    );
  const placesOf = (commands: readonly { readonly kind: string }[]) =>
    commands.filter((command): command is PlaceCommand => command.kind === 'place');

  it('together counts once: a grid is tried again as soon as one order is', () => {
    const desk = deskWanting();
    let time = 1_000;
    let places = placesOf(desk.want(grid(59_000)).commands);
    for (const pause of [1_000, 2_000, 4_000]) {
      expect(places).toHaveLength(6);
      for (const { intentId } of places) {
        expect(desk.reject(intentId, (time += 10)).commands).toEqual([]);
      }
      const first = time - 50;
      expect(desk.mark(first + pause - 1).commands).toEqual([]);
      time = first + pause;
      places = placesOf(desk.mark(time).commands);
    }
  });

  it('puts off no exit, however often it was rejected', () => {
    const desk = deskWanting();
    const bought = onlyPlace(desk.want(holdPosition('0.005')).commands);
    desk.accept(bought.intentId);
    desk.fill(bought);
    let places = placesOf(desk.want(grid(59_000)).commands);
    let time = 1_000;
    for (const pause of [1_000, 2_000, 4_000, 8_000]) {
      for (const { intentId } of places) desk.reject(intentId, time);
      time += pause;
      places = placesOf(desk.mark(time).commands);
    }
    for (const { intentId } of places) desk.reject(intentId, time);
    expect(words(desk.want(flat()).commands)).toEqual(['sell 5 reduce-only market']);
  });

  it('is put off, ever longer, when it is an exit itself', () => {
    const desk = deskWanting();
    const bought = onlyPlace(desk.want(holdPosition('0.005')).commands);
    desk.accept(bought.intentId);
    desk.fill(bought);
    let exit = onlyPlace(desk.want(flat()).commands);
    let time = 1_000;
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(desk.reject(exit.intentId, time).commands).toEqual([]);
      expect(desk.mark(time + pause - 1).commands).toEqual([]);
      time += pause;
      exit = onlyPlace(desk.mark(time).commands);
      expect(words([exit])).toEqual(['sell 5 reduce-only market']);
    }
  });
});

describe('a target position', () => {
  it('is reached by one market order, rounded toward zero to the lot', () => {
    const desk = deskWanting();
    const { commands, refusals } = desk.want(holdPosition('0.0059'));
    expect(words(commands)).toEqual(['buy 5 market']);
    expect(refusals).toEqual([]);
  });

  it('that is wanted again sends nothing', () => {
    const desk = deskWanting();
    desk.want(holdPosition('0.005'));
    expect(desk.want(holdPosition('0.005')).commands).toEqual([]);
    expect(desk.want(holdPosition(0.0051)).commands).toEqual([]);
  });

  it('is approached from what is really held after a partial fill and a venue cancel', () => {
    const desk = deskWanting();
    const order = onlyPlace(desk.want(holdPosition('0.005')).commands);
    desk.accept(order.intentId);
    expect(desk.fill(order, 2).commands).toEqual([]);
    expect(desk.canceled(order.intentId, 1_000).commands).toEqual([]);
    expect(desk.mark(1_249).commands).toEqual([]);
    expect(words(desk.mark(1_250).commands)).toEqual(['buy 3 market']);
  });

  it('that the market cannot give is tried again later, ever later, and never in a storm', () => {
    const desk = deskWanting();
    let order = onlyPlace(desk.want(holdPosition('0.005')).commands);
    desk.accept(order.intentId);
    let time = 1_000;
    for (const pause of [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      expect(desk.canceled(order.intentId, time).commands).toEqual([]);
      expect(desk.mark(time + pause - 1).commands).toEqual([]);
      time += pause;
      order = onlyPlace(desk.mark(time).commands);
      desk.accept(order.intentId, time);
    }
    // A part of it says that there is more to be had.
    desk.fill(order, 1, time);
    desk.canceled(order.intentId, time);
    order = onlyPlace(desk.mark(time + 250).commands);
    expect(words([order])).toEqual(['buy 4 market']);
    desk.accept(order.intentId, time + 250);
    desk.canceled(order.intentId, time + 250);
    // Another want is another matter.
    expect(words(desk.want(holdPosition('0.002')).commands)).toEqual(['buy 1 market']);
  });

  it('on the other side of zero is two orders, the second only when the position is known to be flat', () => {
    const desk = deskWanting();
    const first = onlyPlace(desk.want(holdPosition('0.005')).commands);
    desk.accept(first.intentId);
    desk.fill(first);
    const close = onlyPlace(desk.want(holdPosition('-0.003')).commands);
    expect(words([close])).toEqual(['sell 5 reduce-only market']);
    desk.accept(close.intentId);
    expect(desk.fill(close, 4).commands).toEqual([]);
    expect(words(desk.fill(close, 1).commands)).toEqual(['sell 3 market']);
  });

  it('that changes while an order is under way cancels it, waits for the answer, and then does the rest', () => {
    const desk = deskWanting();
    const first = onlyPlace(desk.want(holdPosition('0.005')).commands);
    // No id yet: nothing can be cancelled, and nothing else is sent.
    expect(desk.want(holdPosition('0.008')).commands).toEqual([]);
    expect(words(desk.accept(first.intentId).commands)).toEqual([`cancel ${first.intentId}`]);
    desk.fill(first, 1);
    expect(words(desk.canceled(first.intentId).commands)).toEqual(['buy 7 market']);
  });

  it('below one lot is refused with the rule and both numbers, once', () => {
    const desk = deskWanting();
    const first = desk.want(holdPosition('0.0009'));
    expect(first.refusals).toMatchObject([{ rule: 'target-below-lot', asked: '0.0009', bound: '0.001' }]);
    expect(desk.want(holdPosition('0.0009')).refusals).toEqual([]);
  });

  it('that is nothing but the noise of floats is none, and no refusal', () => {
    const desk = deskWanting();
    desk.want(holdPosition('0.005'));
    const { refusals } = desk.want(holdPosition(0.1 + 0.2 - 0.3));
    expect(refusals).toEqual([]);
    expect(desk.engine.want).toEqual({ kind: 'position', lots: 0 });
    expect(desk.want(holdPosition(1e-6)).refusals).toMatchObject([{ rule: 'target-below-lot' }]);
  });

  it.each([
    '0x1_0',
    '5e0',
    '0b1',
    ' 5',
    '',
    'Infinity',
  ])('written as %j is refused, as in any order', (text) => {
    const desk = deskWanting();
    expect(desk.want(holdPosition(text)).refusals).toMatchObject([{ rule: 'not-a-number', asked: text }]);
    const side = { price: '59000', quantity: text };
    expect(desk.want(quote({ bid: side })).refusals).toMatchObject([{ rule: 'not-a-number', asked: text }]);
    const price = { price: text, quantity: '0.001' };
    expect(desk.want(quote({ ask: price })).refusals).toMatchObject([{ rule: 'not-a-number', asked: text }]);
    expect(desk.engine.workingOrders).toEqual([]);
  });

  it('that is no number is refused and leaves the standing want as it is', () => {
    const desk = deskWanting();
    desk.want(holdPosition('0.005'));
    const bad = desk.want(holdPosition(Number.NaN));
    expect(bad.commands).toEqual([]);
    expect(bad.refusals).toMatchObject([{ rule: 'not-a-number', asked: 'NaN' }]);
    expect(desk.engine.want).toEqual({ kind: 'position', lots: 5 });
  });

  it('in doubt sends nothing more until the doubt is resolved', () => {
    const desk = deskWanting();
    const order = onlyPlace(desk.want(holdPosition('0.005')).commands);
    desk.doubt(order.intentId);
    expect(desk.want(flat()).commands).toEqual([]);
    expect(words(desk.accept(order.intentId).commands)).toEqual([`cancel ${order.intentId}`]);
  });

  it('whose order the venue rejects is tried again later, ever later, and never in a storm', () => {
    const desk = deskWanting();
    let order = onlyPlace(desk.want(holdPosition('0.005')).commands);
    expect(desk.reject(order.intentId, 10_000).commands).toEqual([]);
    expect(desk.mark(10_999).commands).toEqual([]);
    order = onlyPlace(desk.mark(11_000).commands);
    desk.reject(order.intentId, 11_000);
    expect(desk.mark(12_999).commands).toEqual([]);
    expect(words(desk.mark(13_000).commands)).toEqual(['buy 5 market']);
  });
});

describe('a quote', () => {
  const two = (bid: number, ask: number) =>
    quote({ bid: { price: bid, quantity: '0.01' }, ask: { price: ask, quantity: '0.01' } });

  it('is post-only on both sides, bids rounded down and asks up', () => {
    const desk = deskWanting();
    expect(words(desk.want(two(59_999.97, 60_000.01)).commands)).toEqual([
      'buy 10 post-only @ 599999',
      'sell 10 post-only @ 600001',
    ]);
  });

  it('replaces only the side that moved, the new order after the old one is gone', () => {
    const desk = deskWanting();
    const [bid, ask] = desk.want(two(59_990, 60_010)).commands as [PlaceCommand, PlaceCommand];
    desk.accept(bid.intentId);
    desk.accept(ask.intentId);
    expect(words(desk.want(two(59_991, 60_010)).commands)).toEqual([`cancel ${bid.intentId}`]);
    expect(words(desk.canceled(bid.intentId).commands)).toEqual(['buy 10 post-only @ 599910']);
  });

  it.each([
    [60_000.1, 60_000, '60000.1', '60000'],
    [60_000, 60_000, '60000', '60000'],
    // On the grid, which is not what the strategy computed.
    [60_000.19, 60_000.01, '60000.1', '60000.1'],
  ])('of a bid of %d and an ask of %d is refused once, with both prices on the grid', (bid, ask, asked, bound) => {
    const desk = deskWanting();
    const { commands, refusals } = desk.want(two(bid, ask));
    expect(commands).toEqual([]);
    const reason = `crossed-quote: the bid must be below the ask, ${bound}, received ${asked}`;
    expect(refusals).toMatchObject([{ rule: 'crossed-quote', asked, bound, reason }]);
    expect(desk.want(two(bid, ask)).refusals).toEqual([]);
    expect(desk.engine.counts).toMatchObject({ derived: 1, refused: 1 });
  });

  it('that crosses itself withdraws the quote before it, as no side of it is wanted any more', () => {
    const desk = deskWanting();
    const [bid, ask] = desk.want(two(59_990, 60_010)).commands as [PlaceCommand, PlaceCommand];
    desk.accept(bid.intentId);
    desk.accept(ask.intentId);
    const { commands, refusals } = desk.want(two(60_020, 60_015));
    expect(words(commands)).toEqual([`cancel ${bid.intentId}`, `cancel ${ask.intentId}`]);
    expect(refusals).toMatchObject([{ rule: 'crossed-quote' }]);
    expect(desk.canceled(bid.intentId).commands).toEqual([]);
    expect(desk.canceled(ask.intentId).commands).toEqual([]);
    expect(words(desk.want(two(60_014, 60_015)).commands)).toHaveLength(2);
  });

  it('of one tick is none that crosses itself', () => {
    const desk = deskWanting();
    const { commands, refusals } = desk.want(two(60_000, 60_000.1));
    expect(words(commands)).toEqual(['buy 10 post-only @ 600000', 'sell 10 post-only @ 600001']);
    expect(refusals).toEqual([]);
  });

  it('with a missing side cancels that side and keeps the other', () => {
    const desk = deskWanting();
    const [bid, ask] = desk.want(two(59_990, 60_010)).commands as [PlaceCommand, PlaceCommand];
    desk.accept(bid.intentId);
    desk.accept(ask.intentId);
    const next = desk.want(quote({ ask: { price: 60_010, quantity: '0.01' } }));
    expect(words(next.commands)).toEqual([`cancel ${bid.intentId}`]);
  });

  it('whose old order cannot be cancelled asks again later, ever later, and never in a storm', () => {
    const desk = deskWanting();
    const [bid] = desk.want(quote({ bid: { price: 59_990, quantity: '0.01' } })).commands as [PlaceCommand];
    desk.accept(bid.intentId);
    desk.want(quote({ bid: { price: 59_980, quantity: '0.01' } }));
    expect(desk.cancelRejected(bid.intentId, 10_000).commands).toEqual([]);
    // A new mind about the price does not make the venue more willing.
    desk.want(quote({ bid: { price: 59_970, quantity: '0.01' } }));
    expect(desk.mark(10_999).commands).toEqual([]);
    expect(words(desk.mark(11_000).commands)).toEqual([`cancel ${bid.intentId}`]);
    expect(desk.cancelRejected(bid.intentId, 11_000).commands).toEqual([]);
    expect(desk.mark(12_999).commands).toEqual([]);
    expect(words(desk.mark(13_000).commands)).toEqual([`cancel ${bid.intentId}`]);
    expect(words(desk.canceled(bid.intentId, 13_100).commands)).toEqual(['buy 10 post-only @ 599700']);
  });

  it('that waits for a cancel and is replaced meanwhile is superseded, by the want that says so', () => {
    const desk = deskWanting();
    const [bid] = desk.want(quote({ bid: { price: 59_990, quantity: '0.01' } })).commands as [PlaceCommand];
    desk.accept(bid.intentId);
    desk.want(quote({ bid: { price: 59_980, quantity: '0.01' } }));
    const third = desk.want(quote({ bid: { price: 59_970, quantity: '0.01' } }));
    expect(third.superseded).toEqual([{ intentId: bid.intentId + 1, want: 2, by: 3 }]);
    expect(words(desk.canceled(bid.intentId).commands)).toEqual(['buy 10 post-only @ 599700']);
  });
});

describe('a list of orders', () => {
  const list = (...prices: string[]) =>
    orders(prices.map((price) => ({ side: 'buy' as const, quantity: '0.01', price })));

  it('keeps what matches, cancels the rest and adds what is new', () => {
    const desk = deskWanting();
    const [a, b] = desk.want(list('59990', '59980')).commands as [PlaceCommand, PlaceCommand];
    desk.accept(a.intentId);
    desk.accept(b.intentId);
    expect(words(desk.want(list('59980', '59970')).commands)).toEqual([
      `cancel ${a.intentId}`,
      'buy 10 @ 599700',
    ]);
  });

  it('does not place again what was filled while it stood', () => {
    const desk = deskWanting();
    const order = onlyPlace(desk.want(list('59990')).commands);
    desk.accept(order.intentId);
    expect(desk.fill(order).commands).toEqual([]);
    expect(desk.want(list('59990')).commands).toEqual([]);
    expect(words(desk.want(list('59990', '59980')).commands)).toEqual(['buy 10 @ 599900', 'buy 10 @ 599800']);
  });

  it('does not place again what a later list keeps, once it is filled', () => {
    const desk = deskWanting();
    const order = onlyPlace(desk.want(list('59990')).commands);
    desk.accept(order.intentId);
    expect(words(desk.want(list('59990', '59980')).commands)).toEqual(['buy 10 @ 599800']);
    expect(desk.fill(order).commands).toEqual([]);
    expect(desk.mark(60_000).commands).toEqual([]);
  });

  it('asks only for the rest of what the venue canceled half filled, and not at once', () => {
    const desk = deskWanting();
    const first = onlyPlace(desk.want(list('59990')).commands);
    desk.accept(first.intentId);
    desk.fill(first, 7);
    expect(desk.canceled(first.intentId, 1_000).commands).toEqual([]);
    const rest = onlyPlace(desk.mark(2_000).commands);
    expect(words([rest])).toEqual(['buy 3 @ 599900']);
    desk.accept(rest.intentId, 2_000);
    desk.fill(rest, 1, 2_000);
    desk.canceled(rest.intentId, 3_000);
    const last = onlyPlace(desk.mark(4_000).commands);
    expect(words([last])).toEqual(['buy 2 @ 599900']);
    desk.accept(last.intentId, 4_000);
    expect(desk.fill(last, 2, 4_000).commands).toEqual([]);
    expect(desk.mark(60_000).commands).toEqual([]);
    // Said anew, it is wanted anew.
    desk.want(list());
    expect(words(desk.want(list('59990')).commands)).toEqual(['buy 10 @ 599900']);
  });

  it('keeps a reduce-only order back while there is nothing to reduce, and sends it with the first fill', () => {
    const desk = deskWanting();
    const exit = { side: 'sell', price: '60010', quantity: '0.01', reduceOnly: true } as const;
    const entry = { side: 'buy', price: '59990', quantity: '0.01' } as const;
    const buy = onlyPlace(desk.want(orders([entry, exit])).commands);
    expect(words([buy])).toEqual(['buy 10 @ 599900']);
    expect(desk.engine.counts).toMatchObject({ derived: 2, sent: 1, waiting: 1 });
    desk.accept(buy.intentId);
    const sell = onlyPlace(desk.fill(buy, 4).commands);
    expect(words([sell])).toEqual(['sell 10 reduce-only @ 600100']);
    expect(desk.engine.counts).toMatchObject({ derived: 2, sent: 2, waiting: 0 });
    desk.accept(sell.intentId);
    desk.fill(sell, 4, 1_000);
    // The position is closed, and the venue ends what was to reduce it.
    expect(desk.canceled(sell.intentId, 1_000).commands).toEqual([]);
    for (const time of [2_000, 10_000, 60_000]) expect(desk.mark(time).commands).toEqual([]);
    expect(words(desk.fill(buy, 1, 61_000).commands)).toEqual(['sell 6 reduce-only @ 600100']);
  });

  it('counts what an order got that was to be canceled, when it is wanted again before it was', () => {
    for (const filled of [10, 9, 0]) {
      const desk = deskWanting();
      const first = onlyPlace(desk.want(list('59990')).commands);
      desk.accept(first.intentId);
      expect(words(desk.want(list('59980')).commands)).toEqual([
        `cancel ${first.intentId}`,
        'buy 10 @ 599800',
      ]);
      expect(desk.want(list('59990', '59980')).commands).toEqual([]);
      if (filled > 0) desk.fill(first, filled);
      const next = filled === 10 ? [] : words(desk.canceled(first.intentId).commands);
      expect(next).toEqual(filled === 10 ? [] : [`buy ${10 - filled} @ 599900`]);
      expect(desk.mark(60_000).commands).toEqual([]);
    }
  });

  it('has all of an order that was sent smaller to be told by it', () => {
    const desk = deskWanting();
    const order = onlyPlace(desk.want(list('59990')).commands);
    desk.accept(order.intentId);
    desk.fill(order, 9);
    const { intentId } = order;
    const report = { kind: 'canceled', intentId, orderId: 'o1', reason: QUANTITY_TAG, time: 1_000 } as const;
    expect(desk.send({ kind: 'report', report }).commands).toEqual([]);
    expect(desk.mark(60_000).commands).toEqual([]);
  });

  it('is exact: off tick and off lot are refused with the rule and both numbers, never rounded', () => {
    const desk = deskWanting();
    const { commands, refusals } = desk.want(
      orders([
        { side: 'buy', quantity: '0.01', price: '59990.05' },
        { side: 'buy', quantity: '0.0105', price: '59990' },
        { side: 'sell', quantity: '0.002' },
      ]),
    );
    expect(words(commands)).toEqual(['sell 2 market']);
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'tick: price must be a multiple of 0.1, received 59990.05',
      'lot: quantity must be a multiple of 0.001, received 0.0105',
    ]);
  });

  it.each([
    ['quantity', '1e-2', '1e-2'],
    ['quantity', '0.01 ', '0.01 '],
    ['quantity', Number.NaN, 'NaN'],
    // A multiple of the lot, and of too many lots to be counted.
    ['quantity', 1e30, '1e+30'],
    ['price', '5e4', '5e4'],
    ['price', Number.POSITIVE_INFINITY, 'Infinity'],
  ])('has no %s of %j, which is refused for what it is and not for the grid', (key, value, asked) => {
    const desk = deskWanting();
    const good = { side: 'buy', quantity: '0.01', price: '59990' } as const;
    const { commands, refusals } = desk.want(orders([{ ...good, [key]: value }]));
    expect(commands).toEqual([]);
    const bound = 'a finite plain decimal';
    const reason = `not-a-number: ${key} must be ${bound} (no exponent) in the exact range, received ${asked}`;
    expect(refusals).toMatchObject([{ rule: 'not-a-number', asked, bound, reason }]);
  });
});

describe('flat', () => {
  it('cancels every order, also those the strategy submitted itself, and closes the position reduce-only', () => {
    let submitted = 0;
    const wants: Want[] = [holdPosition('0.005')];
    const desk = deskOf((context) => ({
      onTrade: () => wants.shift(),
      onTimer: () => {
        submitted = context.submit({ side: 'buy', quantity: '0.001', price: '50000' });
        return undefined;
      },
      onBar: () => undefined,
      onGap: () => flat(),
      onTicker: () => {
        context.setTimer('later', 500);
        return undefined;
      },
    }));
    const first = onlyPlace(desk.trade(1, 60_000).commands);
    desk.accept(first.intentId);
    desk.fill(first);
    desk.send({
      kind: 'ticker',
      ticker: {
        time: 2,
        lastPrice: 1,
        markPrice: 1,
        indexPrice: 1,
        bidPrice: 1,
        bidQuantity: 1,
        askPrice: 1,
        askQuantity: 1,
      },
    });
    const limit = onlyPlace(desk.mark(500).commands);
    expect(limit.intentId).toBe(submitted);
    desk.accept(limit.intentId);
    const decision = desk.send({ kind: 'gap', gap: { from: 501, to: 502, missing: undefined } });
    expect(words(decision.commands)).toEqual([`cancel ${submitted}`]);
    expect(words(desk.canceled(submitted).commands)).toEqual(['sell 5 reduce-only market']);
  });
});

describe('an order by hand and flat', () => {
  const BY_HAND = { side: 'buy', quantity: '0.001', price: '50000' } as const;

  /** At each trade it submits an order where `submits` says so, and answers with the next want. */
  function deskOfBoth() {
    const answers: (readonly [submits: boolean, want: Want | undefined])[] = [];
    let working = 0;
    const desk = deskOf((context) => ({
      onTrade: () => {
        working = context.workingOrders.length;
        const [submits, want] = answers.shift() ?? [];
        if (submits === true) context.submit(BY_HAND);
        return want;
      },
    }));
    let time = 0;
    return {
      ...desk,
      /** Orders that the strategy saw working at the newest trade. */
      working: () => working,
      answer(submits: boolean, want?: Want) {
        answers.push([submits, want]);
        return desk.trade(++time, 60_000);
      },
    };
  }

  const REFUSED = {
    rule: 'flat-want',
    intentId: 1,
    asked: 'submit()',
    bound: 'flat()',
    want: undefined,
    reason:
      'flat-want: an order of submit() must come beside another want than flat(), which has no order working, received submit() under flat()',
  };

  it('that comes while flat stands is refused, not sent to be canceled', () => {
    const desk = deskOfBoth();
    desk.answer(false, flat());
    for (const [intentId, again] of [undefined, flat()].entries()) {
      const { commands, refusals } = desk.answer(true, again);
      expect(commands).toEqual([]);
      expect(refusals).toMatchObject([{ ...REFUSED, intentId: intentId + 1 }]);
    }
    desk.answer(false);
    expect(desk.working()).toBe(0);
  });

  it('that comes with the change of mind to flat is refused, too', () => {
    const desk = deskOfBoth();
    desk.answer(false, orders([]));
    const { commands, refusals } = desk.answer(true, flat());
    expect(commands).toEqual([]);
    expect(refusals).toMatchObject([REFUSED]);
  });

  it('that comes with the change of mind to another want is sent', () => {
    const desk = deskOfBoth();
    desk.answer(false, flat());
    const { commands, refusals } = desk.answer(true, orders([]));
    expect(words(commands)).toEqual(['buy 1 @ 500000']);
    expect(refusals).toEqual([]);
  });

  it('that comes after the stop was hit is refused: the want counts as flat', () => {
    const desk = deskOfBoth();
    const bought = onlyPlace(desk.answer(false, holdPosition('0.005', { stop: 59_000 })).commands);
    desk.accept(bought.intentId);
    const stop = onlyPlace(desk.fill(bought).commands);
    desk.accept(stop.intentId);
    desk.trade(10, 58_000);
    desk.fill(stop);
    expect(desk.engine.position.lots).toBe(0);
    const { commands, refusals } = desk.answer(true);
    expect(commands).toEqual([]);
    expect(refusals).toMatchObject([{ ...REFUSED, intentId: 3 }]);
  });

  it('holds up no exit of its handler', () => {
    const desk = deskOfBoth();
    const bought = onlyPlace(desk.answer(false, holdPosition('0.005')).commands);
    desk.accept(bought.intentId);
    desk.fill(bought);
    const { commands, refusals } = desk.answer(true, flat());
    expect(words(commands)).toEqual(['sell 5 reduce-only market']);
    expect(refusals).toMatchObject([{ rule: 'flat-want' }]);
  });
});

describe('warming up', () => {
  it('takes and hashes wants and sends nothing until the session is live', () => {
    const muted = deskOf(() => ({ onTrade: () => holdPosition('0.005') }), { warmUp: true });
    const open = deskOf(() => ({ onTrade: () => holdPosition('0.005') }));
    expect(muted.trade(1, 60_000).commands).toEqual([]);
    open.trade(1, 60_000);
    expect(words(muted.send({ kind: 'live', time: 2 }).commands)).toEqual(['buy 5 market']);
    expect(muted.engine.wantsHash()).toBe(open.engine.wantsHash());
  });

  it('starts from the position that the venue says is held', () => {
    const desk = deskOf(() => ({ onTrade: () => holdPosition('0.005') }), { warmUp: true });
    desk.trade(1, 60_000);
    const position = { time: 2, lots: 2 as never, averageEntry: 59_000, liquidationPrice: undefined };
    desk.send({ kind: 'position', position });
    expect(words(desk.send({ kind: 'live', time: 3 }).commands)).toEqual(['buy 3 market']);
  });
});
