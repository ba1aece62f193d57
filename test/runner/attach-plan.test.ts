import { describe, expect, test } from 'vitest';
import { Books } from '../../src/execution/books.js';
import type { Cut } from '../../src/execution/cut.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import type { FillRecord, OrderRecord } from '../../src/model/venue-records.js';
import { type AttachPolicy, attachPlan, attachWindow } from '../../src/runner/attach-plan.js';
import { readAttachPlan } from '../../src/runner/read-attach-plan.js';
import { vouchFor } from '../../src/runner/vouch.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { acceptedOf, checkpointOf, endOf, fillOf, prepOf, termsOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';
import { fillRecordOf, orderRecordOf } from '../support/records.js';
import { VirtualTime } from '../support/virtual-time.js';

const { pair } = BTC;
const POLICY: AttachPolicy = { echo: true, firstStart: 'adopt', external: 'quarantine' };

function booksOf(...records: readonly JournalRecord[]): Books {
  const books = new Books();
  for (const record of records) books.apply(record);
  return books;
}

function cutOf(more: Partial<Omit<Cut, 'orders'>> & { orders?: readonly OrderRecord[] } = {}): Cut {
  const { orders = [], ...rest } = more;
  return {
    startedAt: 0,
    fills: [],
    position: 0 as Lots,
    averageEntry: 0,
    stable: true,
    lack: undefined,
    ...rest,
    orders: new Map(orders.map((order) => [order.id, order])),
  };
}

const bought = (id: string, lots: number, more: Partial<FillRecord> = {}): FillRecord =>
  fillRecordOf({
    id,
    pair,
    side: 'buy',
    isBuyerMaker: true,
    quantity: lots / 1_000,
    price: 60_000,
    netCommission: 0,
    time: 500,
    ...more,
  });

const order = (id: string, more: Partial<OrderRecord> = {}): OrderRecord =>
  orderRecordOf({
    id,
    pair,
    side: 'buy',
    type: 'limit',
    priceOriginal: 60_000,
    price: 60_000,
    quantity: 0.01,
    leavesQuantity: 0.01,
    time: 100,
    ...more,
  });

const said = (books: Books, cut: Cut, policy: Partial<AttachPolicy> = {}) =>
  attachPlan(books, cut, BTC, { ...POLICY, ...policy }).differences.map(
    ({ kind, subject, endedBy }) => `${kind} ${subject} ${endedBy}`,
  );

