import { describe, expect, test } from 'vitest';
import { readFill } from '../../src/execution/read-fill.js';
import { IntentSet } from '../../src/execution/intent-set.js';
import { TrackedOrder } from '../../src/execution/tracked-order.js';
import type { FillRecord, OrderRecord } from '../../src/model/venue-records.js';
import { BTC } from '../support/markets.js';
import { fillRecordOf, orderRecordOf } from '../support/records.js';
import { placeOf } from './harness.js';

function fillRecord(id: string, quantity: number, more: Partial<FillRecord> = {}): FillRecord {
  return fillRecordOf({
    id,
    pair: BTC.pair,
    isBuyerMaker: true,
    quantity,
    price: 60_000,
    netCommission: 0.1,
    time: 1_000 + Number(id),
    ...more,
  });
}

/** A buy of 10 lots (0.010 BTC) at 60 000. */
function record(more: Partial<OrderRecord> = {}): OrderRecord {
  return orderRecordOf({
    id: 'v1',
    pair: BTC.pair,
    side: 'buy',
    type: 'limit',
    priceOriginal: 60_000,
    price: 60_000,
    quantity: 0.01,
    leavesQuantity: 0.01,
    time: 1_000,
    ...more,
  });
}

function tracked(confirmMs = 0) {
  const { terms } = placeOf(1);
  let now = 0;
  const clock = { monotonic: () => now };
  const order = new TrackedOrder({
    key: 's1-1',
    intentId: 1,
    market: BTC,
    terms,
    tag: undefined,
    confirmMs,
    clock,
  });
  order.accept(record(), 0);
  return {
    order,
    /** Asked for at `readAt`, and answered at once unless said otherwise. */
    take: (more: Partial<OrderRecord>, readAt = 0, answeredAt = readAt) => {
      now = answeredAt;
      return order
        .take(record(more), readAt)
        .map((report) => (report.kind === 'filled' ? report.fill.id : report.kind));
    },
  };
}

