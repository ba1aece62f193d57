import { describe, expect, test } from 'vitest';
import { ClockJump } from '../../src/market-data/clock-jump.js';
import { MarketFeed, type MarketFeedOptions } from '../../src/market-data/market-feed.js';
import { PollAge } from '../../src/market-data/poll-age.js';
import type { Timers } from '../../src/ports/clock.js';
import type { FeedEvent } from '../../src/ports/feed.js';
import { SILENT } from '../../src/ports/log.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { VirtualTime } from '../support/virtual-time.js';
import { NO_PRICES } from '../support/no-prices.js';

const ORIGIN = 1_700_000_000_000;
const STALE = 'no poll of the trades was handled for more than 20 s';
const UNREAD = 'no poll of the trades was handled yet';
const STALE_TICKER = 'no poll of the ticker was handled for more than 20 s';
const JUMPED = 'the clock jumped: nothing is known to be fresh';
const AHEAD = 'bars and timers stand still: a clock that was ahead told them of a time that is still to come';
const CONTRADICTION = 'the tape and the mark price contradict each other';
const FROZEN = 'the tape stands still while the last price moves';

function feedOf(more: Partial<MarketFeedOptions> = {}) {
  const time = new VirtualTime(ORIGIN);
  const venue = new FakeVenueApi(time, BTC, ORIGIN);
  let jumpMs = 0;
  const warnings: string[] = [];
  const feed = new MarketFeed({
    api: venue,
    market: BTC,
    profile: { maxLimit: 1_000, contiguousIds: true, visibilityLagMs: 0, followClock: false },
    every: { trades: 1_000 },
    timers: time.timers,
    clock: { wall: () => time.clock.wall() + jumpMs, monotonic: () => time.clock.monotonic() },
    log: { ...SILENT, warn: (message) => warnings.push(message) },
    ...more,
  });
  const events: FeedEvent[] = [];
  /** Reasons as they changed, with the venue second. */
  const changes: string[] = [];
  feed.guards$.subscribe(({ reason }) => changes.push(`${time.now / 1_000}: ${reason ?? 'fresh'}`));
  let id = 1;
  return {
    time,
    venue,
    feed,
    events,
    changes,
    warnings,
    start: () => feed.events$.subscribe((event) => events.push(event)),
    jump: (ms: number) => {
      jumpMs += ms;
    },
    print: (at: number, more_: { price?: number; quantity?: number; visibleAt?: number } = {}) => {
      const { price = 100, quantity = 1, visibleAt = at } = more_;
      const trade = { id: String(id++), time: ORIGIN + at, price, quantity, isBuyerMaker: false };
      venue.print(trade, ORIGIN + visibleAt);
    },
  };
}

