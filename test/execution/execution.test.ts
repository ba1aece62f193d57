import { describe, expect, test } from 'vitest';
import { InvariantError } from '../../src/model/errors.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { VenueError } from '../../src/ports/venue-api.js';
import { BTC } from '../support/markets.js';
import { cancelOf, harness, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;

describe('placing', () => {
  test('returns before anything was answered and reports the acceptance when it comes', async () => {
    const { time, venue, execution, story } = await harness();
    venue.latency = () => 200;
    execution.send(placeOf(1));
    expect(story()).toBe('');
    await time.advance(199);
    expect(story()).toBe('');
    await time.advance(1);
    expect(story()).toBe('1 accepted');
    expect(execution.openOrders()).toMatchObject([{ intent: 's1-1', stage: 'live', leaves: 10 }]);
  });

  test('tags an order with session and intent only where the venue echoes the tag', async () => {
    const tagged = await harness();
    tagged.execution.send(placeOf(7));
    await tagged.time.advance(0);
    expect(tagged.venue.truth().map(({ oco }) => oco)).toEqual(['s1-7']);

    const plain = await harness({ echo: undefined });
    plain.execution.send(placeOf(7));
    await plain.time.advance(0);
    expect(plain.venue.truth().map(({ oco }) => oco)).toEqual([undefined]);
  });

  test('throws when an intent is to be placed twice, also after its end', async () => {
    const { time, venue, execution, count } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'refuse' : undefined);
    execution.send(placeOf(1));
    expect(() => execution.send(placeOf(1))).toThrow(InvariantError);
    await time.advance(100);
    expect(() => execution.send(placeOf(1))).toThrow('an intent must be placed once');
    expect(count('place')).toBe(1);
  });

  test('posts one at a time, in the order of the commands', async () => {
    const { time, venue, execution, story } = await harness();
    venue.latency = () => 100;
    for (const id of [1, 2, 3]) execution.send(placeOf(id));
    await time.advance(150);
    expect(story()).toBe('1 accepted');
    await time.advance(150);
    expect(story()).toBe('2 accepted, 3 accepted');
    expect(venue.overlap.get('place')).toBe(1);
    expect(venue.calls.filter(({ kind }) => kind === 'place').map(({ at }) => at)).toEqual([0, 100, 200]);
  });

  test('lets a cancel overtake the places that wait', async () => {
    const { time, venue, execution, story } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    const [order] = venue.truth();
    venue.latency = (kind) => (kind === 'place' ? 500 : 200);
    for (const id of [2, 3, 4]) execution.send(placeOf(id));
    execution.send(cancelOf(1, order!.id));
    story();
    // The cancel leaves at once and is proven after 400 ms; the places take 500 ms each.
    await time.advance(1_100);
    expect(story()).toBe('1 canceled (canceled by the client), 2 accepted, 3 accepted');
  });

  test('reports refused and not sent as rejected, with the reason', async () => {
    const { time, venue, execution, reports, story } = await harness();
    venue.fault = () => 'refuse';
    execution.send(placeOf(1));
    await time.advance(10);
    venue.fault = () => 'not-sent';
    execution.send(placeOf(2));
    await time.advance(10);
    expect(reports.map((report) => 'unsent' in report)).toEqual([false, true]);
    expect(story()).toBe('1 rejected (insufficient balance), 2 rejected (not sent: connection refused)');
    expect(execution.openOrders()).toEqual([]);
  });

  test('uses fills and end of the acceptance itself, without another request', async () => {
    const { time, venue, execution, story, count, reports } = await harness();
    venue.onArrival = (id) => {
      venue.fill(id, 4, PRICE, 'taker', 0.12345678);
      venue.end(id, 'IOC remainder');
    };
    execution.send(placeOf(1, { timeInForce: 'IOC' }));
    await time.advance(10_000);
    expect(reports.find((report) => report.kind === 'filled')?.fill).toEqual({
      id: '1',
      orderId: '1000',
      time: 1_700_000_000_000,
      side: 'buy',
      lots: 4,
      ticks: 600_000,
      liquidity: 'taker',
      fee: 12_345_678n,
    });
    expect(story()).toBe('1 accepted, 1 filled 4@600000, 1 canceled (IOC remainder)');
    expect(count('order')).toBe(0);
  });

  test('refuses to place on a pair it does not know', async () => {
    const { execution } = await harness();
    expect(() => execution.send(placeOf(1, {}, 'USD_XYZ'))).toThrow(InvariantError);
  });
});