describe('a plan', () => {
  test('says of an order that no list shows that it is missing', () => {
    const books = booksOf(checkpointOf(0), prepOf('a'), acceptedOf('a', '7'));
    expect(said(books, cutOf())).toEqual(['own-order-missing 7 start']);
  });

  test('shows a stop of ours that waits, and what a start does with it, and none of others', () => {
    const terms = termsOf({
      side: 'sell',
      reduceOnly: true,
      trigger: { ticks: 590_000 as Ticks, event: 'last' },
    });
    const waiting = { status: 'UNTRIGGERED', reduceOnly: true } as const;
    const books = booksOf(
      checkpointOf(10),
      prepOf('a', { terms }),
      acceptedOf('a', '7'),
      prepOf('b', { terms }),
    );
    const cut = cutOf({
      orders: [order('7', waiting), order('8', { ...waiting, oco: 'b' }), order('9', waiting)],
    });
    expect(said(books, cut)).toEqual([
      'own-order-live 7 start',
      'doubt-found 8 start',
      expect.stringContaining('position-differs'),
    ]);
    const { differences } = attachPlan(books, cut, BTC, POLICY);
    for (const { action } of differences.slice(0, 2)) {
      expect(action).toContain('let it guard the position until a stop of the session does');
    }
    const told = order('7', { ...waiting, triggerPrice: 59_000, triggerEvent: 'last' });
    expect(attachPlan(books, cutOf({ orders: [told] }), BTC, POLICY).differences[0]?.evidence).toContain(
      'the venue says UNTRIGGERED, waits for last 59000, 0 of',
    );
  });

  test('reads the list of triggers only where the journal knows of a stop', async () => {
    const listsFor = async (more: Partial<Parameters<typeof termsOf>[0]>) => {
      const time = new VirtualTime();
      const venue = new FakeVenueApi(time, BTC);
      await time.until(
        readAttachPlan({
          api: venue,
          books: booksOf(checkpointOf(0), prepOf('a', { terms: termsOf(more) })),
          market: BTC,
          policy: POLICY,
          lists: ['active', 'all'],
          limit: 100,
          visibilityMs: 0,
          clock: time.clock,
          timers: time.timers,
        }),
      );
      return new Set(venue.calls.flatMap(({ list }) => list ?? []));
    };
    expect(await listsFor({})).toEqual(new Set(['active', 'all']));
    const trigger = { ticks: 590_000 as Ticks, event: 'last' } as const;
    expect(await listsFor({ trigger, reduceOnly: true })).toEqual(new Set(['triggers', 'active', 'all']));
  });

  test('says that a list may be cut off', () => {
    expect(said(booksOf(checkpointOf(0)), cutOf({ lack: 'fills do not join' }))).toEqual([
      `list-full ${pair} nobody`,
    ]);
  });

  test('leaves a fill of an order whose end is booked to a person', () => {
    const books = booksOf(checkpointOf(0), prepOf('a'), acceptedOf('a', '7'), endOf('a', '7'));
    const fills = [bought('f', 4)];
    const orders = [order('7', { status: 'CANCELLED', filledQuantity: 0.004, fills })];
    expect(said(books, cutOf({ orders, fills, position: 4 as Lots }))).toEqual(['unbooked-fill f operator']);
  });

  test('takes a status that nobody knows for alive', () => {
    const books = booksOf(checkpointOf(0), prepOf('a'), acceptedOf('a', '7'));
    expect(said(books, cutOf({ orders: [order('7', { status: 'PENDING' })] }))).toEqual([
      'own-order-live 7 start',
    ]);
  });

  test('does not mention what somebody else’s orders came to, nor triggers that wait', () => {
    const orders = [order('1', { status: 'CANCELLED' }), order('2', { status: 'UNTRIGGERED' }), order('3')];
    expect(said(booksOf(checkpointOf(0)), cutOf({ orders }))).toEqual(['foreign-order 3 nobody']);
  });

  test('counts fills that are not booked before it calls a position different', () => {
    const books = booksOf(checkpointOf(2));
    const fills = [bought('f', 4)];
    expect(said(books, cutOf({ fills, position: 6 as Lots }))).toEqual(['foreign-fill f operator']);
    const plan = attachPlan(books, cutOf({ fills, position: 5 as Lots }), BTC, POLICY);
    expect(plan.differences.at(-1)).toMatchObject({
      kind: 'position-differs',
      evidence:
        'the journal says 0.002 BTC and the fills that are not booked make it 0.006 BTC; the venue holds 0.005 BTC',
    });
  });

  test('counts no fill that the journal has', () => {
    const books = booksOf(checkpointOf(0, 500, ['a']), fillOf('b', 3, { time: 600 }));
    const fills = [bought('a', 9), bought('b', 3, { time: 600 }), bought('old', 9, { time: 499 })];
    expect(said(books, cutOf({ fills, position: 3 as Lots }))).toEqual([]);
  });

  test('says of a fill that cannot be read just that, under any policy', () => {
    const books = booksOf(checkpointOf(0));
    const odd = [bought('f', 4.5)];
    const sideless = [bought('g', 4, { side: undefined })];
    expect(said(books, cutOf({ fills: odd }), { external: 'adopt' })).toEqual(['foreign-fill f operator']);
    expect(said(books, cutOf({ fills: sideless }), { external: 'adopt' })).toEqual([
      'foreign-fill g operator',
    ]);
  });

  test('takes a liquidation to a person also where other fills are taken in', () => {
    const fills = [bought('f', 4, { liquidation: true })];
    expect(
      said(booksOf(checkpointOf(0)), cutOf({ fills, position: 4 as Lots }), { external: 'adopt' }),
    ).toEqual(['liquidation f operator']);
  });

  test('finds without an echo what was asked for by what it looks like, and twins are then somebody else’s', () => {
    const doubt: JournalRecord = { kind: 'out', intent: 'a', outcome: 'in-doubt', reason: '' };
    const books = booksOf(checkpointOf(0), prepOf('a', { tag: undefined }), doubt);
    const other = order('2', { quantity: 0.02 });
    expect(said(books, cutOf({ orders: [order('1'), other] }), { echo: false })).toEqual([
      'doubt-found 1 start',
      'foreign-order 2 nobody',
    ]);
  });

  test.each([
    ['pause', 'no order adds risk'],
    ['cancel', 'only cancels leave; own orders are canceled'],
    ['flatten', 'only orders that reduce leave; own orders are canceled'],
    ['stop', 'only cancels leave; own orders are canceled'],
  ] as const)('says what a latched %s lets leave', (level, action) => {
    const halt: JournalRecord = { kind: 'halt', level, reason: 'to see', by: 'a test', wall: 1 };
    const { differences } = attachPlan(booksOf(checkpointOf(0), halt), cutOf({}), BTC, POLICY);
    expect(differences).toMatchObject([{ kind: 'halted', action, endedBy: 'operator' }]);
  });

  test('does not depend on the order in which the venue lists things', () => {
    const books = booksOf(checkpointOf(0), prepOf('a'), prepOf('b'), acceptedOf('b', '9'));
    const orders = ['11', '2', '9', '1'].map((id) => order(id, id === '2' ? { oco: 'a' } : {}));
    const fills = ['5', '10', '4'].map((id) => bought(id, 1));
    const one = attachPlan(books, cutOf({ orders, fills }), BTC, POLICY);
    const other = attachPlan(
      books,
      cutOf({ orders: [...orders].reverse(), fills: [...fills].reverse() }),
      BTC,
      POLICY,
    );
    expect(other).toEqual(one);
    expect(one.differences.map(({ subject }) => subject)).toEqual([
      '9',
      '2',
      '1',
      '11',
      '4',
      '5',
      '10',
      pair,
    ]);
  });

  test('begins to read before the oldest thing that is open, and else before the newest fill', () => {
    const doubt: JournalRecord = { kind: 'out', intent: 'a', outcome: 'in-doubt', reason: '' };
    const now = 100_000;
    expect(attachWindow(booksOf(prepOf('a')), pair, now)).toEqual({
      ordersFrom: undefined,
      fillsFrom: undefined,
    });
    const books = booksOf(checkpointOf(0, 90_000), prepOf('a', { sentAt: 50_000 }));
    expect(attachWindow(books, pair, now).ordersFrom).toBe(40_000);
    books.apply(doubt);
    expect(attachWindow(books, pair, now).fillsFrom).toBe(40_000);
    books.apply(acceptedOf('a', '7'));
    expect(attachWindow(books, pair, now).ordersFrom).toBe(40_000);
    books.apply(endOf('a', '7'));
    expect(attachWindow(books, pair, now).ordersFrom).toBe(80_000);
    // The newest fill was dated by a clock that was ahead.
    expect(attachWindow(books, pair, 70_000).fillsFrom).toBe(60_000);
  });
});