describe('data of a feed', () => {
  test('is not fresh before the first poll was handled, then as of the start of the newest', async () => {
    const { time, venue, feed, start, changes } = feedOf();
    venue.latency = () => 400;
    expect(feed.guards()).toEqual({ dataAsOf: 0, reason: UNREAD });
    start();
    await time.advance(399);
    expect(feed.guards().reason).toBe(UNREAD);
    await time.advance(1);
    expect(feed.guards()).toEqual({ dataAsOf: ORIGIN, reason: undefined });
    await time.advance(1_000);
    expect(feed.guards()).toEqual({ dataAsOf: ORIGIN + 1_000, reason: undefined });
    expect(changes).toEqual(['0.4: fresh']);
  });

  test('awaits each poll until it was handled once, and not when it is old', async () => {
    const { time, venue, feed, start } = feedOf({ every: { trades: 1_000, ticker: 3_000 } });
    venue.latency = () => 400;
    expect(feed.awaits).toBe(UNREAD);
    start();
    await time.advance(400);
    expect(feed.awaits).toBe('no poll of the ticker was handled yet');
    await time.advance(2_000);
    expect(feed.awaits).toBeUndefined();
    venue.fault = () => 'fail';
    await time.advance(60_000);
    expect(feed.guards().reason).toBe(STALE);
    expect(feed.awaits).toBeUndefined();
  });

  test('is stale more than 20 s after the start of the last poll that was answered', async () => {
    const { time, venue, feed, start, changes } = feedOf();
    start();
    await time.advance(5_500);
    venue.fault = () => 'fail';
    // The last good poll started at 5 s.
    await time.advance(19_500);
    expect(feed.guards().reason).toBeUndefined();
    await time.advance(1);
    expect(feed.guards()).toEqual({ dataAsOf: ORIGIN + 5_000, reason: STALE });
    await time.advance(999);
    expect(changes).toEqual(['0: fresh', `25.001: ${STALE}`]);
  });

  test('is stale after four intervals when those are longer', async () => {
    const { time, venue, feed, start } = feedOf({ every: { trades: 10_000 } });
    start();
    await time.advance(500);
    venue.fault = () => 'fail';
    await time.advance(39_500);
    expect(feed.guards().reason).toBeUndefined();
    await time.advance(1);
    expect(feed.guards().reason).toBe('no poll of the trades was handled for more than 40 s');
  });

  test('stays stale while the backlog of an outage is handled, and is fresh when all of it was', async () => {
    const { time, venue, feed, events, print, changes } = feedOf();
    const reasons: (string | undefined)[] = [];
    feed.events$.subscribe((event) => {
      events.push(event);
      reasons.push(feed.guards().reason);
    });
    await time.advance(500);
    expect(changes).toEqual(['0: fresh']);
    venue.fault = () => 'fail';
    for (let second = 1; second <= 60; second++) print(second * 1_000);
    await time.advance(60_000);
    venue.fault = () => undefined;
    reasons.length = 0;
    events.length = 0;
    await time.advance(40_000);
    const backlog = events.findIndex((event) => event.kind === 'mark') + 1;
    expect(events.slice(0, backlog).filter((event) => event.kind === 'trade')).toHaveLength(60);
    expect(reasons.slice(0, backlog)).toEqual(Array.from({ length: backlog }, () => STALE));
    expect(reasons.slice(backlog).every((reason) => reason === undefined)).toBe(true);
    expect(changes.map((change) => change.replace(/^[\d.]+: /, ''))).toEqual(['fresh', STALE, 'fresh']);
  });

  test('is as old as the request of a slow answer, not as young as its arrival', async () => {
    const { time, venue, feed, start } = feedOf();
    start();
    await time.advance(500);
    venue.latency = () => 25_000;
    await time.advance(25_501);
    // Asked for at 1 s, answered at 26 s.
    expect(feed.stats.polls).toBe(2);
    expect(feed.guards()).toEqual({ dataAsOf: ORIGIN + 1_000, reason: STALE });
  });

  test('needs the ticker too, where one is polled', async () => {
    const { time, venue, feed, start } = feedOf({ every: { trades: 1_000, ticker: 3_000 } });
    start();
    await time.advance(1_500);
    expect(feed.guards().reason).toBe('no poll of the ticker was handled yet');
    await time.advance(1_000);
    expect(feed.guards().reason).toBeUndefined();
    venue.fault = (kind) => (kind === 'ticker' ? 'fail' : undefined);
    await time.advance(20_000);
    expect(feed.guards().reason).toBe(STALE_TICKER);
  });

  test('is stale when the tape stands still while the ticker goes on, within 20 s', async () => {
    const { time, feed, start, print } = feedOf({ every: { trades: 1_000, ticker: 2_000 } });
    for (let at = -60_000; at <= 0; at += 250) print(at);
    start();
    await time.advance(3_000);
    expect(feed.guards().reason).toBeUndefined();
    // From here on the tape is a cache that nobody renews.
    for (let at = 3_000; at <= 60_000; at += 250) print(at, { price: 100 + at / 10_000, visibleAt: 60_000 });
    await time.advance(20_000);
    expect(feed.guards().reason).toBe(FROZEN);
    await time.advance(40_000);
    expect(feed.guards().reason).toBeUndefined();
  });

  test('is no ground for risk while the tape moves far from a ticker that stands still', async () => {
    const { time, venue, feed, start, print, changes, warnings } = feedOf({
      every: { trades: 1_000, ticker: 2_000 },
    });
    const priceAt = (at: number) => 100 * 1.001 ** (at / 1_000);
    for (let at = 0; at <= 300_000; at += 1_000) print(at, { price: priceAt(at) });
    let mark = 100;
    venue.ticker = async () => ({ ...NO_PRICES, time: venue.venueTime, lastPrice: mark, markPrice: mark });
    start();
    // A tenth above the mark at 96 s.
    await time.advance(96_000);
    expect(feed.stats.badPrints).toBeLessThanOrEqual(1);
    await time.advance(20_000);
    expect(feed.guards().reason).toBe(CONTRADICTION);
    await time.advance(84_000);
    expect(feed.guards().reason).toBe(CONTRADICTION);
    expect(warnings).toContain('market data is not to be traded on');
    mark = priceAt(205_000);
    await time.advance(4_000);
    expect(feed.guards().reason).toBeUndefined();
    expect(changes.filter((change) => change.endsWith(CONTRADICTION))).toHaveLength(1);
  });

  test('is void after a jump of the clock until the time was asked for and the tape was read again', async () => {
    const { time, venue, feed, start, jump, changes } = feedOf();
    const synced = () => venue.calls.filter(({ kind }) => kind === 'time').length;
    start();
    await time.advance(5_500);
    expect(synced()).toBe(0);
    jump(3_600_000);
    venue.fault = (kind) => (kind === 'time' ? 'fail' : undefined);
    await time.advance(3_000);
    expect(feed.guards().reason).toBe(JUMPED);
    venue.fault = () => undefined;
    await time.advance(1_000);
    expect(synced()).toBeGreaterThan(0);
    expect(feed.guards().reason).toBeUndefined();
    expect(changes).toEqual(['0: fresh', `6: ${JUMPED}`, '9: fresh']);
  });

  test('is told to be stale when it is, though the answer before was slow', async () => {
    const { time, venue, start, changes } = feedOf();
    start();
    await time.advance(500);
    venue.latency = () => 18_000;
    await time.advance(18_600);
    venue.fault = () => 'fail';
    await time.advance(10_000);
    // The answer that came at 19 s was asked for at 1 s: it is good for two seconds more.
    expect(changes).toEqual(['0: fresh', `21.001: ${STALE}`]);
  });

  test('is asked for no more often than a change needs while every poll is answered', async () => {
    const time = new VirtualTime(ORIGIN);
    let tasks = 0;
    const after: Timers['after'] = (ms, task) => {
      return time.timers.after(ms, () => {
        tasks++;
        task();
      });
    };
    const { start } = feedOf({
      every: { trades: 60_000 },
      timers: { ...time.timers, after },
      clock: time.clock,
    });
    start();
    await time.advance(3_600_000);
    // One for each poll, one each second.
    expect(tasks).toBeLessThanOrEqual(60 + 3_600);
  });

  test('is void for whoever asks right after a jump of the clock, and told to all in the next turn', async () => {
    const { time, feed, start, jump, changes } = feedOf({ every: { trades: 10_000 } });
    start();
    await time.advance(5_500);
    jump(-3_600_000);
    expect(feed.guards().reason).toBe(JUMPED);
    expect(changes).toEqual(['0: fresh']);
    await time.advance(0);
    expect(changes).toEqual(['0: fresh', `5.5: ${JUMPED}`]);
    await time.advance(10_000);
    expect(feed.guards().reason).toBeUndefined();
  });

  test('is void within 1 s of a jump of the clock though nobody asks and no poll is due', async () => {
    const { time, start, jump, changes } = feedOf({ every: { trades: 60_000 } });
    start();
    await time.advance(11_000);
    jump(3_600_000);
    await time.advance(1_000);
    expect(changes).toEqual(['0: fresh', `12: ${JUMPED}`]);
  });

  test('that a poll finds stale by the clock is asked for anew by the same poll', async () => {
    const { time, venue, feed, start, jump } = feedOf({ every: { trades: 4_000 } });
    start();
    await time.advance(3_900);
    jump(3_600_000);
    await time.advance(200);
    expect(venue.calls.filter(({ kind }) => kind === 'time')).toHaveLength(1);
    expect(feed.guards().reason).toBeUndefined();
  });

  test('is no ground for risk while bars wait for a time that a clock was ahead to say had come', async () => {
    const { time, venue, feed, start, changes, events } = feedOf();
    start();
    await time.advance(5_500);
    let aheadMs = 3_600_000;
    const { clock } = venue;
    const ahead = { now: () => venue.venueTime + aheadMs, reached: () => venue.venueTime + aheadMs };
    Object.assign(clock, ahead);
    await time.advance(1_000);
    aheadMs = 0;
    await time.advance(1_000);
    expect(feed.guards().reason).toBe(AHEAD);
    // No mark comes before that time has.
    const marks = events.filter(({ kind }) => kind === 'mark').length;
    await time.advance(3_000_000);
    expect(feed.guards().reason).toBe(AHEAD);
    expect(events.filter(({ kind }) => kind === 'mark')).toHaveLength(marks);
    await time.advance(610_000);
    expect(feed.guards().reason).toBeUndefined();
    expect(events.filter(({ kind }) => kind === 'mark').length).toBeGreaterThan(marks);
    expect(changes).toEqual(['0: fresh', `7: ${AHEAD}`, '3596: fresh']);
  });

  test('stops being watched when nobody listens any more', async () => {
    const { time, start } = feedOf();
    const subscription = start();
    await time.advance(2_500);
    subscription.unsubscribe();
    await time.advance(0);
    expect(time.pending).toBe(0);
  });
});