describe('watching', () => {
  test('reports fills as they show, each once, and the last one as the end', async () => {
    const { time, venue, execution, story, count } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    const [order] = venue.truth();
    venue.fill(order!.id, 3, PRICE);
    await time.advance(2_000);
    expect(story()).toBe('1 accepted, 1 filled 3@600000');
    venue.fill(order!.id, 2, PRICE);
    venue.fill(order!.id, 5, (PRICE - 5) as Ticks);
    await time.advance(2_000);
    expect(story()).toBe('1 filled 2@600000, 1 filled 5@599995');
    const before = count('orders');
    await time.advance(60_000);
    // With nothing open one look every 5 s keeps what was agreed fresh.
    expect(count('orders') - before).toBe(12);
    expect(execution.openOrders()).toEqual([]);
  });

  test('tells maker from taker by the side', async () => {
    const { time, venue, execution, reports } = await harness();
    execution.send(placeOf(1));
    execution.send(placeOf(2, { side: 'sell' }));
    await time.advance(10);
    const [buy, sell] = venue.truth();
    venue.fill(buy!.id, 1, PRICE, 'maker', -0.02);
    venue.fill(buy!.id, 1, PRICE, 'taker');
    venue.fill(sell!.id, 1, PRICE, 'maker');
    venue.fill(sell!.id, 1, PRICE, 'taker');
    await time.advance(2_000);
    const fills = reports.flatMap((report) => (report.kind === 'filled' ? [report.fill] : []));
    expect(fills.map(({ side, liquidity }) => `${side} ${liquidity}`)).toEqual([
      'buy maker',
      'buy taker',
      'sell maker',
      'sell taker',
    ]);
    expect(fills[0]?.fee).toBe(-2_000_000n);
  });

  test('reports an end that the venue itself made, with its reason', async () => {
    const { time, venue, execution, story } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    venue.end(venue.truth()[0]!.id, 'position closed');
    await time.advance(2_000);
    expect(story()).toBe('1 accepted, 1 canceled (position closed)');
  });

  test('does not take a status it does not know for an end', async () => {
    const { time, venue, execution, story } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    venue.end(venue.truth()[0]!.id, 'odd', 'PENDING');
    await time.advance(120_000);
    expect(story()).toBe('1 accepted');
    expect(execution.openOrders()).toMatchObject([{ stage: 'live' }]);
  });

  test('asks for one list for all orders, and looks at what brings nothing more and more rarely', async () => {
    const { time, venue, execution, count } = await harness();
    for (let id = 1; id <= 20; id++) execution.send(placeOf(id));
    await time.advance(10_500);
    expect(count('orders')).toBe(10);
    expect(count('order')).toBe(0);
    venue.end(venue.truth()[0]!.id, 'odd', 'PENDING');
    await time.advance(120_000);
    // 1, 2, 4, 8, 16 and then 30 s apart.
    expect(count('order')).toBeLessThan(12);
  });

  test('waits for an end that stays the same as long as the venue may show old news', async () => {
    const { time, venue, execution, story } = await harness({ visibilityMs: 3_000 });
    execution.send(placeOf(1));
    await time.advance(10);
    venue.end(venue.truth()[0]!.id, 'gone');
    await time.advance(2_500);
    expect(story()).toBe('1 accepted');
    await time.advance(4_000);
    expect(story()).toBe('1 canceled (gone)');
  });

  test('is in doubt, and invents nothing, when a venue does not show the fills of an order', async () => {
    const { time, venue, execution, story, errors } = await harness();
    venue.showsFills = false;
    execution.send(placeOf(1));
    await time.advance(10);
    venue.fill(venue.truth()[0]!.id, 4, PRICE);
    await time.advance(30_000);
    expect(story()).toBe('1 accepted, 1 in doubt');
    expect(execution.openOrders()).toMatchObject([{ stage: 'in-doubt', leaves: 10 }]);
    expect(errors).toEqual(['an order is in doubt']);
    // The fills show at last.
    venue.showsFills = true;
    await time.advance(60_000);
    expect(story()).toBe('1 filled 4@600000, 1 accepted');
    expect(execution.openOrders()).toMatchObject([{ stage: 'live', leaves: 6 }]);
  });

  test('survives an outage and then reports what happened in it', async () => {
    const { time, venue, execution, story } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    venue.fault = () => 'fail';
    venue.fill(venue.truth()[0]!.id, 10, PRICE);
    await time.advance(60_000);
    expect(story()).toBe('1 accepted');
    venue.fault = () => undefined;
    await time.advance(31_000);
    expect(story()).toBe('1 filled 10@600000');
    expect(venue.overlap.get('orders')).toBe(1);
  });
});

