import { describe, expect, test } from 'vitest';
import type { Lots, Ticks } from '../../src/model/grid.js';
import { readAttachPlan } from '../../src/runner/read-attach-plan.js';
import { vouchFor } from '../../src/runner/vouch.js';
import { acceptedOf, checkpointOf, prepOf } from '../support/intents.js';
import { BTC } from '../support/markets.js';
import { type LifeOptions, RestartDesk } from '../support/restart-desk.js';
import { placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;
const LIMIT = 10 as Lots;

/** A first start on an account that has just traded; then the venue's clock is set back behind that. */
async function setBack(options: LifeOptions = {}) {
  const desk = new RestartDesk();
  const { venue, time } = desk;
  venue.otherFill('buy', 1, PRICE);
  venue.otherFill('sell', 1, PRICE);
  const life = await desk.start({ maxPosition: () => LIMIT, ...options });
  await time.advance(1_000);
  venue.clockFrozenAt = venue.venueTime - 2_000;
  venue.onArrival = (id) => void venue.fill(id, LIMIT, PRICE, 'taker');
  const held = async () => (await time.until(venue.position(BTC.pair))).size * BTC.quantityGrid.scale;
  return { desk, life, venue, time, held };
}

describe('where the venue sets its clock back behind the checkpoint', () => {
  test('fills of orders that are sent then count: the limit holds', async () => {
    const { life, time, held } = await setBack();
    const { execution, reports } = life;
    for (let intent = 1; intent <= 12; intent++) {
      execution.send(placeOf(intent));
      await time.advance(100);
    }
    expect(await held()).toBe(LIMIT);
    expect(execution.position).toBe(LIMIT);
    expect(reports.filter(({ kind }) => kind === 'filled')).toHaveLength(1);
    await time.advance(60_000);
    expect(execution.state().state).toBe('SYNCED');
  });

  test('a next life knows them', async () => {
    const { desk, life, time } = await setBack();
    life.execution.send(placeOf(1));
    await time.advance(100);
    life.kill();
    const next = await desk.start();
    expect(next.execution.position).toBe(LIMIT);
    expect(next.execution.state().state).toBe('SYNCED');
  });

  test('a next life finds those that came after the end of the one that sent their order', async () => {
    const { desk, life, venue, time } = await setBack();
    venue.onArrival = () => undefined;
    life.execution.send(placeOf(1));
    await time.advance(100);
    life.kill();
    venue.fill('1000', 4, PRICE);
    const next = await desk.start();
    await time.advance(5_000);
    expect(next.execution.position).toBe(4);
    expect(next.reports).toMatchObject([{ kind: 'late-fill', fill: { lots: 4 } }]);
    expect(next.execution.state().state).toBe('SYNCED');
  });
});

describe('where the venue’s clock was ahead for a while', () => {
  test('who vouches does so up to now: what somebody else trades from then on is seen', async () => {
    const desk = new RestartDesk();
    const { venue, time, journal } = desk;
    const life = await desk.start();
    venue.clockFrozenAt = venue.venueTime + 3_600_000;
    venue.otherFill('buy', 5, PRICE);
    await time.advance(60_000);
    expect(life.execution.state().state).toBe('QUARANTINED');
    life.kill();
    venue.clockFrozenAt = undefined;
    venue.otherFill('sell', 1, PRICE);
    const books = journal.books();
    const reading = await time.until(
      readAttachPlan({
        api: venue,
        books,
        market: BTC,
        policy: { echo: true, firstStart: 'adopt', external: 'adopt' },
        lists: ['active', 'all'],
        limit: 100,
        visibilityMs: 0,
        clock: time.clock,
        timers: time.timers,
      }),
    );
    journal.append(vouchFor(books, reading, BTC, { by: 'anna', reason: 'by hand' }), 'durable');
    const next = await desk.start({ external: 'adopt' });
    expect(next.execution.position).toBe(4);
    expect(next.execution.state().state).toBe('SYNCED');
    await time.advance(5_000);
    venue.otherFill('buy', 3, PRICE);
    await time.advance(60_000);
    expect(next.execution.state().state).toBe('SYNCED');
    expect(next.execution.position).toBe(7);
    // And no fill of the time ahead counts again.
    next.kill();
    const last = await desk.start({ external: 'adopt' });
    await time.advance(60_000);
    expect(last.execution.position).toBe(7);
  });
});

test('a fill that is taken for one of the checkpoint by its time alone ends what was agreed before it', async () => {
  const desk = new RestartDesk();
  const { venue, time, journal } = desk;
  // Somebody vouches while an order of an earlier life rests: what was filled of it by then is in the position.
  const id = venue.otherOrder(placeOf(1).terms, 's0-1');
  for (const record of [
    prepOf('s0-1', { sentAt: venue.venueTime }),
    acceptedOf('s0-1', id),
    checkpointOf(0, venue.venueTime + 60_000),
  ])
    journal.append(record, 'durable');
  // A fill overtakes the cancel, which is under way while books and venue agree.
  venue.latency = (kind) => (kind === 'cancel' ? 3_000 : 0);
  const { execution } = desk.begin({ maxPosition: () => LIMIT });
  await time.advance(1_200);
  venue.fill(id, 5, PRICE);
  const states = new Set<string>();
  for (let step = 0; step < 200; step++) {
    await time.advance(100);
    states.add(execution.state().state);
  }
  expect(venue.truth()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(execution.position).toBe(0);
  expect([...states]).not.toContain('SYNCED');
});

test.each([
  0,
  3 * 3_600_000,
])('what others traded while nobody looked is found, also after a fill that was dated %d ms ahead', async (aheadMs) => {
  const desk = new RestartDesk();
  const { venue, time } = desk;
  const first = await desk.start({ external: 'adopt' });
  await time.advance(5_000);
  if (aheadMs > 0) venue.clockFrozenAt = venue.venueTime + aheadMs;
  venue.otherFill('buy', 5, PRICE);
  await time.advance(60_000);
  venue.clockFrozenAt = undefined;
  await time.advance(60_000);
  expect(first.execution.state().state).toBe('SYNCED');
  first.kill();
  venue.otherFill('buy', 1, PRICE);
  await time.advance(30 * 60_000);
  const next = await desk.start({ external: 'adopt' });
  await time.advance(10 * 60_000);
  expect(next.execution.state().state).toBe('SYNCED');
  expect(next.execution.position).toBe(6);
});
