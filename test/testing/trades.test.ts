import { describe, expect, it } from 'vitest';
import { syntheticTrades, tradesAt } from '../../src/testing/trades.js';

describe('tradesAt', () => {
  it('prints one trade a second, of a buyer and of a seller in turn, and takes what it is told', () => {
    expect(tradesAt([100, 101, { price: 99, quantity: 3, isBuyerMaker: true, id: 'mine' }])).toEqual([
      { id: '1', time: Date.UTC(2026, 0, 1), price: 100, quantity: 1, isBuyerMaker: false },
      { id: '2', time: Date.UTC(2026, 0, 1, 0, 0, 1), price: 101, quantity: 1, isBuyerMaker: true },
      { id: 'mine', time: Date.UTC(2026, 0, 1, 0, 0, 2), price: 99, quantity: 3, isBuyerMaker: true },
    ]);
    const times = tradesAt([1, 1], { from: 5, everyMs: 10, quantity: 2 });
    expect(times.map(({ time, quantity }) => [time, quantity])).toEqual([
      [5, 2],
      [15, 2],
    ]);
  });
});

describe('options that cannot be meant', () => {
  it.each<[() => unknown, string]>([
    [() => syntheticTrades({ durationMs: Number.NaN }), 'durationMs must be whole ms from 1 to'],
    [() => syntheticTrades({ durationMs: -1 }), 'durationMs must be whole ms from 1 to'],
    [
      () => syntheticTrades({ durationMs: Number.POSITIVE_INFINITY }),
      'durationMs must be whole ms from 1 to',
    ],
    [() => syntheticTrades({ durationMs: '1000' } as never), '31 days, received "1000"'],
    [() => syntheticTrades({ from: Number.NaN }), 'from must be a time in whole epoch ms, received NaN'],
    [() => syntheticTrades({ seed: Number.NaN }), 'seed must be a text or a finite number, received NaN'],
    [
      () => syntheticTrades({ duration: 5 } as never),
      'options of syntheticTrades must be of seed, pair, from, durationMs, received duration',
    ],
    [
      () => tradesAt([1], { every: 5 } as never),
      'options of tradesAt must be of from, everyMs, quantity, received every',
    ],
    [() => tradesAt([1], 5 as never), 'options of tradesAt must be an object, received 5'],
    [
      () => tradesAt([1, { price: 1, side: 'sell' } as never]),
      'trade 1 must be of id, time, price, quantity, isBuyerMaker, received side',
    ],
    [
      () => tradesAt([{ price: 1, qty: 2 } as never]),
      'trade 0 must be of id, time, price, quantity, isBuyerMaker, received qty',
    ],
    [() => tradesAt([1], { from: '2026-01-05' as never }), 'from must be a time in whole epoch ms'],
    [() => tradesAt([1, 2], { everyMs: 0.5 }), 'everyMs must be whole ms of 0 or above, received 0.5'],
    [() => tradesAt([1], { quantity: '2' as never }), 'quantity must be a number above 0, received "2"'],
  ])('are refused: %s', (make, message) => {
    expect(make).toThrow(message);
  });
});

describe('syntheticTrades', () => {
  it('are the same for the same seed, others for another, and lie in the time that was asked for', () => {
    const from = Date.UTC(2026, 5, 1);
    const trades = syntheticTrades({ seed: 3, from, durationMs: 120_000 });
    expect(trades.length).toBeGreaterThan(100);
    expect(syntheticTrades({ seed: 3, from, durationMs: 120_000 })).toEqual(trades);
    expect(syntheticTrades({ seed: 4, from, durationMs: 120_000 })).not.toEqual(trades);
    expect(trades.every(({ time }) => time >= from && time < from + 120_000)).toBe(true);
    expect(new Set(trades.map(({ isBuyerMaker }) => isBuyerMaker)).size).toBe(2);
  });
});
