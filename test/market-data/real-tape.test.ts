import { describe, expect, test } from 'vitest';
import { MarketFeed } from '../../src/market-data/market-feed.js';
import { compareTrades } from '../../src/model/trade.js';
import type { FeedEvent } from '../../src/ports/feed.js';
import { SILENT } from '../../src/ports/log.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { readRealTape, realTapePath, WITHOUT_TAPE } from '../support/shared-data.js';
import { VirtualTime } from '../support/virtual-time.js';

/** The tape as a venue prints it, followed by polls this far apart in venue time. */
async function follow(everyMs: number, limit: number, venueLimit = limit) {
  const tape = readRealTape();
  const origin = tape[0]!.time;
  const time = new VirtualTime(origin);
  const venue = new FakeVenueApi(time, BTC, origin);
  venue.maxLimit = venueLimit;
  for (const trade of tape) venue.print(trade);
  const feed = new MarketFeed({
    api: venue,
    market: BTC,
    profile: { maxLimit: limit, contiguousIds: true, visibilityLagMs: 0, followClock: true },
    every: { trades: everyMs },
    timers: time.timers,
    clock: time.clock,
    log: SILENT,
  });
  const events: FeedEvent[] = [];
  const subscription = feed.events$.subscribe((event) => events.push(event));
  await time.advance(tape.at(-1)!.time - origin + 2 * everyMs);
  subscription.unsubscribe();
  const trades = events.flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));
  expect(trades).toEqual([...trades].sort(compareTrades));
  return { tape, trades, gaps: events.filter((event) => event.kind === 'gap'), stats: feed.stats };
}

describe.skipIf(realTapePath === undefined)(
  `the real tape (${realTapePath === undefined ? WITHOUT_TAPE : 'present'})`,
  () => {
    test.each([
      1_000, 10_000,
    ])('is seen whole and once when polled every %i ms with pages of 1000', async (everyMs) => {
      const { tape, trades, gaps, stats } = await follow(everyMs, 1_000);
      expect(trades).toEqual(tape);
      expect(gaps).toEqual([]);
      expect(stats).toMatchObject({ trades: 21_313, missing: 0, lateTrades: 0 });
    });

    test.each([
      ['pages of 100', 100, 100],
      ['a venue that gives 100 where its profile says 1000', 1_000, 100],
    ])('is seen or counted as missing with %s, nothing twice', async (_, limit, venueLimit) => {
      const { tape, trades, gaps, stats } = await follow(10_000, limit, venueLimit);
      expect(trades.length + stats.missing).toBe(21_313);
      expect(new Set(trades.map(({ id }) => id)).size).toBe(trades.length);
      expect(gaps.length).toBeGreaterThan(0);
      // Only milliseconds of more than a page can be missed.
      const perMs = new Map<number, number>();
      for (const { time } of tape) perMs.set(time, (perMs.get(time) ?? 0) + 1);
      const hidden = [...perMs.values()].reduce((sum, count) => sum + Math.max(0, count - 100), 0);
      expect(stats.missing).toBe(hidden);
    });
  },
);
