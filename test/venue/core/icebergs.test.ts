import { describe, expect, it } from 'vitest';
import { BTC, btcMarket, Desk } from './desk.js';

const shown = (side: readonly { ticks: number; lots: number }[]) =>
  side.map(({ ticks, lots }) => [ticks, lots]);

describe('icebergs', () => {
  it('shows one slice: the share rounded up to the step', () => {
    const desk = new Desk();
    const a = desk.open('a');
    // 1.000 in 3: 0.334, 0.334 and 0.332.
    const order = desk.sell(a, 1, 101, { options: { icebergs: 3 } });
    expect(shown(desk.core.depth(BTC).asks)).toEqual([[1010, 334]]);
    expect([order.displayed, order.leaves, order.options.icebergs]).toEqual([334, 1000, 3]);
  });

  it('rounds a slice up to the step of its own filter', () => {
    const market = btcMarket({ icebergs: { min: '0.01', max: '1', step: '0.01' } });
    const desk = new Desk({ markets: [{ market }] });
    // 1 / 3 = 0.3333: 0.34 on a step of 0.01.
    expect(desk.sell(desk.open('a'), 1, 101, { options: { icebergs: 3 } }).displayed).toBe(340);
  });

  it('puts the next slice at the tail of what is shown at its price', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    const iceberg = desk.sell(a, 3, 101, { options: { icebergs: 3 } });
    const plain = desk.sell(b, 1, 101);
    desk.buy(c, 1, 101);
    expect([iceberg.leaves, plain.leaves, iceberg.displayed]).toEqual([2000, 1000, 1000]);
    desk.buy(c, 1, 101);
    expect([iceberg.leaves, plain.status]).toEqual([2000, 'completed']);
    expect(shown(desk.core.depth(BTC).asks)).toEqual([[1010, 1000]]);
  });

  it('keeps its place while its slice is only in part filled', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    const iceberg = desk.sell(a, 3, 101, { options: { icebergs: 3 } });
    desk.sell(b, 1, 101);
    desk.buy(c, 0.4, 101);
    expect(shown(desk.core.depth(BTC).asks)).toEqual([[1010, 1600]]);
    desk.buy(c, 0.6, 101);
    expect([iceberg.leaves, iceberg.displayed]).toEqual([2000, 1000]);
  });

  it('lets an incoming order go on through the replaced slices in one match, each slice a trade', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    const iceberg = desk.sell(a, 2.5, 101, { options: { icebergs: 3 } });
    const plain = desk.sell(b, 1, 101);
    // Slices of 0.834, 0.834, 0.832: slice, plain, slice, part of the last.
    const taker = desk.buy(c, 3, 101);
    expect(desk.core.trades(BTC).map(({ quantity }) => quantity)).toEqual([0.332, 0.834, 1, 0.834]);
    expect([taker.status, plain.status, iceberg.leaves, iceberg.displayed]).toEqual([
      'completed',
      'completed',
      500,
      500,
    ]);
    expect(shown(desk.core.depth(BTC).asks)).toEqual([[1010, 500]]);
  });

  it('matches with its whole quantity when it comes, and shows a slice of what is left', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(b, 2.5, 101);
    const iceberg = desk.buy(a, 3, 101, { options: { icebergs: 3 } });
    expect([iceberg.leaves, iceberg.displayed]).toEqual([500, 500]);
    const larger = desk.buy(b, 6, 100, { options: { icebergs: 3 } });
    expect([larger.leaves, larger.displayed]).toEqual([6000, 2000]);
  });

  it('counts whole to a fill-or-kill order', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 3, 101, { options: { icebergs: 3 } });
    expect(desk.buy(b, 3.001, 101, { timeInForce: 'FOK' }).doneReason).toBe('FOK cannot fill');
    expect(desk.buy(b, 3, 101, { timeInForce: 'FOK' }).status).toBe('completed');
  });

  it('lets a fill-or-kill order stop at an own order that stands before the second slice', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 3, 101, { options: { icebergs: 3 } });
    desk.sell(b, 1, 101);
    expect(desk.buy(b, 1.001, 101, { timeInForce: 'FOK' }).doneReason).toBe('FOK cannot fill');
    expect(desk.buy(b, 1, 101, { timeInForce: 'FOK' }).status).toBe('completed');
  });

  it('takes what is shown out of the depth when it is cancelled', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    const iceberg = desk.sell(a, 3, 101, { options: { icebergs: 3 } });
    desk.sell(b, 0.5, 101);
    desk.core.cancel(a, iceberg.id, ++desk.now);
    expect(shown(desk.core.depth(BTC).asks)).toEqual([[1010, 500]]);
    expect([iceberg.status, iceberg.filled, iceberg.leaves]).toEqual(['canceled', 0, 3000]);
  });

  it('refuses a slice outside the filter, and combinations that make no sense', () => {
    const market = btcMarket({ icebergs: { min: '0.1', max: '1', step: '0.01' } });
    const desk = new Desk({ markets: [{ market }] });
    const a = desk.open('a');
    const refusal = (quantity: number, icebergs: number, rest = {}) =>
      desk.refusal(a, { side: 'sell', quantity, price: 101, options: { icebergs }, ...rest });
    expect(refusal(1, 20)).toBe('iceberg slice outside filter: 0.05 is not within 0.1 to 1');
    expect(refusal(3, 2)).toBe('iceberg slice outside filter: 1.5 is not within 0.1 to 1');
    expect(refusal(1, 1)).toBe('malformed: icebergs must be a whole number of at least 2, received 1');
    expect(refusal(1, 2.5)).toBe('malformed: icebergs must be a whole number of at least 2, received 2.5');
    expect(refusal(1, 2, { timeInForce: 'IOC' })).toBe('malformed: icebergs must not go with IOC');
    expect(refusal(1, 2, { timeInForce: 'FOK' })).toBe('malformed: icebergs must not go with FOK');
    expect(refusal(1, 2, { options: { icebergs: 2, hidden: true } })).toBe(
      'malformed: hidden must not go with icebergs',
    );
    expect(desk.refusal(a, { side: 'sell', quantity: 1, options: { icebergs: 2 } })).toBe(
      'malformed: icebergs must not go with MARKET',
    );
    expect(refusal(2, 2)).toBe('accepted: active');
  });
});