describe('doubt', () => {
  test('an executed order whose answer was lost is found by its tag, with its fills', async () => {
    const { time, venue, execution, story, count } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    venue.onArrival = (id) => venue.fill(id, 10, PRICE);
    execution.send(placeOf(1));
    await time.advance(5_000);
    expect(story()).toBe('1 in doubt, 1 accepted, 1 filled 10@600000');
    expect(count('place')).toBe(1);
  });

  test('is resolved where lists are longer than an answer: found behind the first page, or proven absent', async () => {
    const { time, venue, execution, story } = await harness({ listLimit: 5 });
    const others = async (count: number) => {
      for (let i = 0; i < count; i++) {
        venue.otherOrder(placeOf(1).terms);
        await time.advance(100);
      }
    };
    await others(12);
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    execution.send(placeOf(1));
    await others(12);
    await time.advance(2_000);
    expect(story()).toBe('1 in doubt, 1 accepted');
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(2));
    await others(12);
    await time.advance(20_000);
    expect(story()).toMatch(/^2 in doubt, 2 rejected \(not placed/);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('is not resolved by a list that cannot be read whole, and the pair says which it is', async () => {
    const { time, venue, execution, story } = await harness({ listLimit: 5 });
    for (let i = 0; i < 5; i++) venue.otherOrder(placeOf(1).terms);
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    await time.advance(40_000);
    expect(story()).toBe('1 in doubt');
    const { state, reason } = execution.state();
    expect(state).toBe('SUSPECT');
    expect(reason).toMatch(/^order s1-1 is in doubt/);
    expect(reason).toMatch(/orders \(active\) of one millisecond are 5 or more: \d+$/);
  });

  test('an order that arrives late is found too', async () => {
    const { time, venue, execution, story } = await harness({ lateMs: 12_000 });
    venue.fault = (kind) => (kind === 'place' ? 'late' : undefined);
    execution.send(placeOf(1));
    await time.advance(9_000);
    expect(story()).toBe('1 in doubt');
    await time.advance(30_000);
    expect(story()).toBe('1 accepted');
  });

  test('an order that never arrived is proven absent, and its quantity stays reserved', async () => {
    const { time, venue, execution, reports, count } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    await time.advance(5_900);
    // Until it can no longer be executed, nobody knows.
    expect(reports.map(({ kind }) => kind)).toEqual(['in-doubt']);
    expect(execution.state()).toMatchObject({ state: 'SUSPECT', permission: 'reduce-only' });
    await time.advance(4_000);
    const [, verdict] = reports;
    expect(verdict).toMatchObject({
      kind: 'rejected',
      intentId: 1,
      reason: expect.stringMatching(/^not placed/),
    });
    const judgedAt = verdict!.time;
    expect(verdict).toHaveProperty('reservedUntil', judgedAt + 600_000);
    expect(execution.state().state).toBe('SYNCED');
    expect(execution.openOrders()).toEqual([]);
    expect(count('place')).toBe(1);
  });

  test('an order is not proven absent while the clock by which the venue would refuse it stands still', async () => {
    const { time, venue, execution, story } = await harness({ fenceMs: 5_000 });
    const stopsAt = venue.venueTime + 3_000;
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    await time.advance(3_000);
    venue.clockFrozenAt = stopsAt;
    // By our own clock it could not be executed for minutes now.
    await time.advance(300_000);
    expect(story()).toBe('1 in doubt');
    const { permission, reason } = execution.state();
    expect(permission).toBe('reduce-only');
    expect(reason).toBe(
      'order s1-1 is in doubt: the venue may take s1-1 until its clock, by what it tells of its time, is past what it was given',
    );
    venue.clockFrozenAt = stopsAt + 2_001;
    await time.advance(4_000);
    expect(story()).toMatch(/^1 rejected \(not placed/);
    expect(execution.state().permission).toBe('all');
  });

  test('the venue is asked for its time where nothing else keeps an order from being proven absent', async () => {
    const { time, venue, execution, story } = await harness({ fenceMs: 5_000 });
    let asked = 0;
    Object.assign(venue.clock, {
      answered: () => (asked > 1 ? venue.venueTime : Number.NEGATIVE_INFINITY),
      // The first time it does not tell.
      sync: () => (++asked > 1 ? Promise.resolve() : Promise.reject(new Error('no answer'))),
    });
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    await time.advance(5_900);
    expect(asked).toBe(0);
    await time.advance(6_000);
    expect(asked).toBe(2);
    expect(story()).toMatch(/^1 in doubt, 1 rejected \(not placed/);
  });

  test.each([
    [9_000, 'bound'],
    [11_000, 'kept'],
  ])('without a tag an order that rests is not given up where our idea of the clock was %d ms ahead', async (aheadMs, outcome) => {
    const { time, venue, execution, story } = await harness({
      echo: undefined,
      lateMs: 60_000,
      lists: ['active', 'all', 'completed', 'canceled', 'filled', 'partial'],
    });
    Object.assign(venue.clock, { now: () => venue.venueTime + aheadMs });
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    execution.send(placeOf(1));
    for (let i = 0; i < 60; i++) await time.advance(30_000);
    const told = story();
    expect(told).not.toMatch(/not placed/);
    const { state, reason } = execution.state();
    if (outcome === 'bound') expect([told, state]).toEqual(['1 in doubt, 1 accepted', 'SYNCED']);
    else {
      expect(told).toBe('1 in doubt');
      expect(state).toBe('QUARANTINED');
      expect(reason).toMatch(/another one may be it/);
    }
  });

  test('without a tag one of the same kind that rested before it was sent is not it', async () => {
    const { time, venue, execution, story } = await harness({
      echo: undefined,
      lateMs: 60_000,
      lists: ['active', 'all', 'completed', 'canceled', 'filled', 'partial'],
    });
    venue.otherOrder(placeOf(1).terms);
    await time.advance(60_000);
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    for (let i = 0; i < 60; i++) await time.advance(30_000);
    expect(story()).toMatch(/^1 in doubt, 1 rejected \(not placed/);
  });

  test('one clean scan is not enough, and none that began too early', async () => {
    const { time, venue, execution, reports } = await harness({ visibilityMs: 3_000 });
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    // The first scan that counts begins at 6 s or later, the second 3 s after it.
    await time.advance(8_900);
    expect(reports.map(({ kind }) => kind)).toEqual(['in-doubt']);
    await time.advance(2_500);
    expect(reports.map(({ kind }) => kind)).toEqual(['in-doubt', 'rejected']);
  });

  test('what shows up after it was given up is canceled, and its fills are in the position', async () => {
    const { time, venue, execution, story } = await harness();
    venue.lateMs = 30_000;
    venue.fault = (kind) => (kind === 'place' ? 'late' : undefined);
    venue.onArrival = (id) => venue.fill(id, 4, PRICE, 'taker');
    execution.send(placeOf(1));
    await time.advance(20_000);
    expect(story()).toMatch(/^1 in doubt, 1 rejected/);
    await time.advance(20_000);
    expect(story()).toBe('1 late-fill 4@600000');
    expect(venue.truth().map(({ status }) => status)).toEqual(['CANCELLED']);
    expect(execution.position).toBe(4);
    expect(execution.state().state).toBe('SYNCED');
    expect(execution.stats.surplus).toBe(1);
  });

  test('reads that never come to rest contradict nothing: an order in doubt waits for better ones', async () => {
    const { time, venue, execution, reports } = await harness();
    const position = venue.position.bind(venue);
    let reads = 0;
    venue.position = async (pair) => ({ ...(await position(pair)), size: reads++ % 2 === 0 ? 0 : 0.001 });
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    await time.advance(300_000);
    expect(execution.state().state).toBe('SUSPECT');
    venue.position = position;
    await time.advance(60_000);
    expect(reports.map(({ kind }) => kind)).toEqual(['in-doubt', 'rejected']);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('is resolved by what the order lists show, however often the other reads fail', async () => {
    const { time, venue, execution, story } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : kind === 'position' ? 'fail' : undefined);
    execution.send(placeOf(1));
    await time.advance(5_000);
    expect(story()).toBe('1 in doubt, 1 accepted');
    expect(execution.openOrders()).toMatchObject([{ intent: 's1-1', stage: 'live' }]);
  });

  test('names nobody else for what a look that failed did not recognise', async () => {
    const { time, venue, execution } = await harness({ echo: undefined });
    const orders = venue.orders.bind(venue);
    const position = venue.position.bind(venue);
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    venue.orders = async (...args) =>
      (await orders(...args)).map((record) => ({ ...record, priceOriginal: 1 }));
    venue.position = () => Promise.reject(new VenueError('unreachable', 'no position'));
    execution.send(placeOf(1));
    const other = venue.otherOrder(placeOf(9, { lots: 3 as Lots }).terms);
    await time.advance(5_000);
    venue.end(other, 'its owner');
    venue.orders = orders;
    venue.position = position;
    // The first look that sees it: the next one comes a second later.
    for (let i = 0; i < 400 && execution.openOrders()[0]?.stage !== 'live'; i++) await time.advance(100);
    await time.advance(200);
    expect(execution.openOrders()).toMatchObject([{ intent: 's1-1', stage: 'live' }]);
    expect(execution.foreign).toEqual({ orders: [], fills: 0 });
  });

  describe('beside a fill of no known order', () => {
    /** An order in doubt that lists show with a wrong price until `honest` is called. */
    async function garbled({ filled } = { filled: false }) {
      const all = await harness({ echo: undefined });
      const { venue } = all;
      const orders = venue.orders.bind(venue);
      venue.orders = async (...args) =>
        (await orders(...args)).map((record) => ({ ...record, priceOriginal: 1 }));
      venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
      if (filled) venue.onArrival = (id) => venue.fill(id, 10, PRICE);
      all.execution.send(placeOf(1));
      const honest = () => {
        venue.orders = orders;
      };
      return { ...all, honest };
    }

    test('that it could have, and of no order that looks like it, the operator is called soon', async () => {
      const { time, venue, execution } = await harness({ echo: undefined });
      venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
      execution.send(placeOf(1));
      venue.otherOrder(placeOf(9, { lots: 3 as Lots, ticks: (PRICE - 5) as Ticks }).terms);
      venue.otherFill('buy', 3, PRICE);
      await time.advance(200_000);
      expect(execution.state().state).toBe('QUARANTINED');
    });

    test('that it could have, better reads are waited for', async () => {
      const { time, execution, story, honest } = await garbled({ filled: true });
      await time.advance(300_000);
      expect(execution.state()).toMatchObject({ state: 'SUSPECT', permission: 'reduce-only' });
      honest();
      await time.advance(5_000);
      expect(story()).toBe('1 in doubt, 1 accepted, 1 filled 10@600000');
      expect(execution.state().state).toBe('SYNCED');
    });

    test('that it could have, an operator is called after ten minutes', async () => {
      const { time, execution } = await garbled({ filled: true });
      await time.advance(600_000);
      expect(execution.state().state).toBe('SUSPECT');
      await time.advance(10_000);
      expect(execution.state()).toMatchObject({
        state: 'QUARANTINED',
        reason:
          'an order is in doubt and the evidence contradicts itself: fill 1 is of no order that is known',
      });
    });

    describe.each([false, true])('filled by itself: %s', (filled) => {
      test.each([
        ['of the other side', 'sell', 3, PRICE, false],
        ['at a price that it forbids', 'buy', 3, (PRICE + 1) as Ticks, false],
        ['of more than it asked for', 'buy', 11, PRICE, false],
        ['that is too much with its own', 'buy', filled ? 1 : 11, PRICE, false],
        ['by a liquidation', 'buy', 3, PRICE, true],
      ] as const)('%s, that it cannot have, the operator is called soon', async (_, side, lots, ticks, liquidation) => {
        const { time, venue, execution } = await garbled({ filled });
        await time.advance(100);
        venue.otherFill(side, lots, ticks, liquidation);
        await time.advance(200_000);
        expect(execution.state().state).toMatch(/^(?:QUARANTINED|HALTED)$/);
      });
    });

    test('that was unreadable for long, better reads are waited for once it is seen', async () => {
      const { time, venue, execution, story, honest } = await garbled({ filled: true });
      const broken = venue.fault;
      venue.fault = (kind) => (kind === 'orders' || kind === 'fills' ? 'fail' : broken(kind));
      await time.advance(660_000);
      venue.fault = broken;
      await time.advance(100_000);
      expect(execution.state().state).toBe('SUSPECT');
      honest();
      await time.advance(5_000);
      expect(story()).toBe('1 in doubt, 1 accepted, 1 filled 10@600000');
    });

    test('that it could have, an operator is called however often a look in between says nothing', async () => {
      const { time, venue, execution } = await garbled({ filled: true });
      const position = venue.position.bind(venue);
      for (let minute = 0; minute < 12; minute++) {
        // The venue moves while it is read.
        let reads = 0;
        venue.position = async (pair) => {
          const record = await position(pair);
          return reads++ % 2 === 0 ? record : { ...record, size: record.size + 0.001 };
        };
        await time.advance(1_000);
        venue.position = position;
        await time.advance(89_000);
      }
      expect(execution.state().state).toBe('QUARANTINED');
    });

    test('is that of an order found after all: nothing says that it was not placed', async () => {
      const { time, execution, story, honest } = await garbled({ filled: true });
      await time.advance(620_000);
      expect(execution.state().state).toBe('QUARANTINED');
      honest();
      await time.advance(60_000);
      expect(story()).toBe('1 in doubt, 1 accepted, 1 filled 10@600000');
      expect(execution.openOrders()).toEqual([]);
      expect(execution.position).toBe(10);
    });
  });

  test('without an echoed tag an order is known by what it asked for', async () => {
    const { time, venue, execution, story } = await harness({ echo: undefined });
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    execution.send(placeOf(1));
    await time.advance(3_000);
    expect(story()).toBe('1 in doubt, 1 accepted');
  });

  test('while an order is in doubt nothing that adds risk leaves, and what reduces does', async () => {
    const { time, venue, execution, story, count } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(1));
    await time.advance(100);
    venue.fault = () => undefined;
    execution.send(placeOf(2));
    execution.send(placeOf(3, { side: 'sell', reduceOnly: true }));
    await time.advance(100);
    expect(story()).toBe(
      '1 in doubt, 2 rejected (not sent: USD_BTC_PERP is SUSPECT: order s1-1 is in doubt), 3 accepted',
    );
    expect(count('place')).toBe(2);
  });

  test('a client that throws proves nothing either', async () => {
    const { time, venue, execution, story } = await harness();
    const place = venue.place.bind(venue);
    venue.place = async (...args) => {
      await place(...args);
      throw new TypeError('a bug in the client');
    };
    execution.send(placeOf(1));
    await time.advance(3_000);
    expect(story()).toBe('1 in doubt, 1 accepted');
  });

  test('an order doubled on its way is bound once, and the other canceled', async () => {
    const { time, venue, execution, story, errors } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'duplicate' : undefined);
    execution.send(placeOf(1));
    await time.advance(5_000);
    expect(story()).toBe('1 in doubt, 1 accepted');
    expect(venue.truth().map(({ status }) => status)).toEqual(['ACTIVE', 'CANCELLED']);
    expect(execution.stats.surplus).toBe(1);
    expect(errors).toContain('the venue holds an order of ours that nobody wants');
  });
});

describe('lists that are under way', () => {
  test('an order whose own answer is still under way is not taken for a surplus one', async () => {
    const { time, venue, execution, story } = await harness();
    execution.send(placeOf(1));
    await time.advance(500);
    venue.latency = (kind) => (kind === 'place' ? 4_000 : 0);
    execution.send(placeOf(2));
    await time.advance(4_500);
    expect(story()).toBe('1 accepted, 2 accepted');
    expect(execution.stats.surplus).toBe(0);
    expect(venue.truth().map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('an order that ended while an older list was under way is not taken for a surplus one', async () => {
    const { time, venue, execution, story } = await harness();
    execution.send(placeOf(1));
    execution.send(placeOf(2));
    await time.advance(900);
    venue.latency = (kind) => (kind === 'orders' ? 2_000 : 0);
    // The venue looks at 2 000, the answer arrives at 3 000.
    await time.advance(1_200);
    execution.send(cancelOf(1, venue.truth()[0]!.id));
    await time.advance(2_000);
    expect(story()).toBe('1 accepted, 2 accepted, 1 canceled (canceled by the client)');
    expect(execution.stats.surplus).toBe(0);
  });
});

describe('canceling', () => {
  async function live(more: Parameters<typeof harness>[0] = {}) {
    const desk = await harness(more);
    desk.execution.send(placeOf(1));
    await desk.time.advance(10);
    desk.story();
    const { id } = desk.venue.truth()[0]!;
    return { ...desk, id };
  }

  test('believes no answer, only the order as it is read afterwards', async () => {
    const { time, execution, story, id, count } = await live();
    execution.send(cancelOf(1, id));
    await time.advance(100);
    expect(story()).toBe('1 canceled (canceled by the client)');
    expect(count('order')).toBe(1);
  });

  test('a fill that crossed the cancel comes first, then the end', async () => {
    const { time, venue, execution, story, id } = await live();
    venue.latency = () => 100;
    execution.send(cancelOf(1, id));
    venue.fill(id, 4, PRICE);
    await time.advance(1_000);
    expect(story()).toBe('1 filled 4@600000, 1 canceled (canceled by the client)');
  });

  test('an order that was filled before the cancel arrived ends as filled, without another word', async () => {
    const { time, venue, execution, story, id } = await live();
    execution.send(cancelOf(1, id));
    venue.fill(id, 10, PRICE);
    await time.advance(5_000);
    expect(story()).toBe('1 filled 10@600000');
    execution.send(cancelOf(1, id));
    await time.advance(5_000);
    expect(story()).toBe('');
  });

  test('a cancel without an answer is asked again, at most five times', async () => {
    const { time, venue, execution, story, id, count } = await live();
    venue.fault = (kind) => (kind === 'cancel' ? 'lost' : undefined);
    execution.send(cancelOf(1, id));
    execution.send(cancelOf(1, id));
    await time.advance(20_000);
    expect(story()).toBe('1 cancel-rejected (timeout)');
    expect(count('cancel')).toBe(5);
    venue.fault = () => undefined;
    execution.send(cancelOf(1, id));
    await time.advance(1_000);
    expect(story()).toBe('1 canceled (canceled by the client)');
  });

  test('a cancel that worked without an answer is not asked again', async () => {
    const { time, venue, execution, story, id, count } = await live();
    venue.fault = (kind) => (kind === 'cancel' ? 'unanswered' : undefined);
    execution.send(cancelOf(1, id));
    await time.advance(5_000);
    expect(story()).toBe('1 canceled (canceled by the client)');
    expect(count('cancel')).toBe(1);
  });

  test('a cancel asked for again by whoever hears of the failure is sent again', async () => {
    const { time, venue, execution, story, id } = await live();
    venue.fault = (kind) => (kind === 'cancel' ? 'refuse' : undefined);
    execution.reports$.subscribe((report) => {
      if (report.kind !== 'cancel-rejected') return;
      venue.fault = () => undefined;
      execution.send(cancelOf(1, id));
    });
    execution.send(cancelOf(1, id));
    await time.advance(5_000);
    expect(story()).toBe('1 cancel-rejected (system busy), 1 canceled (canceled by the client)');
  });

  test('a refused cancel of a living order is reported with its reason, and not asked again', async () => {
    const { time, venue, execution, story, id, count } = await live();
    venue.fault = (kind) => (kind === 'cancel' ? 'refuse' : undefined);
    execution.send(cancelOf(1, id));
    await time.advance(5_000);
    expect(story()).toBe('1 cancel-rejected (system busy)');
    expect(count('cancel')).toBe(1);
  });

  test('a refused cancel says nothing while the order cannot be read', async () => {
    const { time, venue, execution, story, id } = await live();
    const faults = new Map<string, 'refuse' | 'fail'>([
      ['cancel', 'refuse'],
      ['order', 'fail'],
    ]);
    venue.fault = (kind) => {
      const fault = faults.get(kind);
      faults.delete(kind);
      return fault;
    };
    execution.send(cancelOf(1, id));
    await time.advance(900);
    expect(story()).toBe('1 canceled (canceled by the client)');
  });

  test('a cancel of an order of nobody is rejected, not sent', async () => {
    const { time, execution, story, count } = await live();
    execution.send(cancelOf(99, '4711'));
    await time.advance(100);
    expect(story()).toBe('99 cancel-rejected (no such order of this session is live)');
    expect(count('cancel')).toBe(0);
  });
});

describe('shutting down', () => {
  test('cancels all own orders, leaves those of others, and proves it by two lists', async () => {
    const { time, venue, execution, story, count } = await harness();
    for (const id of [1, 2, 3]) execution.send(placeOf(id));
    await time.advance(10);
    for (const tag of ['of-someone-else', 's1-b-1']) await venue.place(BTC, placeOf(9).terms, tag);
    story();
    const left = await time.until(execution.cancelAllOwn(10_000));
    expect(left).toEqual([]);
    expect(story()).toBe([1, 2, 3].map((id) => `${id} canceled (canceled by the client)`).join(', '));
    expect(venue.truth().map(({ status }) => status)).toEqual([
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
      'ACTIVE',
      'ACTIVE',
    ]);
    expect(count('orders')).toBe(3);
    expect(count('cancelMany')).toBe(1);
  });

  test('asks again while orders stay, and finds what arrived from doubt', async () => {
    const { time, venue, execution } = await harness();
    venue.fault = (kind) => (kind === 'place' ? 'unanswered' : undefined);
    execution.send(placeOf(1));
    await time.advance(10);
    let lost = 2;
    venue.fault = (kind) => (kind === 'cancelMany' && lost-- > 0 ? 'lost' : undefined);
    expect(await time.until(execution.cancelAllOwn(10_000))).toEqual([]);
    expect(venue.truth().map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  test('cancels also the orders that do not fit into one answer', async () => {
    const { time, venue, execution } = await harness({ listLimit: 3 });
    for (let id = 1; id <= 10; id++) {
      execution.send(placeOf(id));
      await time.advance(100);
    }
    await time.until(execution.cancelAllOwn(10_000));
    expect(venue.truth().filter(({ status }) => status === 'ACTIVE')).toEqual([]);
    expect(execution.openOrders()).toEqual([]);
  });

  test('cancels what is known to live while no list can be read, and asks ever more rarely what is not answered', async () => {
    const { time, venue, execution, count } = await harness();
    for (const id of [1, 2]) {
      execution.send(placeOf(id));
      await time.advance(10);
    }
    let lost = 3;
    venue.fault = (kind) => {
      if (kind === 'orders' || kind === 'order') return 'fail';
      return kind === 'cancelMany' && lost-- > 0 ? 'lost' : undefined;
    };
    const left = await time.until(execution.cancelAllOwn(10_000));
    expect(venue.truth().map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
    expect(count('cancelMany')).toBe(4);
    // Canceled, and not proven: nobody saw it.
    expect(left).toMatchObject([
      { intent: 's1-1', stage: 'live' },
      { intent: 's1-2', stage: 'live' },
    ]);
  });

  test('does not flood a venue that answers no cancel', async () => {
    const { time, venue, execution, count } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    venue.fault = (kind) => (kind === 'cancelMany' ? 'lost' : undefined);
    await time.until(execution.cancelAllOwn(10_000));
    expect(count('cancelMany')).toBeGreaterThan(5);
    expect(count('cancelMany')).toBeLessThan(12);
  });

  test('says at the deadline what is left', async () => {
    const { time, venue, execution, story } = await harness();
    execution.send(placeOf(1));
    await time.advance(10);
    venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
    execution.send(placeOf(2));
    await time.advance(10);
    venue.fault = () => 'fail';
    story();
    const before = time.now;
    const left = await time.until(execution.cancelAllOwn(3_000));
    expect(time.now - before).toBe(3_000);
    expect(left).toMatchObject([
      { intent: 's1-1', stage: 'live' },
      { intent: 's1-2', stage: 'in-doubt' },
    ]);
  });

  test('sends no place any more: what waits, and what comes, is rejected as not sent', async () => {
    const { time, venue, execution, story, count } = await harness();
    venue.latency = () => 100;
    execution.send(placeOf(1));
    execution.send(placeOf(2));
    const over = execution.cancelAllOwn(10_000);
    expect(story()).toBe('2 rejected (not sent: shutting down)');
    execution.send(placeOf(3));
    expect(story()).toBe('3 rejected (not sent: shutting down)');
    expect(await time.until(over)).toEqual([]);
    expect(story()).toBe('1 accepted, 1 canceled (canceled by the client)');
    expect(count('place')).toBe(1);
  });

  test('stop waits for what is under way, then ends the reports and leaves no timer', async () => {
    const { time, venue, execution, story, reports } = await harness();
    let ended = false;
    execution.reports$.subscribe({ complete: () => (ended = true) });
    venue.latency = () => 300;
    execution.send(placeOf(1));
    await time.advance(100);
    const left = await time.until(execution.stop(5_000));
    expect(time.now).toBe(300);
    expect(story()).toBe('1 accepted');
    expect(left).toMatchObject([{ intent: 's1-1', stage: 'live' }]);
    expect(ended).toBe(true);
    await time.advance(60_000);
    expect(reports).toEqual([]);
    expect(time.pending).toBe(0);
  });

  test('what stop cannot wait for is in doubt', async () => {
    const { time, venue, execution, story } = await harness();
    venue.latency = () => 9_000;
    execution.send(placeOf(1));
    await time.advance(100);
    const left = await time.until(execution.stop(1_000));
    expect(story()).toBe('1 in doubt');
    expect(left).toMatchObject([{ intent: 's1-1', stage: 'in-doubt' }]);
    await time.advance(60_000);
    expect(story()).toBe('');
    expect(time.pending).toBe(0);
  });
});

test('one hundred lots of fills in one answer keep their order and their sum', async () => {
  const { time, venue, execution, reports } = await harness();
  venue.onArrival = (id) => {
    for (let i = 0; i < 100; i++) venue.fill(id, 1, (PRICE + (i % 3)) as Ticks, 'taker', 0.1);
  };
  execution.send(placeOf(1, { lots: 100 as Lots }));
  await time.advance(10);
  const fills = reports.flatMap((report) => (report.kind === 'filled' ? [report.fill] : []));
  expect(fills.map(({ id }) => Number(id))).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  // 100 × 0.1 USD in units of 10^-8, exactly.
  expect(fills.reduce((sum, { fee }) => sum + fee, 0n)).toBe(1_000_000_000n);
});

describe('an end that the venue takes back', () => {
  test('of an order whose cancel was asked for meanwhile: it is canceled again', async () => {
    const { execution, venue, time, count } = await harness({ visibilityMs: 1_000 });
    execution.send(placeOf(1));
    await time.advance(3_000);
    const id = venue.truth()[0]?.id as string;
    let isWrong = true;
    const [all, one] = [venue.orders.bind(venue), venue.order.bind(venue)];
    venue.orders = async (...query) => {
      const records = await all(...query);
      return isWrong ? records.map((record) => ({ ...record, status: 'CANCELLED' as const })) : records;
    };
    venue.order = async (which) => {
      const record = await one(which);
      return isWrong ? { ...record, status: 'CANCELLED' as const } : record;
    };
    await time.advance(1_001);
    isWrong = false;
    execution.send(cancelOf(1, id));
    await time.advance(120_000);
    expect(count('cancel')).toBe(1);
    expect(venue.truth()).toMatchObject([{ id, status: 'CANCELLED' }]);
    expect(execution.state().state).toBe('SYNCED');
  });
});