describe('misprints', () => {
  test('are not given: a gap stands in their place, and the tape goes on', async () => {
    const { time, feed, start, print, events, warnings } = feedOf();
    print(-3_000);
    print(-2_000);
    start();
    await time.advance(500);
    events.length = 0;
    print(600, { price: 101 });
    print(700, { price: 25_000 });
    print(800, { price: 0 });
    print(900, { quantity: Number.NaN });
    print(950, { price: 102 });
    await time.advance(1_000);
    const hole = (at: number) => ({
      kind: 'gap',
      gap: { from: ORIGIN + at, to: ORIGIN + at, missing: 1 },
    });
    expect(events).toMatchObject([
      { kind: 'trade', trade: { price: 101 } },
      hole(700),
      hole(800),
      hole(900),
      { kind: 'trade', trade: { price: 102 } },
      { kind: 'mark', time: ORIGIN + 1_000 },
    ]);
    expect(feed.stats).toMatchObject({ trades: 4, badPrints: 3, gaps: 3, missing: 3 });
    expect(warnings.filter((text) => text === 'misprint on the tape')).toHaveLength(1);
  });
});

test('no mark is given of an empty page that should show a known trade, and what it hid comes before the next', async () => {
  const { time, venue, start, print, events } = feedOf();
  for (let at = 0; at <= 20_000; at += 1_000) print(at);
  start();
  await time.advance(5_000);
  const before = events.length;
  const trades = venue.trades.bind(venue);
  venue.trades = async () => [];
  await time.advance(12_000);
  expect(events.slice(before)).toEqual([]);
  venue.trades = trades;
  await time.advance(1_000);
  expect(events.slice(before).map(({ kind }) => kind)).toEqual([...Array(13).fill('trade'), 'mark']);
});

