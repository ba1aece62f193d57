import { describe, expect, test } from 'vitest';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { harness, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;

describe('what somebody else does on the pair', () => {
  test('is seen while it rests, is not taken for ours, and is forgotten when it is gone', async () => {
    const { time, venue, execution } = await harness();
    execution.send(placeOf(1));
    const other = venue.otherOrder(placeOf(9).terms);
    await time.advance(3_000);
    expect(execution.foreign).toEqual({ orders: [other], fills: 0 });
    expect(execution.openOrders()).toHaveLength(1);
    venue.end(other, 'its owner');
    await time.advance(3_000);
    expect(execution.foreign).toEqual({ orders: [], fills: 0 });
  });

  test('stops risk as soon as two looks show a position that is not of the books', async () => {
    const { time, venue, execution } = await harness({ external: 'quarantine' });
    // A round of a pair that has nothing in work comes every quarter of what is stale.
    await time.advance(60_000);
    expect(execution.state().state).toBe('SYNCED');
    venue.otherFill('buy', 3, PRICE);
    await time.advance(7_500);
    expect(execution.state()).toMatchObject({ state: 'SUSPECT', permission: 'reduce-only' });
    execution.send(placeOf(1));
    await time.advance(100);
    expect(execution.openOrders()).toEqual([]);
    await time.advance(30_000);
    expect(execution.state().state).toBe('QUARANTINED');
  });

  test('is seen without any order of ours, and by its fills', async () => {
    const { time, venue, execution } = await harness({ external: 'adopt' });
    venue.otherFill('buy', 3, PRICE);
    const other = venue.otherOrder(placeOf(9).terms);
    await time.advance(30_000);
    expect(execution.foreign).toEqual({ orders: [other], fills: 1 });
    expect(execution.position).toBe(3);
  });
});

describe('a fill of no order of ours, where a stranger’s is not taken in', () => {
  async function holding() {
    const all = await harness({ external: 'quarantine' });
    all.venue.onArrival = (id) => void all.venue.fill(id, 10, PRICE, 'taker');
    all.execution.send(placeOf(1));
    await all.time.advance(3_000);
    all.story();
    return all;
  }

  test('is told when the venue liquidates, as a backtest tells it, after the halt', async () => {
    const { time, venue, execution, story } = await holding();
    const heard: string[] = [];
    execution.reports$.subscribe(({ kind }) => {
      const { state, permission } = execution.state();
      heard.push(`${kind} ${state} ${permission}`);
    });
    venue.otherFill('sell', 4, PRICE, true);
    await time.advance(30_000);
    expect(story()).toBe('undefined late-fill 4@600000');
    expect(heard).toEqual(['late-fill HALTED reduce-only']);
    expect(execution.position).toBe(6);
  });

  test('is not told when somebody else traded', async () => {
    const { time, venue, execution, story } = await holding();
    venue.otherFill('sell', 4, PRICE);
    await time.advance(30_000);
    expect(story()).toBe('');
    expect(execution.position).toBe(6);
  });
});

describe('an order of somebody else beside one in doubt, at a venue that echoes no tag', () => {
  const TEN_MINUTES = 600_000;
  /** An order whose request was lost, and another one on the pair. */
  async function besides(other: Parameters<typeof placeOf>[1]) {
    const all = await harness({ echo: undefined });
    all.venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    all.execution.send(placeOf(1));
    const id = all.venue.otherOrder(placeOf(9, other).terms);
    return { ...all, id };
  }
  const otherPrice = (PRICE - 500) as Ticks;

  test.each([
    ['quantity', { lots: 3 as Lots, ticks: otherPrice }],
    ['side', { side: 'sell', ticks: (PRICE + 500) as Ticks }],
    ['type', { type: 'market', ticks: undefined, timeInForce: 'IOC' }],
  ] as const)('of another %s holds the verdict up for ten minutes, and no longer', async (_, terms) => {
    const { time, execution, story, id } = await besides(terms);
    await time.advance(TEN_MINUTES - 1_000);
    expect(story()).toBe('1 in doubt');
    expect(execution.state()).toMatchObject({
      state: 'SUSPECT',
      permission: 'reduce-only',
      reason: `order s1-1 is in doubt: order ${id}, which nobody claims, may be it`,
    });
    await time.advance(5_000);
    expect(story()).toMatch(/^1 rejected \(not placed: no order, no fill/);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('that has ended unfilled is as much in the way, and as long', async () => {
    const { time, venue, execution, story, id } = await besides({ lots: 3 as Lots });
    venue.end(id, 'its owner');
    await time.advance(TEN_MINUTES - 1_000);
    expect(story()).toBe('1 in doubt');
    await time.advance(5_000);
    expect(story()).toMatch(/^1 rejected/);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('which looks like it but for its price calls the operator after ten minutes, and is named', async () => {
    const { time, execution, story, id } = await besides({ ticks: otherPrice });
    await time.advance(TEN_MINUTES - 1_000);
    expect(execution.state().state).toBe('SUSPECT');
    await time.advance(5_000);
    expect(story()).toBe('1 in doubt');
    expect(execution.state()).toMatchObject({
      state: 'QUARANTINED',
      reason:
        'an order is in doubt and another one may be it, shown wrongly: ' +
        `order ${id}, which nobody claims, has its side, type and quantity`,
    });
    await time.advance(TEN_MINUTES);
    expect(story()).toBe('');
  });

  test('which looks like it and is gone before holds nothing up any more than another', async () => {
    const { time, venue, story, id } = await besides({ ticks: otherPrice });
    await time.advance(TEN_MINUTES / 2);
    venue.end(id, 'its owner');
    const orders = venue.orders.bind(venue);
    venue.orders = async (...args) => (await orders(...args)).filter((record) => record.id !== id);
    await time.advance(5_000);
    expect(story()).toMatch(/^1 in doubt, 1 rejected/);
  });

  test('is not what was shown wrongly: an order that is seen rightly within ten minutes is taken in', async () => {
    const { time, venue, execution, story } = await harness({ echo: undefined });
    const orders = venue.orders.bind(venue);
    venue.orders = async (...args) =>
      (await orders(...args)).map((record) => ({ ...record, quantity: 1, priceOriginal: 1 }));
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    execution.send(placeOf(1));
    await time.advance(TEN_MINUTES - 1_000);
    expect(story()).toBe('1 in doubt');
    venue.orders = orders;
    await time.advance(5_000);
    expect(story()).toBe('1 accepted');
  });

  test('where tags are echoed is never it', async () => {
    const { time, venue, execution, story } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    venue.otherOrder(placeOf(9, { ticks: otherPrice }).terms);
    await time.advance(20_000);
    expect(story()).toMatch(/^1 in doubt, 1 rejected \(not placed/);
  });
});

describe('a fill of an order in doubt that the lists show wrongly', () => {
  test.each(
    Array.from({ length: 10 }, (_, i) => i * 100),
  )('is not taken for a stranger’s when its request is given up while somebody looks, %i ms into the round', async (offset) => {
    const { time, venue, execution, story } = await harness({ echo: undefined, external: 'quarantine' });
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    venue.latency = (kind) => (kind === 'place' ? 10_000 : 150);
    venue.onArrival = (id) => void venue.fill(id, 10, PRICE, 'taker');
    const orders = venue.orders.bind(venue);
    let isGarbled = true;
    venue.orders = async (...args) => {
      const records = await orders(...args);
      return isGarbled ? records.map((record) => ({ ...record, priceOriginal: 1 })) : records;
    };
    await time.advance(offset);
    execution.send(placeOf(1));
    await time.advance(13_000);
    expect(execution.state()).toMatchObject({
      state: 'SUSPECT',
      reason: expect.stringContaining('s1-1 is in doubt'),
    });
    isGarbled = false;
    await time.advance(5_000);
    expect(story()).toBe('1 in doubt, 1 accepted, 1 filled 10@600000');
    expect(execution.state()).toMatchObject({ state: 'SYNCED' });
  });
});
