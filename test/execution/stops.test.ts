/** Orders that wait at the venue for their trigger: in which lists they are looked for, and what is proven by that. */
import { describe, expect, test } from 'vitest';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { OrderListState } from '../../src/ports/venue-api.js';
import { VenueError } from '../../src/ports/venue-api.js';
import { RestartDesk } from '../support/restart-desk.js';
import { cancelOf, harness, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;
const LATE_MS = 6_000;
/** How long twins are looked for after a sending. */
const SETTLED_MS = 10_000 + LATE_MS;
const stop = (ticks = 590_000) =>
  ({
    side: 'sell',
    type: 'market',
    ticks: undefined,
    timeInForce: 'IOC',
    reduceOnly: true,
    trigger: { ticks: ticks as Ticks, event: 'last' },
  }) as const;

type Harness = Awaited<ReturnType<typeof harness>>;
const listsOf = ({ venue }: Pick<Harness, 'venue'>, list: OrderListState) =>
  venue.calls.filter((call) => call.list === list).length;

/** Holds 10 lots and forgets how it came to that. */
async function holding(more: Parameters<typeof harness>[0] = {}): Promise<Harness> {
  const all = await harness(more);
  all.venue.onArrival = (id) => all.venue.fill(id, 10, PRICE, 'taker');
  all.execution.send(placeOf(1));
  await all.time.advance(2_000);
  all.venue.onArrival = () => undefined;
  expect(all.execution.position).toBe(10);
  all.story();
  return all;
}

/** Holds 10 lots with a stop that waits; its order id. */
async function guarded(more: Parameters<typeof harness>[0] = {}) {
  const all = await holding(more);
  all.execution.send(placeOf(2, stop()));
  await all.time.advance(2_000);
  const { id } = all.venue.truth().at(-1) as { id: string };
  return { ...all, id };
}

describe('a pair without stops', () => {
  test('never asks for the list of triggers', async () => {
    const all = await holding();
    all.venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    all.execution.send(placeOf(2));
    await all.time.advance(60_000);
    await all.time.until(all.execution.cancelAllOwn(5_000));
    expect(listsOf(all, 'triggers')).toBe(0);
    expect(listsOf(all, 'active')).toBeGreaterThan(10);
  });
});

describe('a stop that waits', () => {
  test('is live, is not read one by one, and its status is no surprise', async () => {
    const warnings: string[] = [];
    const { time, venue, execution, story, count } = await guarded({
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: (text) => warnings.push(text),
        error: () => undefined,
      },
    });
    expect(story()).toBe('2 accepted');
    venue.calls.splice(0);
    await time.advance(30_000);
    expect(execution.openOrders()).toMatchObject([{ intent: 's1-2', stage: 'live', leaves: 10 }]);
    expect(execution.state().state).toBe('SYNCED');
    expect(count('order')).toBe(0);
    expect(listsOf({ venue }, 'triggers')).toBe(listsOf({ venue }, 'active'));
    expect(warnings).toEqual([]);
  });

  test('that fires is an order as any other', async () => {
    const { time, venue, execution, story, id } = await guarded();
    story();
    venue.fire(id);
    venue.fill(id, 4, 590_000 as Ticks, 'taker');
    await time.advance(2_000);
    expect(story()).toBe('2 filled 4@590000');
    venue.fill(id, 6, 589_000 as Ticks, 'taker');
    await time.advance(2_000);
    expect(story()).toBe('2 filled 6@589000');
    expect([execution.position, execution.state().state]).toEqual([0, 'SYNCED']);
    await time.advance(SETTLED_MS + 5_000);
    venue.calls.splice(0);
    await time.advance(30_000);
    expect(listsOf({ venue }, 'triggers')).toBe(0);
  });

  test('that is refused when it fires ends with the reason', async () => {
    const { time, venue, story, id } = await guarded();
    story();
    venue.fire(id, 'Order was rejected due to insufficient balance');
    await time.advance(2_000);
    expect(story()).toBe('2 canceled (Order was rejected due to insufficient balance)');
  });

  test('that fires between two reads of one look is found, and the pair stays SYNCED', async () => {
    const { time, venue, execution, story, id } = await guarded();
    const states: string[] = [];
    execution.states$.subscribe(({ state }) => states.push(state));
    story();
    const orders = venue.orders.bind(venue);
    venue.orders = async (state, query) => {
      const rows = await orders(state, query);
      if (state === 'triggers' && venue.truth().find((each) => each.id === id)?.status === 'UNTRIGGERED') {
        venue.fire(id);
        venue.fill(id, 10, 590_000 as Ticks, 'taker');
      }
      return rows;
    };
    await time.advance(3_000);
    expect(story()).toBe('2 filled 10@590000');
    expect(states).toEqual([]);
  });

  test('is canceled by its id', async () => {
    const { time, venue, execution, story, id } = await guarded();
    story();
    execution.send(cancelOf(2, id));
    await time.advance(2_000);
    expect(story()).toBe('2 canceled (canceled by the client)');
    expect(venue.truth().at(-1)?.status).toBe('CANCELLED');
  });
});