describe('reading for a plan', () => {
  const reading = (venue: FakeVenueApi, time: VirtualTime, visibilityMs: number) =>
    readAttachPlan({
      api: venue,
      books: booksOf(checkpointOf(0, venue.venueTime)),
      market: BTC,
      policy: POLICY,
      lists: ['active', 'all'],
      limit: 100,
      visibilityMs,
      clock: time.clock,
      timers: time.timers,
    });

  test('waits until what just happened must show', async () => {
    const time = new VirtualTime();
    const venue = new FakeVenueApi(time, BTC);
    venue.visibilityMs = 3_000;
    venue.otherOrder(termsOf());
    const { plan } = await time.until(reading(venue, time, 3_000));
    expect(plan.venue.activeOrders).toEqual(['1000']);
    expect(time.now).toBeGreaterThanOrEqual(3_000);
  });

  test('gives up on a venue that does not come to rest', async () => {
    const time = new VirtualTime();
    const venue = new FakeVenueApi(time, BTC);
    const position = venue.position.bind(venue);
    venue.position = (of) => {
      venue.otherFill('buy', 1, 600_000 as Ticks);
      return position(of);
    };
    await expect(time.until(reading(venue, time, 0))).rejects.toMatchObject({
      code: 'TICKWRIGHT_E_UNSTABLE',
    });
  });
});

describe('a person who vouches', () => {
  const anna = { by: 'anna', reason: 'counted' };

  test('begins anew with the venue’s position, and no fill that it holds counts again', () => {
    const books = booksOf(checkpointOf(0, 100), fillOf('a', 2, { time: 500 }));
    const fills = [bought('b', 4), bought('c', 4, { time: 400 })];
    const record = vouchFor(books, { cut: cutOf({ fills, position: 9 as Lots }), venueTime: 600 }, BTC, anna);
    expect(record).toEqual({
      kind: 'checkpoint',
      pair,
      position: 9,
      time: 500,
      fillIds: ['a', 'b'],
      ...anna,
    });
    books.apply(record);
    for (const id of ['a', 'b']) books.apply(fillOf(id, 4, { time: 500 }));
    books.apply(fillOf('c', 4, { time: 400 }));
    expect(books.position(pair)).toBe(9);
    books.apply(fillOf('d', 1, { time: 500 }));
    expect(books.position(pair)).toBe(10);
  });

  test('does so up to the venue’s time, and names what was dated by a clock that was ahead', () => {
    const books = booksOf(checkpointOf(0, 100), fillOf('a', 2, { time: 900 }));
    const fills = [
      bought('b', 4, { time: 450 }),
      bought('c', 4, { time: 449 }),
      bought('d', 4, { time: 950 }),
    ];
    const cut = cutOf({ fills, position: 9 as Lots });
    const record = vouchFor(books, { cut, venueTime: 450 }, BTC, anna);
    expect(record).toMatchObject({ time: 450, fillIds: ['a', 'b', 'd'] });
    books.apply(record);
    for (const { id, time } of fills) books.apply(fillOf(id, 4, { time }));
    expect(books.position(pair)).toBe(9);
  });

  test('ends a quarantine, and the plan behind it has nothing left to say', () => {
    const books = booksOf(checkpointOf(0), {
      kind: 'state',
      pair,
      state: 'QUARANTINED',
      reason: 'odd',
      time: 0,
    });
    const cut = cutOf({ fills: [bought('b', 4)], position: 7 as Lots });
    expect(said(books, cut)).toEqual([
      `quarantined ${pair} operator`,
      'foreign-fill b operator',
      `position-differs ${pair} operator`,
    ]);
    books.apply(vouchFor(books, { cut, venueTime: 600 }, BTC, anna));
    expect(said(books, cut)).toEqual([]);
  });
});
