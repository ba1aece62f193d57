import { expect, test } from 'vitest';
import type { ExecutionReport } from '../../src/model/report.js';
import type { Ticks } from '../../src/model/grid.js';
import type { FakeVenueApi } from '../support/fake-venue-api.js';
import { RestartDesk } from '../support/restart-desk.js';
import { cancelOf, placeOf } from './harness.js';

const PRICE = 600_000 as Ticks;

/** What the engine hears about positions. */
const fillsIn = (reports: readonly ExecutionReport[]) =>
  reports.flatMap((report) =>
    report.kind === 'filled' || report.kind === 'late-fill' ? [`${report.kind} ${report.fill.lots}`] : [],
  );

/** The venue shows fills, and no order, until the returned function is called. */
function hideOrders(venue: FakeVenueApi): () => void {
  venue.orders = () => Promise.resolve([]);
  venue.order = () => Promise.reject(new Error('not shown'));
  return () => showOrders(venue);
}

/** Back to what its class does. */
function showOrders(venue: FakeVenueApi): void {
  Reflect.deleteProperty(venue, 'orders');
  Reflect.deleteProperty(venue, 'order');
}

/** An order that was judged absent, was executed all the same, and whose fills show before it does. */
async function lateFill(external: 'adopt' | 'quarantine') {
  const desk = new RestartDesk();
  const { venue, time } = desk;
  venue.lateMs = 40_000;
  venue.onArrival = (id) => venue.fill(id, 4, PRICE);
  const life = await desk.start({ external });
  venue.fault = (kind) => (kind === 'place' ? 'late' : undefined);
  life.execution.send(placeOf(1));
  await time.advance(30_000);
  const show = hideOrders(venue);
  await time.advance(30_000);
  return { desk, life, show };
}

test('a fill that was adopted is not told again when its order shows up', async () => {
  const { desk, life, show } = await lateFill('adopt');
  expect(fillsIn(life.reports)).toEqual(['late-fill 4']);
  show();
  await desk.time.advance(30_000);
  expect(desk.journal.records.filter(({ kind }) => kind === 'adopt')).toHaveLength(1);
  expect(fillsIn(life.reports)).toEqual(['late-fill 4']);
  expect(life.execution.position).toBe(4);
});

test('a fill that was adopted in one life is in the position of the next, and told there by nobody', async () => {
  const { desk, life, show } = await lateFill('adopt');
  life.kill();
  const next = await desk.start({ external: 'adopt' });
  expect(next.execution.position).toBe(4);
  show();
  await desk.time.advance(30_000);
  expect(desk.journal.records.filter(({ kind }) => kind === 'adopt')).toHaveLength(1);
  expect(fillsIn(next.reports)).toEqual([]);
  expect(next.execution.position).toBe(4);
});

test('a fill that was adopted by a life that died before it told anybody is in the position of the next', async () => {
  const desk = new RestartDesk();
  let deaths = 0;
  const life = await desk.start({
    external: 'adopt',
    // The next record after it never comes.
    onRecord: (record, dying) => {
      if (record.kind === 'cut' && deaths++ === 0) dying.kill();
    },
  });
  desk.venue.otherFill('buy', 3, PRICE);
  await desk.time.advance(30_000);
  expect(life.isDead).toBe(true);
  const next = await desk.start({ external: 'adopt' });
  await desk.time.advance(30_000);
  expect(fillsIn(next.reports)).toEqual([]);
  expect(next.execution.position).toBe(3);
});

test('a fill that stopped the pair is told once, by its order when that shows up', async () => {
  const { desk, life, show } = await lateFill('quarantine');
  expect(fillsIn(life.reports)).toEqual([]);
  show();
  await desk.time.advance(30_000);
  expect(fillsIn(life.reports)).toEqual(['late-fill 4']);
  expect(life.execution.position).toBe(4);
});

test('an order whose records are older than its adopted fills ends without telling them again', async () => {
  const desk = new RestartDesk();
  const { venue, time } = desk;
  const life = await desk.start({ external: 'adopt' });
  life.execution.send(placeOf(1));
  await time.advance(1_000);
  const old = venue.truth();
  venue.orders = () => Promise.resolve(old);
  venue.order = () => Promise.resolve(old[0]!);
  venue.fill(old[0]!.id, 10, PRICE);
  await time.advance(10_000);
  expect(life.reports.map(({ kind }) => kind)).toEqual(['accepted', 'late-fill']);
  showOrders(venue);
  await time.advance(30_000);
  expect(fillsIn(life.reports)).toEqual(['late-fill 10']);
  expect(life.reports.at(-1)).toMatchObject({
    kind: 'canceled',
    intentId: 1,
    reason: 'its fills were told before it showed them',
  });
  expect(life.execution.position).toBe(10);
  expect(life.execution.openOrders()).toEqual([]);
});

test('an end that two reads show at the same time is written down once', async () => {
  const desk = new RestartDesk();
  const { venue, time, journal } = desk;
  const life = await desk.start();
  life.execution.send(placeOf(1));
  await time.advance(2_000);
  const [{ id } = { id: '' }] = venue.truth();
  venue.calls.splice(0);
  venue.latency = (kind) => (kind === 'order' ? 1_500 : 0);
  life.execution.send(cancelOf(1, id));
  await time.advance(10_000);
  // One read follows the cancel, the other one belongs to a look at all orders: the list of active ones has lost it.
  expect(venue.calls.filter(({ kind }) => kind === 'order').length).toBeGreaterThan(1);
  expect(life.reports.filter(({ kind }) => kind === 'canceled')).toHaveLength(1);
  expect(journal.records.filter(({ kind }) => kind === 'end')).toHaveLength(1);
});
