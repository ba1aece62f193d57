import { describe, expect, test } from 'vitest';
import { MarketFeed, type MarketFeedOptions } from '../../src/market-data/market-feed.js';
import { durationMs } from '../../src/model/duration.js';
import type { PositionSnapshot } from '../../src/model/event.js';
import type { FeedEvent } from '../../src/ports/feed.js';
import { SILENT } from '../../src/ports/log.js';
import { type CallKind, FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { VirtualTime } from '../support/virtual-time.js';

const ORIGIN = 1_700_000_000_000;

function feedOf(more: Partial<MarketFeedOptions> = {}, profile: Partial<MarketFeedOptions['profile']> = {}) {
  const time = new VirtualTime(ORIGIN);
  const venue = new FakeVenueApi(time, BTC, ORIGIN);
  const warnings: string[] = [];
  const feed = new MarketFeed({
    api: venue,
    market: BTC,
    profile: { maxLimit: 10, contiguousIds: true, visibilityLagMs: 0, followClock: true, ...profile },
    every: { trades: 1_000 },
    timers: time.timers,
    clock: time.clock,
    log: { ...SILENT, warn: (message) => warnings.push(message), info: (message) => warnings.push(message) },
    ...more,
  });
  const events: FeedEvent[] = [];
  /** Each entry: the events that came at one moment, with the number of synchronous bursts they came in. */
  let nextId = 1;
  const start = () => feed.events$.subscribe((event) => events.push(event));
  const print = (at: number, visibleAt: number) => {
    const trade = { id: String(nextId++), time: ORIGIN + at, price: 100, quantity: 1, isBuyerMaker: false };
    venue.print(trade, ORIGIN + visibleAt);
  };
  return {
    time,
    venue,
    feed,
    events,
    warnings,
    start,
    print: (...times: number[]) => {
      for (const at of times) print(at, at);
    },
    /** With a time that has not come when the venue shows it. */
    printAhead: (at: number, visibleAt: number) => print(at, visibleAt),
    /** Takes what came since the last call. */
    story: () => events.splice(0).map(word).join(' '),
  };
}

function word(event: FeedEvent): string {
  switch (event.kind) {
    case 'trade':
      return `${event.trade.id}@${event.receivedAt - ORIGIN}`;
    case 'mark':
      return `mark${event.time - ORIGIN}`;
    case 'live':
      return `live${event.time - ORIGIN}`;
    case 'gap':
      return `gap(${event.gap.from - ORIGIN},${event.gap.to - ORIGIN},+${event.gap.missing ?? '?'})`;
    case 'position':
      return `position(${event.position.lots})`;
    case 'ticker':
      return `ticker${event.ticker.time - ORIGIN}`;
  }
}

describe('a market feed', () => {
  test('gives the history, then live, then what each poll brings, the mark of its start last', async () => {
    const { time, venue, print, start, story } = feedOf();
    venue.latency = (kind) => (kind === 'trades' ? 100 : 0);
    print(-7_200_000, -5_000, -10);
    start();
    await time.advance(500);
    // Older than an hour is not asked for. A short first page without a known trade is looked behind: 100 ms more.
    expect(story()).toBe('2@200 3@200 live200 mark0');
    print(600, 1_020, 1_099);
    await time.advance(1_000);
    // The venue looked at 1 050: what it printed at 1 099 comes with the next poll.
    expect(story()).toBe('4@1100 5@1100 mark1000');
    await time.advance(1_000);
    expect(story()).toBe('6@2100 mark2000');
  });

  test.each([
    ['less', '30h', [-7_200_000, -10], { wanted: '30h', had: '2h' }],
    ['none', '5m', [], { wanted: '5m', had: 'none' }],
    ['what one walk has pages for', '1h', Array.from({ length: 60 }, (_, at) => (at - 60) * 60_000), 'cut'],
    ['enough, with a quiet tenth at its beginning', '1h', [-3_240_000, -10], undefined],
    ['enough, with a quiet minute at its beginning', '2m', [-60_000], undefined],
    ['a minute that is quiet', '1m', [], undefined],
  ] as const)('says how much history there is: %s of %s', async (_, warmUp, prints, said) => {
    const told: unknown[] = [];
    const warn = (message: string, fields?: object) => void told.push({ message, ...fields });
    const maxPages = said === 'cut' ? 3 : 50;
    const { time, print, start } = feedOf({
      warmUpMs: durationMs(warmUp, 'it'),
      log: { ...SILENT, warn },
      maxPages,
    });
    print(...prints);
    start();
    await time.advance(10_000);
    const message = 'the warm-up has less history than it asks for';
    // Three pages of ten minutes each, of which one millisecond is on two.
    const facts = said === 'cut' ? { wanted: '1h', had: '28m' } : said;
    expect(told.filter((line) => (line as { message: string }).message === message)).toEqual(
      facts === undefined ? [] : [{ message, pair: BTC.pair, ...facts }],
    );
  });

  test.each([
    86_400_000,
    1_700_000_000_000_000 - ORIGIN,
  ])('gives a print that is %d ms ahead as a misprint, and everything after it', async (ahead) => {
    const { time, feed, print, printAhead, start, story, events } = feedOf({}, { followClock: false });
    print(-20);
    start();
    await time.advance(500);
    expect(story()).toBe('1@0 live0 mark0');
    print(600);
    printAhead(600 + ahead, 600);
    print(700);
    await time.advance(1_000);
    expect(story()).toBe('2@1000 gap(600,600,+1) 4@1000 mark1000');
    for (let at = 2_000; at < 3_600_000; at += 1_000) {
      print(at);
      await time.advance(1_000);
    }
    expect(feed.stats).toMatchObject({ trades: 3_601, missing: 1, gaps: 1, badPrints: 1 });
    expect(feed.guards().reason).toBeUndefined();
    expect(events.some((event) => event.kind === 'trade' && event.receivedAt > ORIGIN + 3_600_000)).toBe(
      false,
    );
  });

  test('asks the venue for its time before it calls a print a misprint', async () => {
    const { time, venue, print, start, story } = feedOf({}, { followClock: false });
    let behind = 300_000;
    const right = { ...venue.clock };
    Object.assign(venue.clock, {
      now: () => right.now() - behind,
      reached: () => right.reached() - behind,
      sync: () => right.sync().then(() => void (behind = 0)),
    });
    print(-20);
    start();
    await time.advance(500);
    expect(story()).toMatch(/^1@0 live0/);
    expect(venue.calls.filter(({ kind }) => kind === 'time')).toHaveLength(1);
  });

  test('asks for the time of a venue whose clock is not followed once a minute, and goes on meanwhile', async () => {
    const { time, venue, start, story, warnings } = feedOf({}, { followClock: false });
    const asked = () => venue.calls.filter(({ kind }) => kind === 'time').length;
    start();
    await time.advance(59_500);
    expect(asked()).toBe(0);
    await time.advance(1_000);
    expect(asked()).toBe(1);
    story();
    venue.fault = (kind) => (kind === 'time' ? 'fail' : undefined);
    await time.advance(60_000);
    // One that is not answered keeps no mark back.
    expect(asked()).toBe(2);
    expect(story().split(' ')).toHaveLength(60);
    expect(warnings).toContain('the venue does not tell its time');
  });

  test('believes prints up to a day ahead of a clock that has a rate of its own, or does not answer', async () => {
    for (const followClock of [true, false]) {
      const { time, venue, print, printAhead, start, story } = feedOf({}, { followClock });
      print(-20);
      start();
      await time.advance(500);
      story();
      if (!followClock) venue.fault = (kind) => (kind === 'time' ? 'fail' : undefined);
      printAhead(3_600_000, 0);
      printAhead(90_000_000, 0);
      await time.advance(1_000);
      expect(story()).toMatch(/^2@3600000 gap\(3600000,3600000,\+1\)/);
    }
  });

  test('marks a quiet market as covered', async () => {
    const { time, start, story } = feedOf();
    start();
    await time.advance(2_500);
    expect(story()).toBe('live0 mark0 mark1000 mark2000');
  });

  test('takes the lag of the venue off its marks, and gives what shows up late', async () => {
    const { time, venue, start, story } = feedOf({}, { visibilityLagMs: 800, contiguousIds: false });
    start();
    await time.advance(2_500);
    expect(story()).toBe('live0 mark-800 mark200 mark1200');
    const late = { id: 'z', time: ORIGIN + 2_300, price: 1, quantity: 1, isBuyerMaker: false };
    venue.print(late, ORIGIN + 3_050);
    venue.print({ ...late, id: 'y', time: ORIGIN + 2_900 });
    await time.advance(2_000);
    expect(story()).toBe('y@3000 mark2200 z@4000 mark3200');
  });

  test('gives no mark with a poll that leaves a gap, and the next one with the next whole poll', async () => {
    const { time, feed, print, start, story } = feedOf({}, { maxLimit: 2 });
    print(-20);
    start();
    await time.advance(500);
    expect(story()).toBe('1@0 live0 mark0');
    print(700, 700, 700, 700, 800);
    await time.advance(1_000);
    expect(story()).toBe('gap(700,700,+2) 4@1000 5@1000 6@1000');
    await time.advance(1_000);
    expect(story()).toBe('mark2000');
    expect(feed.stats).toMatchObject({ trades: 4, gaps: 1, missing: 2, polls: 3 });
  });

  test('closes nothing during an outage, says so once, and then brings all of it', async () => {
    const { time, venue, feed, print, start, story, warnings } = feedOf({ maxBackoffMs: 2_000 });
    print(-20);
    start();
    await time.advance(500);
    story();
    let down = true;
    venue.fault = () => (down ? 'fail' : undefined);
    print(700, 1_700, 2_700);
    await time.advance(4_000);
    expect(story()).toBe('');
    down = false;
    await time.advance(2_000);
    expect(story()).toBe('2@6000 3@6000 4@6000 mark6000');
    expect(feed.stats).toMatchObject({ trades: 4, gaps: 0 });
    expect(warnings.filter((text) => text === 'poll fails')).toHaveLength(1);
    expect(warnings.filter((text) => text === 'poll answers again')).toHaveLength(1);
  });

  test('repeats a warm-up that failed and goes live only after it', async () => {
    const { time, venue, print, start, story } = feedOf();
    print(-30, -20);
    let failures = 2;
    venue.fault = (kind) => (kind === 'trades' && failures-- > 0 ? 'fail' : undefined);
    start();
    await time.advance(900);
    expect(story()).toBe('');
    await time.advance(3_000);
    expect(story()).toMatch(/^1@3000 2@3000 live3000 mark3000$/);
  });

  test('gives no new mark while the clock of the venue stands still, nor one that goes back', async () => {
    const { time, venue, print, start, story } = feedOf();
    start();
    await time.advance(1_500);
    expect(story()).toBe('live0 mark0 mark1000');
    venue.clockFrozenAt = ORIGIN + 1_400;
    print(1_390);
    await time.advance(3_000);
    expect(story()).toBe('1@1400 mark1400');
    venue.clockFrozenAt = ORIGIN + 900;
    await time.advance(1_000);
    expect(story()).toBe('');
  });

  test('goes on with trades but without marks when only the time is not told', async () => {
    const { time, venue, print, start, story } = feedOf();
    start();
    await time.advance(500);
    story();
    venue.fault = (kind) => (kind === 'time' ? 'fail' : undefined);
    print(700);
    await time.advance(1_000);
    expect(story()).toBe('1@1000');
    venue.fault = () => undefined;
    await time.advance(1_000);
    expect(story()).toBe('mark2000');
  });

  test('asks for the time before each poll only where the clock of the venue is its own', async () => {
    const asked = async (followClock: boolean) => {
      const { time, venue, start } = feedOf({}, { followClock });
      start();
      await time.advance(1_500);
      return venue.calls.map((call) => call.kind).filter((kind) => kind === 'time').length;
    };
    expect(await asked(true)).toBe(2);
    expect(await asked(false)).toBe(0);
  });

  test('receives nothing before it was printed, even when the estimate of the clock is behind', async () => {
    const { time, venue, start, story } = feedOf();
    venue.print({ id: '1', time: ORIGIN + 400, price: 100, quantity: 1, isBuyerMaker: false }, ORIGIN);
    start();
    await time.advance(100);
    expect(story()).toBe('1@400 live400 mark0');
  });

  test('tells the position before it goes live, then as polled, in lots', async () => {
    const { time, venue, print, start, story } = feedOf({
      every: { trades: 1_000, position: 900, ticker: 900 },
    });
    venue.positionSize = -0.012;
    print(-20);
    start();
    await time.advance(0);
    expect(story()).toBe('1@0 position(-12) live0 mark0');
    await time.advance(850);
    expect(story()).toBe('position(-12) ticker600');
  });

  test('gives no position that is off the lot grid', async () => {
    const { time, venue, start, story, feed } = feedOf({ every: { trades: 10_000, position: 900 } });
    start();
    await time.advance(100);
    story();
    venue.positionSize = 0.0125;
    await time.advance(1_000);
    expect(story()).toBe('');
    expect(feed.stats.failures).toBe(1);
  });

  test('goes live on a position with float noise, and on the noise that is left of none', async () => {
    const { time, venue, start, story, feed } = feedOf({ every: { trades: 10_000, position: 900 } });
    venue.positionSize = 0.1 + 0.2;
    start();
    await time.advance(100);
    expect(story()).toBe('position(300) live0 mark0');
    venue.positionSize = -2.7755575615628914e-17;
    await time.advance(1_000);
    expect(story()).toBe('position(0)');
    expect(feed.stats.failures).toBe(0);
  });

  test('gives no position whose direction says the opposite', async () => {
    const { time, venue, start, story, feed } = feedOf({ every: { trades: 10_000, position: 900 } });
    start();
    await time.advance(100);
    story();
    const honest = venue.position.bind(venue);
    venue.position = async (pair) => ({
      ...(await honest(pair)),
      size: -0.012,
      direction: 'buy',
    });
    await time.advance(1_000);
    expect(story()).toBe('');
    expect(feed.stats.failures).toBe(1);
  });

  test('goes live only once the venue shows the position of the books, and tells no other before', async () => {
    let booked = 10;
    const takeOver = { agrees: ({ lots }: PositionSnapshot) => lots === booked };
    const { time, venue, print, start, story, feed } = feedOf({
      every: { trades: 1_000, position: 900 },
      takeOver,
    });
    print(-20);
    start();
    await time.advance(1_600);
    expect(story()).toBe('');
    // A read that fails loses none of the history.
    venue.fault = (kind) => (kind === 'position' ? 'fail' : undefined);
    await time.advance(1_000);
    venue.fault = () => undefined;
    booked = 0;
    await time.advance(1_000);
    expect(story()).toMatch(/^(position\(0\) )?1@(\d+) position\(0\) live\2 mark0/);
    expect(feed.stats.gaps).toBe(0);
  });

  test('goes live in the end where they never become the same, and says so', async () => {
    const { time, venue, start, story, warnings } = feedOf({
      every: { trades: 1_000, position: 900 },
      takeOver: { agrees: () => false },
    });
    venue.positionSize = 0.005;
    start();
    await time.advance(19_900);
    const told = 'the venue shows another position than the books';
    expect([story(), warnings.includes(told)]).toEqual(['', false]);
    await time.advance(700);
    expect(story()).toMatch(/^position\(5\) live20\d+ mark0/);
    expect(warnings).toContain(told);
  });

  test('reads the position again before it goes live if an own order was reported meanwhile', async () => {
    let ownEventAt = Number.NEGATIVE_INFINITY;
    const { time, venue, start, story } = feedOf({
      every: { trades: 1_000, position: 5_000 },
      ownEventAt: () => ownEventAt,
    });
    venue.positionSize = 0.01;
    venue.latency = () => 100;
    start();
    await time.advance(150);
    ownEventAt = time.clock.monotonic();
    venue.positionSize = 0;
    await time.advance(1_000);
    expect(story()).toMatch(/^position\(0\) live/);
  });

  test('asks for nothing more once it is ended while it waits for the position', async () => {
    const { time, start } = feedOf({
      every: { trades: 1_000, position: 900 },
      takeOver: { agrees: () => false },
    });
    const subscription = start();
    await time.advance(700);
    subscription.unsubscribe();
    await time.advance(0);
    expect(time.pending).toBe(0);
  });

  test('emits one answer synchronously, in one go', async () => {
    const { time, feed, print } = feedOf();
    print(-30, -20, -10);
    const turns: number[] = [];
    let turn = 0;
    feed.events$.subscribe(() => {
      turns.push(turn);
      // Any later reaction runs after every event of this answer.
      void Promise.resolve().then(() => turn++);
    });
    await time.advance(100);
    expect(turns).toEqual([0, 0, 0, 0, 0]);
  });

  test('never has two polls of a kind under way and builds up no backlog behind slow answers', async () => {
    const { time, venue, feed, print, start } = feedOf({
      every: { trades: 500, position: 500, ticker: 500 },
    });
    let slow = 0;
    venue.latency = (kind: CallKind) => (kind === 'trades' ? [10, 4_000, 700][slow++ % 3]! : 1_300);
    for (let at = 0; at < 60_000; at += 100) print(at);
    const subscription = start();
    await time.advance(60_000);
    expect(venue.overlap.get('trades')).toBe(1);
    expect(venue.overlap.get('ticker')).toBe(1);
    expect(feed.stats.skipped).toBeGreaterThan(20);
    expect(time.pending).toBeLessThanOrEqual(6);
    subscription.unsubscribe();
    await time.advance(10_000);
    expect(time.pending).toBe(0);
  });
});