test('misprints are told of once, and again after 10 min without one', async () => {
  const { time, start, print, warnings } = feedOf();
  for (let at = 0; at <= 1_800_000; at += 5_000) print(at);
  for (const at of [10_001, 500_001, 1_099_999, 1_700_001]) print(at, { price: 0 });
  const told = () => warnings.filter((text) => text === 'misprint on the tape').length;
  start();
  await time.advance(1_690_000);
  expect(told()).toBe(1);
  await time.advance(20_000);
  expect(told()).toBe(2);
});

describe('a position', () => {
  const positions = (events: readonly FeedEvent[]) =>
    events.flatMap((event) =>
      event.kind === 'position' ? [`${event.position.lots}@${event.position.time - ORIGIN}`] : [],
    );

  test('is as of the moment it was asked for', async () => {
    const { time, venue, start, events } = feedOf({ every: { trades: 1_000, position: 3_000 } });
    venue.latency = (kind) => (kind === 'position' ? 500 : 0);
    venue.positionSize = 0.002;
    start();
    await time.advance(2_000);
    expect(positions(events)).toEqual(['2@0', '2@1000']);
  });

  test('that was asked for before the newest event of an own order is no news', async () => {
    let ownEventAt = 0;
    const { time, venue, feed, start, events } = feedOf({
      every: { trades: 1_000, position: 3_000 },
      ownEventAt: () => ownEventAt,
    });
    venue.latency = (kind) => (kind === 'position' ? 500 : 0);
    start();
    await time.advance(1_200);
    // Asked for at 1 s; at 1.3 s an own order is filled.
    ownEventAt = 1_300;
    await time.advance(3_500);
    expect(positions(events)).toEqual(['0@0', '0@4000']);
    expect(feed.stats.oldPositions).toBe(1);
  });

  test('of the warm-up is no news when a newer one was given meanwhile', async () => {
    const { time, venue, feed, start, events } = feedOf({ every: { trades: 1_000, position: 3_000 } });
    // The history takes longer than it takes the position's own poll to begin.
    venue.latency = (kind) => (kind === 'trades' ? 2_000 : 0);
    start();
    await time.advance(2_500);
    expect(positions(events)).toEqual(['0@1000']);
    expect(feed.stats.oldPositions).toBe(1);
    expect(events.some(({ kind }) => kind === 'live')).toBe(true);
  });
});

