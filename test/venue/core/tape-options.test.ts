import { describe, expect, it } from 'vitest';
import { QueueModel } from '../../../src/venue/tape/queue-model.js';
import { BTC, btcMarket, Desk, waitFor } from './desk.js';

/** A tape whose touch is 99.9 / 100.1 after two prints; the model is the real one. */
function tapeDesk(): Desk & { print: (price: number, quantity: number, aggressor: 'buy' | 'sell') => void } {
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
  print(100.1, 1, 'buy');
  print(99.9, 1, 'sell');
  return Object.assign(desk, { print });
}

describe('an iceberg on a tape', () => {
  it('gives a print at its limit one slice, and then stands behind the street', () => {
    const desk = tapeDesk();
    // Inside the spread, so first in the queue.
    const order = desk.buy(desk.open('a'), 3, 100, { options: { icebergs: 3 } });
    expect(desk.core.depth(BTC).bids[0]).toEqual({ ticks: 1000, lots: 1000 });
    desk.print(100, 2.5, 'sell');
    expect([order.filled, order.displayed]).toEqual([1000, 1000]);
    // How much stands there now is not known: no run has finished yet that would tell.
    desk.print(100, 2.5, 'sell');
    expect(order.filled).toBe(1000);
  });

  it('keeps its place while a slice is only in part filled', () => {
    const desk = tapeDesk();
    const order = desk.buy(desk.open('a'), 3, 100, { options: { icebergs: 3 } });
    desk.print(100, 0.4, 'sell');
    desk.print(100, 0.6, 'sell');
    expect([order.filled, order.displayed]).toEqual([1000, 1000]);
  });

  it('gives a print beyond its limit all slices', () => {
    const desk = tapeDesk();
    const order = desk.buy(desk.open('a'), 3, 100, { options: { icebergs: 3 } });
    desk.print(99.9, 2.5, 'sell');
    expect([order.filled, order.displayed]).toEqual([2500, 500]);
    desk.print(99.9, 0.5, 'sell');
    expect(order.status).toBe('completed');
  });
});

describe('a hidden order on a tape', () => {
  it('fills only from prints beyond its limit, after what clients display at its price', () => {
    const desk = tapeDesk();
    const hidden = desk.buy(desk.open('a'), 1, 100, { options: { hidden: true } });
    const shown = desk.buy(desk.open('b'), 1, 100);
    expect(desk.core.depth(BTC).bids[0]).toEqual({ ticks: 1000, lots: 1000 });
    desk.print(100, 5, 'sell');
    expect([hidden.filled, shown.status]).toEqual([0, 'completed']);
    desk.print(99.9, 0.5, 'sell');
    expect([hidden.filled, hidden.lastTicks]).toEqual([500, 1000]);
  });
});

describe('a trigger on a tape', () => {
  it('fires after the print that meets it, and takes from the next one on', () => {
    const desk = tapeDesk();
    const order = desk.buy(desk.open('a'), 1, undefined, { options: waitFor(100.5, 'last') });
    desk.print(100.4, 5, 'buy');
    expect(order.status).toBe('untriggered');
    desk.print(100.5, 5, 'buy');
    expect([order.status, order.isTaking, order.filled]).toEqual(['active', true, 0]);
    desk.print(100.7, 5, 'buy');
    expect([order.status, order.lastTicks]).toEqual(['completed', 1007]);
  });

  it('takes its oco siblings with it though it has not filled yet', () => {
    const desk = tapeDesk();
    const a = desk.open('a');
    const resting = desk.buy(a, 1, 99, { tag: 'x' });
    const order = desk.buy(a, 1, undefined, { tag: 'x', options: waitFor(100.5, 'last') });
    desk.print(100.5, 5, 'buy');
    expect([order.status, resting.message]).toEqual(['active', 'oco sibling']);
  });
});
