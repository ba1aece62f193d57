import { describe, expect, test } from 'vitest';
import type { Ticks } from '../../src/model/grid.js';
import { BTC } from '../support/markets.js';
import { harness, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;

describe('what somebody else does on the pair', () => {
  test('is seen while it rests, is not taken for ours, and is forgotten when it is gone', async () => {
    const { time, venue, execution } = await harness();
    execution.send(placeOf(1));
    const other = venue.otherOrder(placeOf(9).terms);
    await time.advance(3_000);
    expect(execution.foreign(BTC.pair)).toEqual({ orders: [other], fills: 0 });
    expect(execution.openOrders()).toHaveLength(1);
    venue.end(other, 'its owner');
    await time.advance(3_000);
    expect(execution.foreign(BTC.pair)).toEqual({ orders: [], fills: 0 });
  });

  test('stops risk as soon as two looks show a position that is not of the books', async () => {
    const { time, venue, execution } = await harness({ external: 'quarantine' });
    // A round of a pair that has nothing in work comes every quarter of what is stale.
    await time.advance(60_000);
    expect(execution.state(BTC.pair).state).toBe('SYNCED');
    venue.otherFill('buy', 3, PRICE);
    await time.advance(7_500);
    expect(execution.state(BTC.pair)).toMatchObject({ state: 'SUSPECT', permission: 'reduce-only' });
    execution.send(placeOf(1));
    await time.advance(100);
    expect(execution.openOrders()).toEqual([]);
    await time.advance(30_000);
    expect(execution.state(BTC.pair).state).toBe('QUARANTINED');
  });

  test('is seen without any order of ours, and by its fills', async () => {
    const { time, venue, execution } = await harness({ external: 'adopt' });
    venue.otherFill('buy', 3, PRICE);
    const other = venue.otherOrder(placeOf(9).terms);
    await time.advance(30_000);
    expect(execution.foreign(BTC.pair)).toEqual({ orders: [other], fills: 1 });
    expect(execution.position(BTC.pair)).toBe(3);
  });
});