describe('the age of a poll', () => {
  test('counts from the newest start, however the answers came', () => {
    const age = new PollAge('book', 1_000);
    expect(age.reason(0)).toBe('no poll of the book was handled yet');
    age.handled(500);
    age.handled(100);
    expect(age.reason(1_500)).toBeUndefined();
    expect(age.reason(1_500.1)).toBe('no poll of the book was handled for more than 1 s');
    age.handled(1_400);
    age.forget();
    expect(age.reason(1_500)).toBe('no poll of the book was handled yet');
  });
});

describe('a look at the clocks', () => {
  /** Looks when so much has passed on each clock: how far the wall clock was set, ms. */
  function looks() {
    let wall = 1e12;
    let monotonic = 0;
    const jump = new ClockJump({ wall: () => wall, monotonic: () => monotonic });
    return (wallMs: number, monotonicMs: number): number => {
      wall += wallMs;
      monotonic += monotonicMs;
      return jump.look();
    };
  }

  test('finds a wall clock that was set either way, once, and no drift', () => {
    const later = looks();
    expect(later(1_000, 1_000)).toBe(0);
    expect(later(2_900, 1_000)).toBe(0);
    expect(later(3_001, 1_000)).toBe(2_001);
    expect(later(1_000, 1_000)).toBe(0);
    expect(later(-5_000, 1_000)).toBe(-6_000);
    // A night's sleep: the monotonic clock stood still.
    expect(later(8 * 3_600_000, 1_000)).toBe(8 * 3_600_000 - 1_000);
  });

  test('that comes often misses no jump in small steps: those of one second add up', () => {
    const later = looks();
    expect(later(1_300, 100)).toBe(0);
    expect(later(1_300, 100)).toBe(2_400);
    expect(later(100, 100)).toBe(0);
  });
});
