import { describe, expect, test } from 'vitest';
import { Books } from '../../src/execution/books.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderRecord } from '../../src/model/venue-records.js';
import { acceptedOf, endOf, prepOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';
import { cancelOf, harness, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;
const exit = { side: 'sell', ticks: (PRICE + 100) as Ticks, reduceOnly: true, lots: 5 as Lots } as const;

/** A position at a venue that echoes no tag, and an exit whose answer was lost. */
async function exitInDoubt(fault: 'late' | 'lost', lateMs: number) {
  const all = await harness({ echo: undefined, lateMs });
  const { time, venue, execution, story } = all;
  venue.onArrival = (id) => venue.fill(id, 10, PRICE, 'taker');
  execution.send(placeOf(1));
  await time.advance(5_000);
  venue.onArrival = () => undefined;
  venue.lateMs = 20_000;
  venue.fault = (kind) => (kind === 'place' ? fault : undefined);
  execution.send(placeOf(2, exit));
  await time.advance(2_000);
  story();
  venue.fault = () => undefined;
  return all;
}

describe('an exit that looks like one before it, at a venue that echoes no tag', () => {
  test('keeps its order, which looks show before its answer, and the one in doubt gets its own', async () => {
    const { time, venue, execution, story } = await exitInDoubt('late', 60_000);
    venue.latency = (kind) => (kind === 'place' ? 6_000 : 0);
    execution.send(placeOf(3, exit));
    await time.advance(10_000);
    expect(story()).toBe('3 accepted');
    await time.advance(60_000);
    expect(story()).toBe('2 accepted');
    expect(execution.openOrders().map(({ intent, orderId }) => `${intent} ${orderId}`)).toEqual([
      's1-2 1002',
      's1-3 1001',
    ]);
    expect(execution.foreign.orders).toEqual([]);
    execution.send(cancelOf(2, '1002'));
    execution.send(cancelOf(3, '1001'));
    await time.advance(5_000);
    expect(venue.truth().filter(({ status }) => status === 'ACTIVE')).toEqual([]);
    expect(execution.openOrders()).toEqual([]);
  });

  test('is not proven absent by what is seen while the other is under way', async () => {
    const { time, venue, execution, story } = await exitInDoubt('late', 25_000);
    venue.latency = (kind) => (kind === 'place' ? 60_000 : 0);
    execution.send(placeOf(3, exit));
    await time.advance(59_000);
    // Both are there, and nobody knows yet which is whose.
    expect(venue.truth()).toHaveLength(3);
    expect(story()).toBe('');
    await time.advance(5_000);
    expect(story()).toBe('3 accepted, 2 accepted');
  });

  test('is not taken for that one where it was given up: nobody cancels it', async () => {
    const { time, venue, execution, story } = await exitInDoubt('lost', 3_000);
    await time.advance(10_000);
    expect(story()).toMatch(/^2 rejected \(not placed/);
    venue.latency = (kind) => (kind === 'place' ? 6_000 : 0);
    execution.send(placeOf(3, exit));
    await time.advance(10_000);
    expect(story()).toBe('3 accepted');
    expect(execution.openOrders()).toMatchObject([{ intent: 's1-3', orderId: '1001', stage: 'live' }]);
    expect(venue.truth().at(-1)).toMatchObject({ id: '1001', status: 'ACTIVE' });
    expect(execution.state().state).toBe('SYNCED');
  });
});

describe('an answer with an order that is another intent’s', () => {
  /** The second order is placed, and its answer shows the first one. */
  async function mixedUp(echo: 'oco' | undefined) {
    const all = await harness({ echo });
    const { time, venue, execution } = all;
    execution.send(placeOf(1));
    await time.advance(100);
    const place = venue.place.bind(venue);
    venue.place = async (...args) => {
      const outcome = await place(...args);
      const [first] = venue.truth() as [OrderRecord];
      return outcome.kind === 'accepted' ? { ...outcome, order: first } : outcome;
    };
    execution.send(placeOf(2, { ticks: (PRICE - 100) as Ticks }));
    await time.advance(100);
    return all;
  }

  test.each(['oco', undefined] as const)('proves nothing, and its own is found (echo: %s)', async (echo) => {
    const { time, execution, story } = await mixedUp(echo);
    expect(story()).toBe('1 accepted, 2 in doubt');
    expect(execution.state()).toMatchObject({ state: 'SUSPECT', permission: 'reduce-only' });
    await time.advance(5_000);
    expect(story()).toBe('2 accepted');
    expect(execution.openOrders().map(({ intent, orderId }) => `${intent} ${orderId}`)).toEqual([
      's1-1 1000',
      's1-2 1001',
    ]);
  });

  test('proves nothing either where that one has ended', async () => {
    const { time, venue, execution, story } = await harness();
    execution.send(placeOf(1));
    await time.advance(100);
    venue.end('1000', 'its owner');
    await time.advance(3_000);
    const [first] = venue.truth() as [OrderRecord];
    venue.place = (_market, _terms, _tag, _options, word) => {
      word?.({ bodySha256: '00', validUntil: venue.venueTime + venue.windowMs });
      return Promise.resolve({ kind: 'accepted', order: first });
    };
    story();
    execution.send(placeOf(2, { ticks: (PRICE - 100) as Ticks }));
    await time.advance(100);
    expect(story()).toBe('2 in doubt');
    await time.advance(10_000);
    expect(story()).toMatch(/^2 rejected \(not placed/);
  });

  test('leaves the intent in doubt in a journal that has it as accepted', () => {
    const books = new Books();
    for (const record of [
      prepOf('a'),
      acceptedOf('a', '1'),
      prepOf('b'),
      acceptedOf('b', '1'),
      endOf('a', '1'),
    ])
      books.apply(record);
    expect(books.intent('a')).toMatchObject({ stage: 'done', orderId: '1' });
    expect(books.intent('b')).toMatchObject({ stage: 'in-doubt', orderId: undefined });
    expect(books.bound.get('1')).toBe('a');
  });
});

test('one that could not be told from another one does not leave, and nobody has rejected it', async () => {
  const { venue, execution, reports } = await harness({ echo: undefined });
  // The same side, type and price, with as many lots as there are: none is left that would tell them apart.
  const least = { lots: BTC.filters.quantity.min };
  execution.send(placeOf(1, least));
  execution.send(placeOf(2, least));
  expect(reports.at(-1)).toMatchObject({ kind: 'rejected', intentId: 2, alike: true });
  expect(reports.at(-1)).toHaveProperty('reason', expect.stringMatching(/^not sent: FINGERPRINT_BUSY: /));
  expect(reports.at(-1)).not.toHaveProperty('tooSoon');
  await execution.stop(0);
  expect(venue.truth().length).toBeLessThan(2);
});
