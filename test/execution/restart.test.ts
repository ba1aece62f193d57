import { describe, expect, test } from 'vitest';
import { Chronicle } from '../../src/execution/chronicle.js';
import { Execution } from '../../src/execution/execution.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { JournalRecord } from '../../src/model/journal-record.js';
import { SILENT } from '../../src/ports/log.js';
import { VenueError } from '../../src/ports/venue-api.js';
import { readAttachPlan } from '../../src/runner/read-attach-plan.js';
import { endsOf, vouchFor } from '../../src/runner/vouch.js';
import { BTC } from '../support/markets.js';
import { type BotLife, RestartDesk } from '../support/restart-desk.js';
import { cancelOf, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;
const REST_MS = 60_000;

/** What the journal says about one intent, in order. */
function story(desk: RestartDesk, intent: string): string[] {
  return desk.journal.records
    .filter((record) => 'intent' in record && record.intent === intent)
    .map((record) => {
      switch (record.kind) {
        case 'out':
          return `out ${record.outcome}`;
        case 'adopt':
          return `adopt ${record.as}`;
        case 'verdict':
          return `verdict ${record.verdict}`;
        case 'end':
          return `end ${record.status} ${record.filled}`;
        case 'fill':
          return `fill ${record.fill.lots}`;
        default:
          return record.kind;
      }
    });
}

function kindsSince(desk: RestartDesk, count: number): JournalRecord['kind'][] {
  return desk.journal.records.slice(count).map(({ kind }) => kind);
}

const sent = (desk: RestartDesk) => desk.venue.calls.filter(({ kind }) => kind === 'place').length;
const alive = (desk: RestartDesk) => desk.venue.truth().filter(({ status }) => status === 'ACTIVE');

/** Starts again, comes to rest, and starts once more: that changes nothing. */
async function restart(desk: RestartDesk): Promise<BotLife> {
  const life = await desk.start();
  await desk.time.advance(REST_MS);
  const before = desk.journal.records.length;
  const writes = () => desk.venue.calls.filter(({ kind }) => /place|cancel/.test(kind)).length;
  const written = writes();
  life.kill();
  const again = await desk.start();
  await desk.time.advance(REST_MS);
  expect(kindsSince(desk, before).filter((kind) => kind !== 'state')).toEqual(['start']);
  expect(writes()).toBe(written);
  return again;
}

async function placed(more: Parameters<RestartDesk['start']>[0] = {}) {
  const desk = new RestartDesk();
  const life = await desk.start(more);
  life.execution.send(placeOf(1));
  await desk.time.advance(10);
  return { desk, life };
}

describe('a restart after a crash', () => {
  test('between the record and the request finds that nothing was sent', async () => {
    const { desk } = await placed({ onRecord: (record, life) => record.kind === 'prep' && life.kill() });
    // Died before the record was on the disk: nothing was sent, and nothing is known.
    expect(story(desk, 's1-1')).toEqual([]);
    expect(sent(desk)).toBe(0);
    const { execution } = await restart(desk);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('behind the record and before the first byte proves that there is no order', async () => {
    const desk = new RestartDesk();
    const first = await desk.start();
    const append = desk.journal.append.bind(desk.journal);
    desk.journal.append = (record, durability) => {
      append(record, durability);
      if (record.kind === 'prep') first.kill();
    };
    first.execution.send(placeOf(1));
    await desk.time.advance(10);
    expect(sent(desk)).toBe(0);
    const { execution } = await restart(desk);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out in-doubt', 'verdict not-placed']);
    expect(execution.state()).toMatchObject({ state: 'SYNCED', permission: 'all' });
    expect(execution.position).toBe(0);
  });

  test('behind the request and before its answer finds the order by its tag and cancels it', async () => {
    const desk = new RestartDesk();
    desk.venue.latency = (kind) => (kind === 'place' ? 100 : 0);
    const life = await desk.start();
    life.execution.send(placeOf(1));
    await desk.time.advance(60);
    expect(alive(desk)).toHaveLength(1);
    life.kill();
    const { execution } = await restart(desk);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out in-doubt', 'adopt own', 'cancel', 'end canceled 0']);
    expect(alive(desk)).toEqual([]);
    expect(sent(desk)).toBe(1);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('with a live order cancels it', async () => {
    const { desk, life } = await placed();
    life.kill();
    const { execution } = await restart(desk);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out accepted', 'cancel', 'end canceled 0']);
    expect(alive(desk)).toEqual([]);
    expect(execution.position).toBe(0);
  });

  test('books what was filled before and while it was down, each once', async () => {
    const { desk, life } = await placed();
    desk.venue.fill('1000', 3, PRICE);
    await desk.time.advance(2_000);
    expect(life.execution.position).toBe(3);
    life.kill();
    desk.venue.fill('1000', 4, PRICE);
    const { execution } = await restart(desk);
    expect(story(desk, 's1-1')).toEqual([
      'prep',
      'out accepted',
      'fill 3',
      'cancel',
      'fill 4',
      'end canceled 7',
    ]);
    expect(execution.position).toBe(7);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('books an order that was filled whole while it was down', async () => {
    const { desk, life } = await placed();
    life.kill();
    desk.venue.fill('1000', 10, PRICE);
    const { execution } = await restart(desk);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out accepted', 'cancel', 'fill 10', 'end filled 10']);
    expect(execution.position).toBe(10);
  });

  test('between the last fill and the end of an order writes only the end', async () => {
    const desk = new RestartDesk();
    const life = await desk.start({ onRecord: (record, it) => record.kind === 'end' && it.kill() });
    life.execution.send(placeOf(1));
    await desk.time.advance(10);
    desk.venue.fill('1000', 10, PRICE);
    const filledAt = desk.venue.venueTime;
    await desk.time.advance(5_000);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out accepted', 'fill 10']);
    const { execution } = await restart(desk);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out accepted', 'fill 10', 'cancel', 'end filled 10']);
    expect(desk.journal.records.find(({ kind }) => kind === 'end')).toMatchObject({ time: filledAt });
    expect(execution.position).toBe(10);
  });

  test('while a cancellation was on its way asks for it again', async () => {
    const { desk, life } = await placed();
    desk.venue.fault = (kind) => (kind === 'cancel' ? 'lost' : undefined);
    life.execution.send(cancelOf(1, '1000'));
    await desk.time.advance(50);
    life.kill();
    desk.venue.fault = () => undefined;
    await restart(desk);
    expect(alive(desk)).toEqual([]);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out accepted', 'cancel', 'cancel', 'end canceled 0']);
  });

  test('behind a cancellation that was executed only books its end', async () => {
    const { desk, life } = await placed();
    desk.venue.latency = (kind) => (kind === 'cancel' ? 100 : 0);
    life.execution.send(cancelOf(1, '1000'));
    await desk.time.advance(60);
    expect(alive(desk)).toEqual([]);
    life.kill();
    await restart(desk);
    expect(story(desk, 's1-1').at(-1)).toBe('end canceled 0');
  });

  test.each([
    ['lost', ['prep', 'out in-doubt', 'verdict not-placed']],
    ['unanswered', ['prep', 'out in-doubt', 'adopt own', 'cancel', 'end canceled 0']],
  ] as const)('with an order in doubt (%s) goes on where the life before was', async (fault, told) => {
    const desk = new RestartDesk();
    const life = await desk.start();
    desk.venue.fault = (kind) => (kind === 'place' ? fault : undefined);
    life.execution.send(placeOf(1));
    await desk.time.advance(10);
    life.kill();
    desk.venue.fault = () => undefined;
    expect(story(desk, 's1-1')).toEqual(['prep', 'out in-doubt']);
    const { execution } = await restart(desk);
    expect(story(desk, 's1-1')).toEqual(told);
    expect(sent(desk)).toBe(1);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('behind a verdict still finds the order that shows up all the same, and cancels it', async () => {
    const desk = new RestartDesk();
    desk.venue.lateMs = 40_000;
    const life = await desk.start();
    desk.venue.fault = (kind) => (kind === 'place' ? 'late' : undefined);
    life.execution.send(placeOf(1));
    await desk.time.advance(20_000);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out in-doubt', 'verdict not-placed']);
    life.kill();
    desk.venue.onArrival = (id) => desk.venue.fill(id, 4, PRICE);
    desk.venue.fault = () => undefined;
    const { execution } = await restart(desk);
    expect(story(desk, 's1-1')).toEqual([
      'prep',
      'out in-doubt',
      'verdict not-placed',
      'adopt late',
      'fill 4',
      'cancel',
      'end canceled 4',
    ]);
    expect(alive(desk)).toEqual([]);
    expect(execution.position).toBe(4);
  });

  test('cancels a twin that showed up while it was down', async () => {
    const { desk, life } = await placed();
    life.kill();
    desk.venue.otherOrder(placeOf(1).terms, 's1-1');
    const { execution } = await restart(desk);
    expect(alive(desk)).toEqual([]);
    expect(story(desk, 's1-1').filter((word) => word.startsWith('adopt'))).toEqual(['adopt surplus']);
    expect(story(desk, 's1-1').filter((word) => word.startsWith('end'))).toHaveLength(2);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('forgets nothing that was not synced when the power goes: it is found again', async () => {
    const { desk, life } = await placed();
    desk.venue.fill('1000', 3, PRICE);
    await desk.time.advance(2_000);
    life.kill();
    desk.journal.losePower();
    expect(story(desk, 's1-1')).toEqual(['prep', 'out accepted']);
    const { execution } = await restart(desk);
    expect(execution.position).toBe(3);
    expect(story(desk, 's1-1')).toEqual(['prep', 'out accepted', 'cancel', 'fill 3', 'end canceled 3']);
  });

  test('keeps a halt until somebody resumes', async () => {
    const desk = new RestartDesk();
    const life = await desk.start();
    life.execution.halt('pause', 'enough', 'anna');
    life.kill();
    const second = await desk.start();
    expect(second.execution.state()).toMatchObject({ state: 'HALTED', permission: 'reduce-only' });
    second.execution.send(placeOf(1));
    await desk.time.advance(10);
    expect(sent(desk)).toBe(0);
    second.execution.resume('looked at it', 'anna');
    await desk.time.advance(2_000);
    second.kill();
    const third = await desk.start();
    expect(third.execution.state().state).toBe('SYNCED');
  });

  test('keeps a quarantine until a checkpoint', async () => {
    const desk = new RestartDesk();
    const life = await desk.start();
    const id = desk.venue.otherFill('buy', 5, PRICE);
    await desk.time.advance(REST_MS);
    expect(life.execution.state()).toMatchObject({
      state: 'QUARANTINED',
      reason: `fill ${id} is of no order of ours`,
    });
    life.kill();
    const second = await desk.start();
    expect(second.execution.state().state).toBe('QUARANTINED');
    second.kill();
    desk.journal.append(
      {
        kind: 'checkpoint',
        pair: BTC.pair,
        position: 5 as Lots,
        time: desk.venue.venueTime,
        fillIds: [id],
        by: 'anna',
        reason: 'a trade by hand',
      },
      'durable',
    );
    const third = await desk.start();
    expect(third.execution.state().state).toBe('SYNCED');
    expect(third.execution.position).toBe(5);
  });

  test('sends nothing while the journal cannot be written, and cancels all the same', async () => {
    let full = false;
    const { desk, life } = await placed({ journalFails: () => full });
    full = true;
    life.execution.send(placeOf(2));
    life.execution.send(cancelOf(1, '1000'));
    await desk.time.advance(5_000);
    expect(sent(desk)).toBe(1);
    expect(alive(desk)).toEqual([]);
    expect(life.reports.at(-1)).toMatchObject({ kind: 'canceled', intentId: 1 });
    expect(life.reports).toContainEqual(
      expect.objectContaining({
        kind: 'rejected',
        intentId: 2,
        reason: expect.stringContaining('disk is full'),
      }),
    );
  });
});

describe('an order that the venue has forgotten', () => {
  /** Down for months, or a testnet that was begun anew: no list shows it, and nobody knows its id. */
  async function forgotten() {
    const desk = new RestartDesk();
    const life = await desk.start();
    life.execution.send(placeOf(1));
    await desk.time.advance(100);
    life.kill();
    const unknown = () => Promise.reject(new VenueError('refused', 'The order was not found'));
    let cancels = 0;
    desk.venue.orders = () => Promise.resolve([]);
    desk.venue.order = unknown;
    desk.venue.cancel = () => {
      cancels++;
      return Promise.resolve({ kind: 'refused', reason: 'The order was not found' });
    };
    return { desk, begin: () => begun(desk), cancels: () => cancels };
  }

  /** Not waited for: it may take long to agree. */
  function begun({ venue, time, journal }: RestartDesk, session = 's2') {
    const execution = new Execution({
      api: venue,
      market: BTC,
      timers: time.timers,
      clock: time.clock,
      log: SILENT,
      session,
      echo: 'oco',
      visibilityMs: 0,
      lateMs: 6_000,
      staleMs: 20_000,
      lists: ['active', 'all'],
      listLimit: 100,
      watchEveryMs: 1_000,
      chronicle: new Chronicle(
        { append: (record, durability) => journal.append(record, durability), failure: undefined },
        journal.books(),
      ),
    });
    execution.start();
    return execution;
  }

  test('comes before an operator, and costs few requests until then', async () => {
    const { desk, begin, cancels } = await forgotten();
    const execution = begin();
    await desk.time.advance(9 * 60_000);
    expect(execution.state().state).toBe('RECONCILING');
    await desk.time.advance(3 * 60_000);
    expect(execution.state()).toMatchObject({
      state: 'QUARANTINED',
      reason: expect.stringMatching(/^the venue does not know order 1000 of s1-1 any more/),
    });
    expect(cancels()).toBeLessThan(150);
    // Who vouches says that it is over, and what comes next has nothing to look for.
    const books = desk.journal.books();
    const plan = await desk.time.until(
      readAttachPlan({
        api: desk.venue,
        books,
        market: BTC,
        policy: { echo: true, firstStart: 'adopt', external: 'quarantine' },
        lists: ['active', 'all'],
        limit: 100,
        visibilityMs: 0,
        clock: desk.time.clock,
        timers: desk.time.timers,
      }),
    );
    expect(plan.plan.differences.map(({ kind, endedBy }) => `${kind} ${endedBy}`)).toEqual([
      'quarantined operator',
      'own-order-missing operator',
    ]);
    await desk.time.until(execution.stop(1_000));
    const anna = { by: 'anna', reason: 'looked' };
    for (const record of endsOf(books, BTC.pair, plan.lost, 7)) desk.journal.append(record, 'durable');
    desk.journal.append(vouchFor(books, plan, BTC, anna), 'durable');
    const next = begun(desk, 's3');
    await desk.time.advance(5_000);
    expect(next.state().state).toBe('SYNCED');
    expect(next.openOrders()).toEqual([]);
  });

  test('is none that the venue only cannot show for a while', async () => {
    const { desk, begin } = await forgotten();
    desk.venue.order = () => Promise.reject(new VenueError('timeout', 'no answer'));
    const execution = begin();
    await desk.time.advance(3_600_000);
    expect(execution.state().state).toBe('RECONCILING');
  });
});