describe('a tracked order', () => {
  test('tells a fill once, however often it is read', () => {
    const { take } = tracked();
    const fills = [fillRecord('1', 0.002), fillRecord('2', 0.003)];
    expect(take({ filledQuantity: 0.005, fills })).toEqual(['1', '2']);
    expect(take({ filledQuantity: 0.005, fills: [...fills, ...fills] })).toEqual([]);
  });

  test('tells fills in the order of their times', () => {
    const { take } = tracked();
    expect(take({ filledQuantity: 0.003, fills: [fillRecord('10', 0.001), fillRecord('9', 0.002)] })).toEqual(
      ['9', '10'],
    );
  });

  test('counts an end from the answer that showed it first, and confirms it by when a read began', () => {
    const { take } = tracked(5_000);
    const ended = { status: 'CANCELLED', filledQuantity: 0, fills: [] };
    expect(take(ended, 1_000, 4_000)).toEqual([]);
    expect(take(ended, 6_500, 12_000)).toEqual([]);
    expect(take(ended, 9_000, 9_500)).toEqual(['canceled']);
  });

  test('says nothing to a record that is older than what is known', () => {
    const { take, order } = tracked();
    take({ filledQuantity: 0.005, fills: [fillRecord('1', 0.005)] });
    expect(take({ status: 'CANCELLED', filledQuantity: 0, fills: [] })).toEqual([]);
    expect(take({ filledQuantity: 0.002, fills: undefined })).toEqual([]);
    expect(order.open?.stage).toBe('live');
  });

  test('does not end before its fills show, and is in doubt when they never do', () => {
    const { take, order } = tracked();
    const end = { status: 'CANCELLED', filledQuantity: 0.005, fills: [fillRecord('1', 0.002)] } as const;
    expect(take(end, 0)).toEqual(['1']);
    expect(take(end, 9_999)).toEqual([]);
    expect(take(end, 10_000)).toEqual(['in-doubt']);
    expect(order.open?.stage).toBe('in-doubt');
    expect(take(end, 60_000)).toEqual([]);
    expect(take({ ...end, fills: [...end.fills, fillRecord('2', 0.003)] }, 61_000)).toEqual([
      '2',
      'canceled',
    ]);
    expect(order.open).toBeUndefined();
  });

  test('starts to wait again when the quantity of an end moves', () => {
    const { take } = tracked(500);
    expect(take({ status: 'CANCELLED' }, 0)).toEqual([]);
    const later = { status: 'CANCELLED', filledQuantity: 0.001, fills: [fillRecord('1', 0.001)] } as const;
    expect(take(later, 400)).toEqual(['1']);
    expect(take(later, 600)).toEqual([]);
    expect(take(later, 900)).toEqual(['canceled']);
  });

  test('ends as filled by its last lot, whatever the status says', () => {
    const { take, order } = tracked();
    expect(take({ filledQuantity: 0.01, fills: [fillRecord('1', 0.01)], status: 'CANCELLED' })).toEqual([
      '1',
    ]);
    expect(order.open).toBeUndefined();
    expect(take({ status: 'CANCELLED' })).toEqual([]);
  });

  test.each([
    ['more than was ordered', { filledQuantity: 0.02, fills: [fillRecord('1', 0.02)] }],
    ['off the lot grid', { filledQuantity: 0.0025, fills: [fillRecord('1', 0.0025)] }],
    ['off the price grid', { filledQuantity: 0.002, fills: [fillRecord('1', 0.002, { price: 60_000.05 })] }],
    ['without its fills', { filledQuantity: 0.002, fills: undefined }],
  ])('is in doubt, once, when the venue shows fills %s', (_, more) => {
    const { take } = tracked();
    expect(take(more)).toEqual(['in-doubt']);
    expect(take(more)).toEqual([]);
  });

  test('does not take a completed order for done while lots are left', () => {
    const { take, order } = tracked();
    const odd = { status: 'COMPLETED', filledQuantity: 0.005, fills: [fillRecord('1', 0.005)] } as const;
    expect(take(odd, 0)).toEqual(['1']);
    expect(take(odd, 10_000)).toEqual(['in-doubt']);
    expect(order.open?.leaves).toBe(5);
    // Said once, however often it is read.
    expect(take(odd, 20_000)).toEqual([]);
  });

  test('forgets a quantity off the grid when the next record has one on it', () => {
    const { take, order } = tracked();
    expect(take({ filledQuantity: 0.0005 })).toEqual(['in-doubt']);
    expect(take({ filledQuantity: 0.002, fills: [fillRecord('1', 0.002)] })).toEqual(['1', 'accepted']);
    expect([order.isSettled, order.isDisputed, order.open?.stage]).toEqual([true, false, 'live']);
  });

  test.each([
    ['a quantity off the grid', { filledQuantity: 0.0005 }],
    ['fills that it did not show', { filledQuantity: 0.002, fills: undefined }],
  ])('tells, once, that it lives when a doubt about %s ends without a fill', (_, doubtful) => {
    const { take, order } = tracked();
    const booked = { filledQuantity: 0.001, fills: [fillRecord('1', 0.001)] };
    expect(take(booked)).toEqual(['1']);
    expect(take(doubtful)).toEqual(['in-doubt']);
    expect(take(booked)).toEqual(['accepted']);
    expect(order.isDisputed).toBe(false);
    expect(take(booked)).toEqual([]);
    expect(take(doubtful)).toEqual(['in-doubt']);
  });

  test('tells nothing of the end of a doubt that its own end tells', () => {
    const { take } = tracked();
    expect(take({ filledQuantity: 0.0005 })).toEqual(['in-doubt']);
    expect(take({ status: 'CANCELLED' })).toEqual(['canceled']);
  });

  test('lives again when it was shown as completed too early', () => {
    const { take, order } = tracked();
    expect(take({ status: 'COMPLETED' }, 0)).toEqual([]);
    expect(take({ status: 'COMPLETED' }, 10_000)).toEqual(['in-doubt']);
    expect(take({}, 11_000)).toEqual(['accepted']);
    expect(order.ended).toBe(false);
    // Another completion has its own time to settle.
    expect(take({ status: 'COMPLETED' }, 12_000)).toEqual([]);
    expect(order.ended).toBe(true);
    expect(take({ status: 'COMPLETED' }, 22_000)).toEqual(['in-doubt']);
  });

  test('lives again only by a read that began late enough to be newer than its end', () => {
    const { take, order } = tracked(5_000);
    take({ status: 'CANCELLED' }, 1_000, 4_000);
    take({}, 8_999, 9_500);
    expect(order.ended).toBe(true);
    take({}, 9_000, 9_500);
    expect(order.ended).toBe(false);
  });
});

test('a fill is read through float noise, its fee to the nearest unit', () => {
  const noisy = fillRecord('1', 0.007 + 1e-17 + 0.0000000000001, {
    price: 60_000.1,
    netCommission: 0.123456785,
  });
  expect(readFill(BTC, 'v1', 'sell', noisy)).toMatchObject({
    lots: 7,
    ticks: 600_001,
    liquidity: 'taker',
    fee: 12_345_678n,
  });
  const large = fillRecord('1', 1, { netCommission: 123_456_789.12345678 });
  // 2^53 units are 90 million dollars: beyond that a double times 10^8 would no longer be exact.
  expect(readFill(BTC, 'v1', 'buy', large)?.fee).toBe(12_345_678_912_345_678n);
});

test.each([
  ['USD', 12_000_000n],
  [undefined, 12_000_000n],
  ['BTC', 0n],
])('a commission in %s is booked as %d units of the quote', (netCommissionAsset, fee) => {
  const paid = fillRecord('1', 0.01, { netCommission: 0.12, netCommissionAsset });
  expect(readFill(BTC, 'v1', 'buy', paid)?.fee).toBe(fee);
});

test('an intent set knows what it took, far apart and once', () => {
  const set = new IntentSet();
  const ids = [1, 2, 7, 8, 9, 511, 512, 100_000];
  expect(ids.map((id) => set.add(id))).toEqual(ids.map(() => true));
  expect(ids.map((id) => set.add(id))).toEqual(ids.map(() => false));
  expect([0, 3, 10, 513, 99_999, 100_001].map((id) => set.has(id))).toEqual(Array(6).fill(false));
});
