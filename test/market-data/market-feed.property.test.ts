import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MarketFeed } from '../../src/market-data/market-feed.js';
import { compareTrades, type Trade } from '../../src/model/trade.js';
import type { FeedEvent } from '../../src/ports/feed.js';
import { SILENT } from '../../src/ports/log.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { VirtualTime } from '../support/virtual-time.js';

const ORIGIN = 1_700_000_000_000;

/** Bursts (many trades in one ms) and silences: pairs of (ms since the last burst, trades in it). */
const bursts = fc.array(
  fc.tuple(
    fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 200, max: 3_000 })),
    fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.integer({ min: 5, max: 60 })),
  ),
  { minLength: 1, maxLength: 60, size: 'max' },
);

const scenario = fc.record({
  bursts,
  limit: fc.integer({ min: 1, max: 25 }),
  everyMs: fc.integer({ min: 200, max: 3_000 }),
  maxPages: fc.oneof(fc.constant(50), fc.integer({ min: 1, max: 6 })),
  latencies: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 7 }),
  /** Which calls fail, by their number; a whole row of them is an outage. */
  faults: fc.array(fc.constantFrom(undefined, undefined, undefined, 'fail' as const, 'throttle' as const), {
    minLength: 1,
    maxLength: 20,
    size: 'max',
  }),
  /** Ms before its end at which the feed is started. */
  startAt: fc.integer({ min: 0, max: 5_000 }),
});

interface Run {
  readonly events: FeedEvent[];
  /** Everything printed, in order. */
  readonly all: readonly Trade[];
  readonly venue: FakeVenueApi;
}

async function run(
  {
    bursts: shape,
    limit,
    everyMs,
    maxPages,
    latencies,
    faults,
    startAt,
  }: typeof scenario extends fc.Arbitrary<infer S> ? S : never,
  venueLimit: number,
  lag: { readonly ms: number; readonly contiguousIds: boolean },
): Promise<Run> {
  const time = new VirtualTime(ORIGIN);
  const venue = new FakeVenueApi(time, BTC, ORIGIN);
  venue.maxLimit = venueLimit;
  const all: Trade[] = [];
  let at = 0;
  let id = 1;
  for (const [pause, count] of shape) {
    at += pause;
    for (let i = 0; i < count; i++) {
      const trade = { id: String(id++), time: ORIGIN + at, price: 100, quantity: 1, isBuyerMaker: false };
      all.push(trade);
      // Any trade may hide for up to the lag; a fixed pattern, since only its variety matters.
      venue.print(trade, trade.time + ((id * 7_919) % (lag.ms + 1)));
    }
  }
  let call = 0;
  venue.latency = () => latencies[call++ % latencies.length]!;
  let asked = 0;
  // The faults end, so that every run can come to rest.
  venue.fault = () => faults[asked++];
  const feed = new MarketFeed({
    api: venue,
    market: BTC,
    profile: {
      maxLimit: limit,
      contiguousIds: lag.contiguousIds,
      visibilityLagMs: lag.ms,
      followClock: true,
    },
    every: { trades: everyMs },
    timers: time.timers,
    clock: time.clock,
    log: SILENT,
    maxPages,
    maxBackoffMs: 1_500,
  });
  await time.advance(startAt);
  const events: FeedEvent[] = [];
  const subscription = feed.events$.subscribe((event) => events.push(event));
  // Long enough for the tape, the backoff and a last whole poll.
  await time.advance(at + 120_000);
  subscription.unsubscribe();
  return { events, all, venue };
}

function check({ events, venue }: Run) {
  const trades = events.flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));
  expect(new Set(trades.map(({ id }) => id)).size, 'nothing twice').toBe(trades.length);
  expect(venue.overlap.get('trades'), 'no overlap').toBe(1);
  const marks = events.flatMap((event) => (event.kind === 'mark' ? [event.time] : []));
  expect(marks, 'marks only go up').toEqual([...new Set(marks)].sort((a, b) => a - b));
  expect(events.filter((event) => event.kind === 'live')).toHaveLength(1);
  return trades;
}

test('seen and missing are all, whatever the bursts, pages, delays and failures', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const result = await run(given, given.limit, { ms: 0, contiguousIds: true });
      const trades = check(result);
      const first = trades[0];
      if (first === undefined) return;
      expect(trades).toEqual([...trades].sort(compareTrades));
      const missing = result.events.reduce(
        (sum, e) => sum + (e.kind === 'gap' ? (e.gap.missing ?? Number.NaN) : 0),
        0,
      );
      const printed = result.all.filter((trade) => compareTrades(trade, first) >= 0);
      expect(trades.length + missing).toBe(printed.length);
      expectCovered(result, first);
      expectMarksTrue(result);
    }),
    { numRuns: 60 },
  );
});

test('seen and missing are all when the venue gives less a page than its profile says', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const result = await run({ ...given, limit: 1_000 }, given.limit, { ms: 0, contiguousIds: true });
      const trades = check(result);
      const first = trades[0];
      if (first === undefined) return;
      const missing = result.events.reduce(
        (sum, e) => sum + (e.kind === 'gap' ? (e.gap.missing ?? Number.NaN) : 0),
        0,
      );
      const printed = result.all.filter((trade) => compareTrades(trade, first) >= 0);
      expect(trades.length + missing).toBe(printed.length);
    }),
    { numRuns: 40 },
  );
});

test('without ids that count, every trade that was not given lies inside a gap, late ones too', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.integer({ min: 0, max: 2_500 }), async (given, lagMs) => {
      const result = await run(given, given.limit, { ms: lagMs, contiguousIds: false });
      const first = check(result)[0];
      // The warm-up may have ended inside the millisecond of its first trade.
      if (first !== undefined) expectCovered(result, { ...first, time: first.time + 1, id: '0' });
    }),
    { numRuns: 60 },
  );
});

/** Every trade from the first on is given, or lies inside the bounds of a gap. */
function expectCovered({ events, all }: Run, first: Trade) {
  const given = new Set(events.flatMap((event) => (event.kind === 'trade' ? [event.trade.id] : [])));
  const gaps = events.flatMap((event) => (event.kind === 'gap' ? [event.gap] : []));
  const lost = all
    .filter((trade) => compareTrades(trade, first) >= 0 && !given.has(trade.id))
    .filter((trade) => !gaps.some((gap) => gap.from <= trade.time && trade.time <= gap.to));
  expect(lost).toEqual([]);
}

/** When a mark comes, everything printed before it was given or lies inside a gap that was given. */
function expectMarksTrue({ events }: Run) {
  let mark = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (event.kind === 'mark') mark = event.time;
    if (event.kind === 'trade') expect(event.trade.time).toBeGreaterThanOrEqual(mark);
  }
}