describe('a stop in doubt', () => {
  test.each(['oco', undefined] as const)('is found where it waits (echo: %s)', async (echo) => {
    const { time, venue, execution, story } = await holding({ echo });
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    execution.send(placeOf(2, stop()));
    await time.advance(100);
    expect(story()).toBe('2 in doubt');
    await time.advance(3_000);
    expect(story()).toBe('2 accepted');
    expect(execution.state().state).toBe('SYNCED');
  });

  test('that arrives late, as late as may be, is found and not given up', async () => {
    const { time, venue, execution, story } = await holding();
    venue.lateMs = LATE_MS - 1;
    venue.fault = (kind) => (kind === 'place' ? 'late' : undefined);
    execution.send(placeOf(2, stop()));
    await time.advance(15_000);
    expect(story()).toBe('2 in doubt, 2 accepted');
  });

  test('is not proven absent while the list of triggers cannot be read', async () => {
    const { time, venue, execution, story } = await holding();
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    const orders = venue.orders.bind(venue);
    venue.orders = (state, query) =>
      state === 'triggers' ? Promise.reject(new VenueError('timeout', 'no answer')) : orders(state, query);
    execution.send(placeOf(2, stop()));
    await time.advance(60_000);
    expect(story()).toBe('2 in doubt');
    venue.orders = orders;
    await time.advance(40_000);
    expect(story()).toBe('2 accepted');
  });

  test('that was lost is proven absent, by the list of triggers, too', async () => {
    const { time, venue, execution, story } = await holding();
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(2, stop()));
    await time.advance(15_000);
    expect(story()).toMatch(/^2 in doubt, 2 rejected \(not placed/);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('whose doubt was given up too early is still looked for, and canceled', async () => {
    const { time, venue, execution } = await holding();
    venue.lateMs = 60_000;
    venue.fault = (kind) => (kind === 'place' ? 'late' : undefined);
    execution.send(placeOf(2, stop()));
    await time.advance(70_000);
    expect(venue.truth().at(-1)).toMatchObject({ triggerPrice: 59_000, status: 'CANCELLED' });
    expect(execution.stats.surplus).toBe(1);
  });

  test('is not hindered by what others have waiting from of old, without a tag', async () => {
    const { time, venue, execution, story } = await holding({ echo: undefined });
    const old = venue.otherOrder({ ...placeOf(9, stop(580_000)).terms, lots: 3 as Lots });
    venue.fire(old, 'nothing to reduce');
    await time.advance(60_000);
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(2, stop()));
    await time.advance(15_000);
    expect(story()).toMatch(/^2 in doubt, 2 rejected \(not placed/);
  });
});

test('the twin of a stop, which the network made, is found and canceled', async () => {
  const { time, venue, execution } = await holding();
  venue.fault = (kind) => (kind === 'place' ? 'duplicate' : undefined);
  execution.send(placeOf(2, stop()));
  await time.advance(5_000);
  expect(venue.truth().slice(1)).toMatchObject([{ status: 'UNTRIGGERED' }, { status: 'CANCELLED' }]);
  expect(execution.openOrders()).toHaveLength(1);
  expect(execution.state().state).toBe('SYNCED');
});

test('the twin of a stop that has fired already is found as well', async () => {
  const { time, venue, execution, story } = await holding();
  // The answer is there, and the network delivers the request once more some seconds later.
  const place = venue.place.bind(venue);
  venue.place = async (market, terms, tag, options, lastWord) => {
    const outcome = await place(market, terms, tag, options, lastWord);
    void time.sleep(LATE_MS - 1_000).then(() => venue.otherOrder(terms, tag));
    return outcome;
  };
  execution.send(placeOf(2, stop()));
  await time.advance(100);
  const { id } = venue.truth().at(-1) as { id: string };
  venue.fire(id);
  venue.fill(id, 10, 590_000 as Ticks, 'taker');
  await time.advance(2_000);
  expect(story()).toBe('2 accepted, 2 filled 10@590000');
  await time.advance(20_000);
  expect(venue.truth().at(-1)).toMatchObject({ triggerPrice: 59_000, status: 'CANCELLED' });
  expect(execution.stats.surplus).toBe(1);
});

describe('the end of all own orders', () => {
  test('counts stops that wait, and leaves those of others alone', async () => {
    const { time, venue, execution, id } = await guarded();
    const other = venue.otherOrder(placeOf(9, stop(580_000)).terms);
    const left = await time.until(execution.cancelAllOwn(5_000));
    expect(left).toEqual([]);
    const statusOf = (of: string) => venue.truth().find((each) => each.id === of)?.status;
    expect([statusOf(id), statusOf(other)]).toEqual(['CANCELLED', 'UNTRIGGERED']);
  });

  test('finds a stop in doubt among those that wait', async () => {
    const { time, venue, execution } = await holding();
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    execution.send(placeOf(2, stop()));
    await time.advance(100);
    expect(await time.until(execution.cancelAllOwn(5_000))).toEqual([]);
    expect(venue.truth().at(-1)?.status).toBe('CANCELLED');
  });
});

describe('the end of all own orders but the stops', () => {
  const statusIn = ({ venue }: Pick<Harness, 'venue'>) => {
    return (of: string) => venue.truth().find((each) => each.id === of)?.status;
  };
  const keeping = ({ execution, time }: Harness) =>
    time.until(execution.cancelAllOwn(5_000, { keepsStops: true }));

  test('leaves the stop that guards the position, and nothing else', async () => {
    const all = await guarded();
    all.execution.send(placeOf(3));
    all.execution.send(placeOf(4, { ...stop(610_000), side: 'buy' }));
    await all.time.advance(1_000);
    const [entry = '', wrong = ''] = all.venue
      .truth()
      .slice(-2)
      .map(({ id }) => id);
    const startedAt = all.time.clock.monotonic();
    expect(await keeping(all)).toMatchObject([{ orderId: all.id, stage: 'live' }]);
    const status = statusIn(all);
    expect([all.id, entry, wrong].map(status)).toEqual(['UNTRIGGERED', 'CANCELLED', 'CANCELLED']);
    expect(all.execution.restingStops()).toMatchObject([{ orderId: all.id }]);
    // It is proven by two looks, not by the end of patience.
    expect(all.time.clock.monotonic() - startedAt).toBeLessThan(2_000);
  });

  test('leaves none where nothing is held, also where the last order canceled has changed that', async () => {
    const all = await guarded();
    all.execution.send(placeOf(3, { side: 'sell' }));
    await all.time.advance(1_000);
    const { id } = all.venue.truth().at(-1) as { id: string };
    const cancels = all.venue.cancelMany.bind(all.venue);
    all.venue.cancelMany = (ids) => {
      if (ids.includes(id)) all.venue.fill(id, 10, PRICE, 'maker');
      return cancels(ids);
    };
    expect(await keeping(all)).toEqual([]);
    expect(all.execution.position).toBe(0);
    expect(statusIn(all)(all.id)).toBe('CANCELLED');
    expect(all.execution.restingStops()).toEqual([]);
  });

  test('books what a stop does that fires meanwhile', async () => {
    const all = await guarded();
    all.story();
    const cancels = all.venue.cancelMany.bind(all.venue);
    all.execution.send(placeOf(3));
    await all.time.advance(100);
    all.venue.cancelMany = (ids) => {
      all.venue.fire(all.id);
      all.venue.fill(all.id, 10, 590_000 as Ticks, 'taker');
      return cancels(ids);
    };
    expect(await keeping(all)).toEqual([]);
    expect(all.story()).toContain('2 filled 10@590000');
    expect([all.execution.position, all.execution.restingStops()]).toEqual([0, []]);
  });

  test('finds a stop in doubt among those that wait, and leaves it', async () => {
    const all = await holding();
    all.venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    all.execution.send(placeOf(2, stop()));
    await all.time.advance(100);
    expect(await keeping(all)).toMatchObject([{ stage: 'live' }]);
    expect(all.venue.truth().at(-1)?.status).toBe('UNTRIGGERED');
  });

  test('leaves a stop that moves at one of its places', async () => {
    const all = await guarded();
    all.execution.send(placeOf(3, stop(591_000)));
    await all.time.advance(1_000);
    all.execution.send(cancelOf(2, all.id));
    const left = await keeping(all);
    const moved = all.venue.truth().at(-1);
    expect(left).toMatchObject([{ orderId: moved?.id }]);
    expect([statusIn(all)(all.id), moved?.status]).toEqual(['CANCELLED', 'UNTRIGGERED']);
  });

  test.each(['cancel', 'stop', 'flatten'] as const)('leaves none under a halt (%s)', async (level) => {
    const all = await guarded();
    all.execution.halt(level, 'why not', 'anna');
    expect(await keeping(all)).toEqual([]);
    expect(statusIn(all)(all.id)).toBe('CANCELLED');
  });

  test('leaves here under a halt that would cancel it at once, while an order that closes leaves', async () => {
    const all = await holding();
    all.execution.halt('flatten', 'why not', 'anna');
    const before = all.venue.truth().length;
    all.execution.send(placeOf(2, stop()));
    await all.time.advance(60_000);
    expect(all.venue.truth()).toHaveLength(before);
    expect(all.story()).toMatch(/^2 rejected .*flatten: why not/);
    const close = {
      side: 'sell',
      type: 'market',
      ticks: undefined,
      timeInForce: 'IOC',
      reduceOnly: true,
    } as const;
    all.execution.send(placeOf(3, close));
    await all.time.advance(1_000);
    expect(all.venue.truth()).toHaveLength(before + 1);
  });

  test('leaves it under a pause', async () => {
    const all = await guarded();
    all.execution.halt('pause', 'why not', 'anna');
    expect(await keeping(all)).toMatchObject([{ orderId: all.id }]);
  });
});

describe('a stop that an earlier life left', () => {
  /** A life that holds 10 lots, has a stop, and dies. */
  async function left(more: { readonly fault?: 'unanswered' } = {}) {
    const desk = new RestartDesk();
    const first = await desk.start();
    desk.venue.onArrival = (id) => desk.venue.fill(id, 10, PRICE, 'taker');
    first.execution.send(placeOf(1));
    await desk.time.advance(2_000);
    desk.venue.onArrival = () => undefined;
    desk.venue.fault = (kind) => (kind === 'place' ? more.fault : undefined);
    first.execution.send(placeOf(2, stop()));
    await desk.time.advance(more.fault === undefined ? 2_000 : 1);
    first.kill();
    desk.venue.fault = () => undefined;
    await desk.time.advance(5_000);
    const { id } = desk.venue.truth().at(-1) as { id: string };
    return { desk, id, status: () => desk.venue.truth().find((each) => each.id === id)?.status };
  }

  test.each([
    undefined,
    'unanswered',
  ] as const)('goes on guarding the position, and the pair is SYNCED (its answer: %s)', async (fault) => {
    const { desk, status } = await left(fault === undefined ? {} : { fault });
    const { execution } = await desk.start();
    await desk.time.advance(60_000);
    expect(execution.state()).toMatchObject({ state: 'SYNCED', permission: 'all' });
    expect(execution.openOrders()).toMatchObject([{ intent: 's1-2', stage: 'live' }]);
    expect(status()).toBe('UNTRIGGERED');
  });

  test('is canceled as soon as a stop of this session waits on its side', async () => {
    const { desk, status } = await left();
    const { execution } = await desk.start();
    await desk.time.advance(10_000);
    execution.send(placeOf(1, stop(591_000)));
    await desk.time.advance(1_000);
    expect(status()).toBe('CANCELLED');
    expect(execution.openOrders()).toMatchObject([{ intent: 's2-1', stage: 'live' }]);
  });

  test('stays while that of this session is in doubt or on the other side', async () => {
    const { desk, status } = await left();
    const { execution } = await desk.start();
    desk.venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1, stop(591_000)));
    await desk.time.advance(5_000);
    expect(status()).toBe('UNTRIGGERED');
    await desk.time.advance(20_000);
    desk.venue.fault = () => undefined;
    execution.send(placeOf(2, { ...stop(610_000), side: 'buy' }));
    await desk.time.advance(5_000);
    expect(status()).toBe('UNTRIGGERED');
  });

  test.each([
    ['is gone', 10],
    ['is on the other side', 14],
  ])('is canceled once the position %s', async (_, lots) => {
    const { desk, status } = await left();
    const { execution } = await desk.start();
    desk.venue.onArrival = (id) => desk.venue.fill(id, lots, PRICE, 'taker');
    execution.send(placeOf(1, { side: 'sell', lots: lots as Lots }));
    await desk.time.advance(100);
    expect(status()).toBe('CANCELLED');
  });

  test('does not come back with the position: it was meant for another one', async () => {
    const { desk, status } = await left();
    const { execution } = await desk.start();
    desk.venue.fault = (kind) => (kind === 'cancel' ? 'lost' : undefined);
    desk.venue.onArrival = (id) => desk.venue.fill(id, 10, PRICE, 'taker');
    execution.send(placeOf(1, { side: 'sell' }));
    await desk.time.advance(100);
    execution.send(placeOf(2));
    await desk.time.advance(100);
    expect(status()).toBe('UNTRIGGERED');
    desk.venue.fault = () => undefined;
    await desk.time.advance(60_000);
    expect(status()).toBe('CANCELLED');
  });

  test('is canceled at once where nothing is held any more', async () => {
    const { desk, status } = await left();
    desk.venue.otherFill('sell', 10, PRICE);
    const { execution } = await desk.start({ external: 'adopt' });
    await desk.time.advance(20_000);
    expect([execution.position, status()]).toEqual([0, 'CANCELLED']);
  });

  test('that fires meanwhile changes the position, and no order of the engine', async () => {
    const { desk, id } = await left();
    const life = await desk.start();
    desk.venue.fire(id);
    desk.venue.fill(id, 10, 590_000 as Ticks, 'taker');
    await desk.time.advance(3_000);
    expect(life.reports).toMatchObject([{ kind: 'late-fill', intentId: undefined, fill: { lots: 10 } }]);
    expect([life.execution.position, life.execution.state().state]).toEqual([0, 'SYNCED']);
  });

  test('is left again by a life that gives way before it has a stop of its own', async () => {
    const { desk, id, status } = await left();
    const { execution } = await desk.start();
    expect(execution.leftStops()).toMatchObject([{ orderId: id }]);
    const rest = await desk.time.until(execution.cancelAllOwn(5_000, { keepsStops: true }));
    expect(rest).toMatchObject([{ orderId: id }]);
    await desk.time.until(execution.stop(100));
    const third = await desk.start();
    await desk.time.advance(60_000);
    expect([status(), third.execution.state().state]).toEqual(['UNTRIGGERED', 'SYNCED']);
  });

  test('is canceled by a life that gives way with a stop of its own, which stays', async () => {
    const { desk, status } = await left();
    const { execution } = await desk.start();
    desk.venue.fault = (kind) => (kind === 'cancel' ? 'lost' : undefined);
    execution.send(placeOf(1, stop(591_000)));
    await desk.time.advance(500);
    expect(status()).toBe('UNTRIGGERED');
    desk.venue.fault = () => undefined;
    const rest = await desk.time.until(execution.cancelAllOwn(5_000, { keepsStops: true }));
    expect(rest).toMatchObject([{ intent: 's2-1', stage: 'live' }]);
    expect([status(), execution.leftStops()]).toEqual(['CANCELLED', []]);
  });

  test('is canceled by a halt above pause, and by a stop', async () => {
    const { desk, status } = await left();
    const { execution } = await desk.start();
    execution.halt('cancel', 'why not', 'anna');
    await desk.time.advance(1_000);
    expect(status()).toBe('CANCELLED');

    const again = await left();
    const life = await again.desk.start();
    expect(await again.desk.time.until(life.execution.cancelAllOwn(5_000))).toEqual([]);
    expect(again.status()).toBe('CANCELLED');
  });
});