describe('hidden orders', () => {
  it('stand in no depth and no touch, behind what is displayed at their price', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    const hidden = desk.sell(a, 1, 101, { options: { hidden: true } });
    expect(desk.core.depth(BTC).asks).toEqual([]);
    expect(desk.core.touch(BTC).ask).toBeUndefined();
    const shownLater = desk.sell(b, 1, 101);
    expect(shown(desk.core.depth(BTC).asks)).toEqual([[1010, 1000]]);
    desk.buy(c, 1.5, 101);
    expect([shownLater.status, hidden.leaves]).toEqual(['completed', 500]);
    expect(desk.core.depth(BTC).asks).toEqual([]);
  });

  it('trade before what is displayed at a worse price', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    desk.sell(b, 1, 101);
    const hidden = desk.sell(a, 1, 100.5, { options: { hidden: true } });
    expect(desk.core.touch(BTC).ask).toBe(1010);
    expect(desk.buy(c, 1, 101).lastTicks).toBe(1005);
    expect(hidden.status).toBe('completed');
  });

  it('stand behind every slice of an iceberg', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    const hidden = desk.sell(a, 1, 101, { options: { hidden: true } });
    const iceberg = desk.sell(b, 3, 101, { options: { icebergs: 3 } });
    expect(desk.buy(c, 3, 101).fills.length).toBe(3);
    expect([iceberg.status, hidden.leaves]).toEqual(['completed', 1000]);
  });

  it('stand behind the later slices of an iceberg that shares its price with others', () => {
    const desk = new Desk();
    const [a, b, c] = [desk.open('a'), desk.open('b'), desk.open('c')];
    const iceberg = desk.sell(b, 2, 101, { options: { icebergs: 2 } });
    const plain = desk.sell(b, 1, 101);
    const hidden = desk.sell(a, 1, 101, { options: { hidden: true } });
    desk.buy(c, 2, 101);
    expect([iceberg.leaves, plain.status]).toEqual([1000, 'completed']);
    desk.buy(c, 1, 101);
    expect([iceberg.status, hidden.leaves]).toEqual(['completed', 1000]);
  });

  it('cancel a post-only order that would trade with them, and fill a fill-or-kill one', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 1, 101, { options: { hidden: true } });
    expect(desk.buy(b, 1, 101, { postOnly: true }).message).toBe('post-only would trade');
    expect(desk.buy(b, 1, 101, { timeInForce: 'FOK' }).status).toBe('completed');
  });

  it('meet a MARKET order in a market that never traded', () => {
    const desk = new Desk();
    const [a, b] = [desk.open('a'), desk.open('b')];
    desk.sell(a, 1, 101, { options: { hidden: true } });
    expect(desk.buy(b, 1).status).toBe('completed');
  });
});
