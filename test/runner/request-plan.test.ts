import { expect, test } from 'vitest';
import { requestPlan } from '../../src/runner/request-plan.js';

const followsClock = false;
const every = { trades: 1_000, ticker: 1_000, position: 1_000, orders: 1_000 };

test('the requests of a session are those of its polls, of its looks at orders and of its ledger', () => {
  const { polls, parts } = requestPlan({
    every: { trades: 500, ticker: 1_000, position: 2_000, orders: 4_000 },
    followsClock,
    ledgerMs: 50_000,
    maxOrdersPerMinute: undefined,
    perSecond: 200,
  });
  expect(parts).toEqual([
    { name: 'trades', perSecond: 2 },
    { name: 'ticker', perSecond: 1 },
    { name: 'position', perSecond: 0.5 },
    { name: 'orders', perSecond: 1 },
    { name: 'ledger', perSecond: 0.1 },
  ]);
  expect(polls).toBeCloseTo(4.6);
});

test('polls that the budget cannot carry are named with both numbers, and those that just fit are not', () => {
  const plan = (perSecond: number) =>
    requestPlan({ every, followsClock, maxOrdersPerMinute: undefined, perSecond });
  expect(plan(7).excess).toBeUndefined();
  expect(plan(2).excess).toBe(
    'polls must need at most 2 requests a second, received 7 (trades 1, ticker 1, position 1, orders 4)',
  );
});

test('sessions that share a budget are told so, with their share and the whole of it', () => {
  const plan = (sharedBy: number, maxOrdersPerMinute?: number) =>
    requestPlan({ every, followsClock, maxOrdersPerMinute, perSecond: 20, sharedBy });
  expect(plan(4).excess).toBe(
    'polls must need at most 5 requests a second, one of 4 equal shares of 20, received 7 ' +
      '(trades 1, ticker 1, position 1, orders 4)',
  );
  expect(plan(2, 61)).toMatchObject({
    excess: undefined,
    ordersPerMinute: 60,
    shortage:
      'beside 7 requests a second of polls there is room for 60 orders a minute (3 requests each, of 10 a second, ' +
      'one of 2 equal shares of 20), and limits.maxOrdersPerMinute is 61',
  });
});

test('a venue whose clock is followed is asked for its time before each read of trades', () => {
  const of = (clock: boolean) =>
    requestPlan({ every, followsClock: clock, maxOrdersPerMinute: 1, perSecond: 7.9 });
  expect(of(false)).toMatchObject({ polls: 7, excess: undefined, ordersPerMinute: 18 });
  expect(of(true)).toMatchObject({
    polls: 8,
    excess:
      'polls must need at most 7.9 requests a second, received 8 (trades 1, time 1, ticker 1, position 1, orders 4)',
    ordersPerMinute: 0,
  });
});

test('what polls leave is room for orders of three requests each', () => {
  const plan = (maxOrdersPerMinute: number | undefined) =>
    requestPlan({ every, followsClock, maxOrdersPerMinute, perSecond: 10 });
  // (10 − 7) × 60 ÷ 3.
  expect(plan(60)).toMatchObject({ ordersPerMinute: 60, shortage: undefined });
  expect(plan(undefined).shortage).toBeUndefined();
  expect(plan(61).shortage).toBe(
    'beside 7 requests a second of polls there is room for 60 orders a minute (3 requests each), ' +
      'and limits.maxOrdersPerMinute is 61',
  );
  expect(requestPlan({ every, followsClock, maxOrdersPerMinute: 1, perSecond: 2 }).ordersPerMinute).toBe(0);
});

test('on paper only market data are asked for', () => {
  const { polls } = requestPlan({
    every: { trades: 1_000, ticker: 1_000 },
    followsClock,
    maxOrdersPerMinute: undefined,
    perSecond: 2,
  });
  expect(polls).toBe(2);
});
