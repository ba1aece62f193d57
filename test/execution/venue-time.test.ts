/** An order in doubt at a venue whose clock is known by the client's own estimate of it. */
import { expect, test } from 'vitest';
import { tickwright } from '../../src/client/profile.js';
import { Stamper } from '../../src/client/stamper.js';
import { createVenueClock } from '../../src/client/venue-clock.js';
import { Chronicle, NO_BOT_JOURNAL } from '../../src/execution/chronicle.js';
import { Execution } from '../../src/execution/execution.js';
import type { Lots } from '../../src/model/grid.js';
import { SILENT } from '../../src/ports/log.js';
import { lateBound } from '../../src/runner/live-gateway.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { VirtualTime } from '../support/virtual-time.js';
import { harness, placeOf } from './harness.js';

function estimateOf(mode: 'system' | 'follow', time: VirtualTime, venue: FakeVenueApi) {
  return createVenueClock({
    mode,
    clock: time.clock,
    timers: time.timers,
    ask: async () => ({ venueTime: venue.venueTime, sentAt: time.now, receivedAt: time.now }),
  });
}

/** What a feed does: it asks each second. */
async function follow(clock: { sync(): Promise<void> }, time: VirtualTime, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    const asked = clock.sync();
    await time.advance(1_000);
    await asked;
  }
}

test.each([
  'system',
  'follow',
] as const)('is not proven absent by an estimate that runs on while the clock stands still (%s)', async (mode) => {
  const { time, venue, execution, story } = await harness({ fenceMs: 5_000 });
  const clock = estimateOf(mode, time, venue);
  Object.assign(venue.clock, clock);
  await follow(clock, time, 60);
  venue.lateMs = 30_000;
  venue.fault = (kind) => (kind === 'place' ? 'late' : undefined);
  execution.send(placeOf(1));
  await time.advance(1_000);
  // A request that is one second old of the five that it may be.
  venue.clockFrozenAt = venue.venueTime;
  await time.advance(20_000);
  expect(story()).toBe('1 in doubt');
  await time.advance(12_000);
  expect(venue.truth().length).toBe(1);
  expect(story()).toMatch(/^1 accepted/);
});

test.each([
  'system',
  'follow',
] as const)('is proven absent soon after the clock is past what it was given (%s)', async (mode) => {
  const { time, venue, execution, story } = await harness({ fenceMs: 5_000 });
  const clock = estimateOf(mode, time, venue);
  Object.assign(venue.clock, clock);
  await follow(clock, time, 60);
  venue.fault = (kind) => (kind === 'place' ? 'lost' : undefined);
  execution.send(placeOf(1));
  await time.advance(1_000);
  venue.clockFrozenAt = venue.venueTime;
  await time.advance(20_000);
  expect(story()).toBe('1 in doubt');
  venue.clockFrozenAt = undefined;
  await time.advance(3_000);
  expect(story()).toMatch(/^1 rejected \(not placed/);
});

test('of an earlier life has until what that life wrote down, however fast the venue went then', async () => {
  const time = new VirtualTime();
  const venue = new FakeVenueApi(time, BTC);
  const origin = venue.venueTime;
  let slowFrom = Number.POSITIVE_INFINITY;
  const venueTime = () =>
    Math.floor(origin + 60 * Math.min(time.now, slowFrom) + Math.max(0, time.now - slowFrom));
  Object.defineProperty(venue, 'venueTime', { get: venueTime });

  const first = estimateOf('follow', time, venue);
  await follow(first, time, 20);
  const { timestamp, recvWindowMs } = new Stamper(tickwright, first).stamp();
  const validUntil = timestamp + recvWindowMs;
  const chronicle = new Chronicle(NO_BOT_JOURNAL);
  const { pair } = BTC;
  const position = 0 as Lots;
  chronicle.note({ kind: 'checkpoint', pair, position, time: 0, fillIds: [], by: 'test', reason: 'test' });
  chronicle.note({
    kind: 'prep',
    intent: 's0-1',
    pair,
    terms: placeOf(1).terms,
    tag: 's0-1',
    bodySha256: '00',
    position,
    sentAt: timestamp,
    validUntil,
    wall: 0,
  });
  await time.advance(500);

  const second = estimateOf('follow', time, venue);
  Object.assign(venue.clock, second);
  await follow(second, time, 1);
  const execution = new Execution({
    api: venue,
    market: BTC,
    timers: time.timers,
    clock: time.clock,
    log: SILENT,
    chronicle,
    session: 's1',
    echo: 'oco',
    visibilityMs: 0,
    lateMs: lateBound(tickwright),
    fenceMs: tickwright.recvWindowMs,
    staleMs: 20_000,
    lists: ['active', 'all'],
    listLimit: 100,
    watchEveryMs: 1_000,
  });
  execution.start();
  slowFrom = time.now;
  const stage = () => chronicle.books.intent('s0-1')?.stage;
  await follow(second, time, 15);
  expect([stage(), venueTime() < validUntil]).toEqual(['in-doubt', true]);
  await follow(second, time, 70);
  expect(execution.state().reason).toMatch(
    /^orders of an earlier life are not accounted for: the venue may take s0-1 until its clock/,
  );
  await time.advance(validUntil - venueTime() + 10_000);
  expect(stage()).toBe('not-placed');
});
