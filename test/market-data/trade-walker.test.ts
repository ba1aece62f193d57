import { describe, expect, test } from 'vitest';
import type { Trade } from '../../src/model/trade.js';
import { SILENT } from '../../src/ports/log.js';
import { TradeWalker, type TradeWalkerOptions, type Walk } from '../../src/market-data/trade-walker.js';
import { FakeVenueApi } from '../support/fake-venue-api.js';
import { BTC } from '../support/markets.js';
import { VirtualTime } from '../support/virtual-time.js';

const ORIGIN = 1_700_000_000_000;

function tape(options: Partial<TradeWalkerOptions> = {}, start = 0) {
  const time = new VirtualTime();
  const venue = new FakeVenueApi(time, BTC, ORIGIN);
  const walker = new TradeWalker({
    pair: BTC.pair,
    api: venue,
    log: SILENT,
    limit: 3,
    contiguousIds: true,
    visibilityLagMs: 0,
    ...options,
  });
  let nextId = 1;
  return {
    time,
    venue,
    walker,
    /** Prints trades at these ms after the origin, ids counting up. */
    print: (...times: number[]) => {
      for (const at of times) venue.print(tradeAt(nextId++, at), 0);
    },
    warmUp: () => walker.warmUp(ORIGIN + start).then(story),
    walk: () => walker.walk().then(story),
    pages: () => venue.calls.filter(({ kind }) => kind === 'trades').length,
  };
}

/** A venue that lists trades of one millisecond oldest first, as no promise forbids. */
function unordered(options: Partial<TradeWalkerOptions> = {}) {
  const trades: Trade[] = [];
  let pages = 0;
  const api: TradeWalkerOptions['api'] = {
    trades: async ({ from = 0, to = Number.POSITIVE_INFINITY, limit = 100, pair }) => {
      pages++;
      const inside = trades.filter(({ time }) => time >= from && time <= to);
      return inside
        .sort((a, b) => b.time - a.time)
        .slice(0, limit)
        .map((trade) => ({ ...trade, pair }));
    },
  };
  const walker = new TradeWalker({
    pair: BTC.pair,
    api,
    log: SILENT,
    limit: 3,
    contiguousIds: true,
    visibilityLagMs: 0,
    ...options,
  });
  return {
    print: (...times: number[]) => {
      for (const at of times) trades.push(tradeAt(trades.length + 1, at));
    },
    warmUp: () => walker.warmUp(ORIGIN).then(story),
    walk: () => walker.walk().then(story),
    pages: () => pages,
  };
}

function tradeAt(id: number | string, at: number): Trade {
  return { id: String(id), time: ORIGIN + at, price: 100, quantity: 1, isBuyerMaker: false };
}

/** `1 2 gap(5,5,+3) 6`: ids, and gaps with their bounds after the origin and what is missing. */
function story({ events }: Walk): string {
  return events
    .map((event) =>
      event.kind === 'trade'
        ? event.trade.id
        : `gap(${event.gap.from - ORIGIN},${event.gap.to - ORIGIN},+${event.gap.missing ?? '?'})`,
    )
    .join(' ');
}

describe('a walk along the tape', () => {
  test('gives what is new, once, in order', async () => {
    const { print, warmUp, walk } = tape();
    print(10, 20);
    expect(await warmUp()).toBe('1 2');
    expect(await walk()).toBe('');
    print(20, 30);
    expect(await walk()).toBe('3 4');
  });

  test('asks for the newest page only while that reaches what is known', async () => {
    const { print, warmUp, walk, pages } = tape();
    print(10, 20);
    await warmUp();
    const before = pages();
    print(30);
    await walk();
    await walk();
    expect(pages() - before).toBe(2);
  });

  test('walks a full page back, page by page, to the newest trade it knows', async () => {
    const { print, warmUp, walk } = tape();
    print(10);
    await warmUp();
    print(20, 30, 40, 50, 60, 70, 80, 90);
    expect(await walk()).toBe('2 3 4 5 6 7 8 9');
  });

  test('asks for the same millisecond again when a page cut it', async () => {
    const { print, warmUp, walk } = tape();
    print(10);
    await warmUp();
    print(20, 30, 30, 40, 40);
    expect(await walk()).toBe('2 3 4 5 6');
  });

  test.each([
    false,
    true,
  ])('finds what a page cut off in the millisecond of the newest known trade (ids count: %s)', async (contiguousIds) => {
    const { walk, warmUp, print } = unordered({ contiguousIds });
    print(100);
    await warmUp();
    // Inside a millisecond this venue lists the oldest first: 2 is cut off.
    print(100, 101, 102);
    expect(await walk()).toBe('2 3 4');
  });

  test('asks for one page where ids say that it cut nothing off, and for one more where they tell nothing', async () => {
    for (const contiguousIds of [true, false]) {
      const { walk, warmUp, print, pages } = unordered({ contiguousIds });
      print(100);
      await warmUp();
      const before = pages();
      print(101, 102);
      expect(await walk()).toBe('2 3');
      expect(pages() - before).toBe(contiguousIds ? 1 : 2);
    }
  });

  test('makes a gap of a millisecond that holds more than a page, keeps its newest page and goes on below', async () => {
    const { print, warmUp, walk } = tape();
    print(10);
    await warmUp();
    print(20, 30, 30, 30, 30, 30, 40);
    expect(await walk()).toBe('2 gap(30,30,+2) 5 6 7 8');
    expect(await walk()).toBe('');
  });

  test('does not call a millisecond of exactly one page a gap when ids say that nothing is missing', async () => {
    const { print, warmUp, walk } = tape();
    print(10);
    await warmUp();
    print(20, 30, 30, 30);
    expect(await walk()).toBe('2 3 4 5');
  });

  test('says of the same millisecond that it may lack trades when ids tell nothing, once', async () => {
    const { print, warmUp, walk } = tape({ contiguousIds: false });
    print(10);
    await warmUp();
    print(20, 30, 30, 30);
    expect(await walk()).toBe('2 gap(30,30,+?) 3 4 5');
    print(40);
    expect(await walk()).toBe('6');
  });

  test('counts on when a saturated millisecond grows between two walks', async () => {
    const { print, warmUp, walk } = tape();
    print(10);
    await warmUp();
    print(30, 30, 30, 30);
    expect(await walk()).toBe('gap(30,30,+1) 3 4 5');
    print(30);
    expect(await walk()).toBe('6');
    print(30, 30, 30, 30, 30);
    expect(await walk()).toBe('gap(30,30,+2) 9 10 11');
  });

  test('stops after its pages: the rest is a gap from the newest known trade', async () => {
    const { print, warmUp, walk } = tape({ maxPages: 2 });
    print(10);
    await warmUp();
    print(20, 30, 40, 50, 60, 70, 80, 90);
    // Pages: 70 80 90, then 50 60 70.
    expect(await walk()).toBe('gap(10,50,+3) 5 6 7 8 9');
    print(100);
    expect(await walk()).toBe('10');
  });

  test('takes a throttled page in the middle for the end of its budget', async () => {
    const { venue, print, warmUp, walk } = tape({ contiguousIds: false });
    print(10);
    await warmUp();
    print(20, 30, 40, 50, 60, 70);
    let asked = 0;
    venue.fault = () => (++asked === 2 ? 'throttle' : undefined);
    expect(await walk()).toBe('gap(10,50,+?) 5 6 7');
  });

  test('gives nothing when a page fails, and everything when it is repeated', async () => {
    const { venue, print, warmUp, walk } = tape();
    print(10);
    await warmUp();
    print(20, 30, 40, 50, 60, 70);
    let asked = 0;
    venue.fault = () => (++asked === 2 ? 'fail' : undefined);
    await expect(walk()).rejects.toThrow('not answered');
    venue.fault = () => undefined;
    expect(await walk()).toBe('2 3 4 5 6 7');
  });

  test('finds out that the venue gives less than asked for', async () => {
    const { venue, print, warmUp, walk } = tape({ limit: 1_000, contiguousIds: false });
    venue.maxLimit = 3;
    print(10, 20, 30, 40, 50, 60, 70);
    expect(await warmUp()).toBe('1 2 3 4 5 6 7');
    print(80, 90, 90, 90, 90, 100, 110);
    expect(await walk()).toBe('8 gap(90,90,+?) 10 11 12 13 14');
  });

  test('shows a hole in the ids as a gap even when no page was full', async () => {
    const { venue, warmUp, walk } = tape({ limit: 100 });
    venue.print(tradeAt(7, 10), 0);
    await warmUp();
    venue.print(tradeAt(11, 20), 0);
    expect(await walk()).toBe('gap(10,20,+3) 11');
    // It does turn up: it is already counted as missing.
    venue.print(tradeAt(9, 15), 0);
    expect(await walk()).toBe('');
  });

  test('goes on with a gap of unknown size when the venue starts to count again', async () => {
    const { venue, warmUp, walk } = tape({ limit: 100 });
    venue.print(tradeAt(500, 10), 0);
    await warmUp();
    venue.print(tradeAt(1, 50), 0);
    venue.print(tradeAt(2, 60), 0);
    expect(await walk()).toBe('gap(10,50,+?) 1 2');
  });

  test('goes on with a gap of unknown size after an id that is garbage, far above all that are counted', async () => {
    const { venue, warmUp, walk } = tape({ limit: 100 });
    venue.print(tradeAt(2, 10), 0);
    await warmUp();
    venue.print(tradeAt(999_999_999, 20), 0);
    expect(await walk()).toBe('gap(10,20,+999999996) 999999999');
    for (let n = 0; n < 15; n++) venue.print(tradeAt(3 + n, 100 + n), 0);
    expect(await walk()).toBe('');
    venue.print(tradeAt(18, 115), 0);
    venue.print(tradeAt(19, 116), 0);
    expect(await walk()).toBe('gap(20,115,+?) 18 19');
    // What was counted as missing by garbage is no hole any more.
    venue.print(tradeAt(21, 118), 0);
    expect(await walk()).toBe('gap(116,118,+1) 21');
  });

  test('leaves out however many trades turn up late that are counted as missing', async () => {
    const { venue, warmUp, walk } = tape({ limit: 100 });
    venue.print(tradeAt(1, 10), 0);
    await warmUp();
    venue.print(tradeAt(102, 60), 0);
    expect(await walk()).toBe('gap(10,60,+100) 102');
    for (let id = 2; id < 60; id++) venue.print(tradeAt(id, 60), 0);
    expect(await walk()).toBe('');
    // Newer than their ids say, but never many in a row.
    for (let n = 0; n < 40; n++) {
      venue.print(tradeAt(60 + n, 70 + 2 * n), 0);
      venue.print(tradeAt(103 + n, 71 + 2 * n), 0);
      expect(await walk()).toBe(`${103 + n}`);
    }
  });

  test('says so when the venue no longer shows the newest trade that was known', async () => {
    const time = new VirtualTime();
    let pages: Trade[] = [tradeAt('a', 10)];
    const api = { trades: () => Promise.resolve(pages.map((trade) => ({ ...trade, pair: BTC.pair }))) };
    const options = { pair: BTC.pair, api, log: SILENT, limit: 9, contiguousIds: false, visibilityLagMs: 0 };
    const walker = new TradeWalker(options);
    await walker.warmUp(ORIGIN);
    pages = [tradeAt('f', 60)];
    expect(story(await walker.walk())).toBe('gap(10,60,+?) f');
    expect(time.pending).toBe(0);
  });

  test('an empty page proves nothing while it should show a known trade, until three in a row over 20 s', async () => {
    let page: Trade[] = [tradeAt('a', 10)];
    const api = { trades: () => Promise.resolve(page.map((trade) => ({ ...trade, pair: BTC.pair }))) };
    const { walker } = tape({ api, contiguousIds: false });
    await walker.warmUp(ORIGIN, { covered: ORIGIN + 1_000 });
    page = [];
    const isBlank = async (at: number) => (await walker.walk({ covered: ORIGIN + at })).isBlank;
    expect([await isBlank(2_000), await isBlank(3_000), await isBlank(21_999)]).toEqual([true, true, true]);
    expect(await isBlank(22_000)).toBe(false);
  });

  test('gives late trades within the lag, behind full pages too', async () => {
    const { venue, print, warmUp, walk } = tape({ contiguousIds: false, visibilityLagMs: 2_000, limit: 3 });
    print(10, 20);
    expect(await warmUp()).toBe('1 2');
    print(30, 40, 50, 60);
    venue.print(tradeAt('x15', 15), 0);
    expect(await walk()).toBe('x15 3 4 5 6');
  });

  test('gives the gap of a saturated millisecond once, though it is walked through again', async () => {
    const { print, warmUp, walk } = tape({ contiguousIds: false, visibilityLagMs: 2_000, limit: 3 });
    print(10);
    await warmUp();
    print(20, 20, 20, 20, 30);
    expect(await walk()).toBe('gap(20,20,+?) 3 4 5 6');
    expect(await walk()).toBe('');
    print(40);
    expect(await walk()).toBe('7');
  });

  test('ends the warm-up at its start or after its pages, neither of which is a gap', async () => {
    const bounded = tape({}, 30);
    bounded.print(10, 20, 30, 40, 50);
    expect(await bounded.warmUp()).toBe('3 4 5');
    bounded.print(60);
    expect(await bounded.walk()).toBe('6');

    const long = tape({ maxPages: 2, contiguousIds: false });
    long.print(10, 20, 30, 40, 50, 60, 70);
    expect(await long.warmUp()).toBe('3 4 5 6 7');
    long.print(80);
    expect(await long.walk()).toBe('8');
  });

  test('starts on an empty tape', async () => {
    const { print, warmUp, walk } = tape();
    expect(await warmUp()).toBe('');
    print(10, 20, 30, 40);
    expect(await walk()).toBe('1 2 3 4');
  });

  test('orders by time and id whatever the order of the page, ids as numbers', async () => {
    const api = {
      trades: () =>
        Promise.resolve(
          [tradeAt(10, 5), tradeAt(9, 5), tradeAt(11, 4)].map((trade) => ({ ...trade, pair: BTC.pair })),
        ),
    };
    const walker = new TradeWalker({
      pair: BTC.pair,
      api,
      log: SILENT,
      limit: 100,
      contiguousIds: false,
      visibilityLagMs: 0,
    });
    expect(story(await walker.warmUp(ORIGIN))).toBe('11 9 10');
  });
});

test('a venue that counts seconds is told of, once; one whose newest trades are old is not', async () => {
  const warnings: unknown[] = [];
  const log = { ...SILENT, warn: (_: string, fields?: object) => void warnings.push(fields) };
  let time = ORIGIN - 90 * 86_400_000;
  // It does not look at the times that are asked for.
  const api = { trades: async () => [{ ...tradeAt(1, 0), time, pair: BTC.pair, isBestMatch: undefined }] };
  const { walker } = tape({ api, log });
  await walker.warmUp(ORIGIN);
  expect(warnings).toEqual([]);
  time = ORIGIN / 1_000 + 5;
  for (let i = 0; i < 3; i++) expect(story(await walker.walk())).toBe('');
  expect(warnings).toEqual([{ pair: BTC.pair, from: ORIGIN, newest: ORIGIN / 1_000 + 5 }]);
});

describe('a print ahead of the clock of the venue', () => {
  const DAY = 86_400_000;
  /** Ids count up, or are opaque. The clock says `now`, and a minute ahead of it is the most that is believed. */
  function clocked(options: Partial<TradeWalkerOptions> = {}) {
    let now = 0;
    let asked = 0;
    const parts = tape(options);
    const latest = () => {
      asked++;
      return ORIGIN + now + 60_000;
    };
    return {
      ...parts,
      setNow: (at: number) => (now = at),
      asked: () => asked,
      warmUp: () => parts.walker.warmUp(ORIGIN, { latest }).then(story),
      walk: () => parts.walker.walk({ latest }).then(story),
      walked: () => parts.walker.walk({ latest }),
    };
  }

  test('is a misprint in its place by number, and what comes after it is given', async () => {
    const { print, warmUp, walk } = clocked();
    print(10);
    await warmUp();
    print(20, DAY, 30);
    expect(await walk()).toBe('2 gap(20,20,+1) 4');
    expect(await walk()).toBe('');
    print(40, 50);
    expect(await walk()).toBe('5 6');
  });

  test('is a misprint after what was printed where ids tell nothing', async () => {
    const { print, warmUp, walked, setNow } = clocked({ contiguousIds: false });
    print(10);
    await warmUp();
    print(20, DAY, 30);
    const walk = await walked();
    expect(story(walk)).toBe('2 gap(30,30,+1) 4');
    expect(walk.events[1]).toMatchObject({ misprint: expect.stringMatching(/^a time must be at most/) });
    // Long after everything around it was forgotten.
    setNow(10_000);
    print(9_000);
    expect(story(await walked())).toBe('5');
    print(9_500);
    expect(story(await walked())).toBe('6');
  });

  test('is no trade when its time comes', async () => {
    const { print, warmUp, walk, setNow } = clocked({ contiguousIds: false });
    print(10, 100_000);
    expect(await warmUp()).toBe('1 gap(10,10,+1)');
    setNow(100_000);
    print(99_999, 100_001);
    expect(await walk()).toBe('3 4');
  });

  test('that is the first of all leaves nothing out', async () => {
    const { print, warmUp, walk } = clocked();
    print(DAY);
    expect(await warmUp()).toBe('gap(0,0,+1)');
    print(10, 20);
    expect(await walk()).toBe('2 3');
  });

  test('does not pass for one that is known where the venue gives less than asked for', async () => {
    const { venue, print, warmUp, walk } = clocked({ limit: 1_000, contiguousIds: false });
    venue.maxLimit = 3;
    print(10, DAY);
    await warmUp();
    print(20, 30, 40, 50, 60);
    expect(await walk()).toBe('3 4 5 6 7');
  });

  test('hides nothing, though whole pages of them come first', async () => {
    const { print, warmUp, walk, pages } = clocked();
    print(10);
    await warmUp();
    print(DAY, DAY, DAY + 1, DAY + 2, 20, 30, 30);
    expect(await walk()).toBe(`${'gap(10,10,+1) '.repeat(4)}6 7 8`);
    const before = pages();
    print(40);
    expect(await walk()).toBe('9');
    expect(pages() - before).toBe(2);
  });

  test('that is known asks nobody for the time again', async () => {
    const { print, warmUp, walk, asked } = clocked();
    print(10, DAY);
    await warmUp();
    const before = asked();
    await walk();
    print(20);
    await walk();
    expect(asked() - before).toBeLessThanOrEqual(2);
  });
});

describe('a clock of the venue that was set back', () => {
  const HOUR = 3_600_000;
  /** Walks at these ms after the origin by the clock of the venue, each with what is printed just before. */
  function clocked(options: Partial<TradeWalkerOptions> = {}) {
    const parts = tape({ limit: 100, ...options });
    const walkAt = (at: number, ...times: number[]) => {
      parts.print(...times);
      return parts.walker.walk({ covered: ORIGIN + at - (options.visibilityLagMs ?? 0) }).then(story);
    };
    return { ...parts, walkAt };
  }

  /** Prints and walks each second. `lost`: what is neither given nor inside a gap. `nowOf`: the clock as walks are told it. */
  async function losses(seconds: number, timeOf: (now: number) => number, nowOf = (now: number) => now) {
    const { venue, walker, warmUp } = clocked({ contiguousIds: false, visibilityLagMs: 5_000 });
    await warmUp();
    const printed = new Map<string, number>();
    const given: string[] = [];
    const gaps: { readonly from: number; readonly to: number }[] = [];
    for (let second = 1; second <= seconds; second++) {
      const trade = tradeAt(`t${second}`, timeOf(second * 1_000));
      venue.print(trade, 0);
      printed.set(trade.id, trade.time);
      const { events } = await walker.walk({ covered: ORIGIN + nowOf(second * 1_000) - 5_000 });
      for (const event of events) {
        if (event.kind === 'trade') given.push(event.trade.id);
        else gaps.push(event.gap);
      }
    }
    const lost = [...printed].filter(
      ([id, time]) => !given.includes(id) && !gaps.some(({ from, to }) => from <= time && time <= to),
    );
    return { lost: lost.map(([id]) => id), twice: given.length - new Set(given).size, gaps: gaps.length };
  }

  test.each([20_000, 55_000])('loses nothing behind a print dated %i ms ahead', async (aheadMs) => {
    const timeOf = (now: number) => (now === 10_000 ? now + aheadMs : now);
    expect(await losses(100, timeOf)).toEqual({ lost: [], twice: 0, gaps: 0 });
  });

  test.each([
    [40_000, 0],
    [600_000, 1],
  ])('that steps back by %i ms loses nothing but in %i gaps', async (stepMs, gaps) => {
    const clock = (now: number) => 1_000_000 + (now >= 30_000 ? now - stepMs : now);
    expect(await losses(120, clock, clock)).toEqual({ lost: [], twice: 0, gaps });
  });

  test.each([
    [40_000, 0],
    [600_000, 1],
  ])('and is noticed 50 s later, by %i ms, loses nothing but in %i gaps', async (stepMs, gaps) => {
    const clock = (now: number) => 1_000_000 + (now >= 30_000 ? now - stepMs : now);
    const believed = (now: number) => (now < 80_000 ? 1_000_000 + now : clock(now));
    expect(await losses(120, clock, believed)).toEqual({ lost: [], twice: 0, gaps });
  });

  test('loses nothing behind a print dated ahead when no walk succeeds until its time has come', async () => {
    const { print, warmUp, walkAt } = clocked({ contiguousIds: false });
    print(1_000);
    await warmUp();
    expect(await walkAt(2_000, 22_000)).toBe('2');
    expect(await walkAt(30_000, 3_000, 21_000, 29_000)).toBe('3 4 5');
  });

  test('makes one gap up to the newest trade of what is never asked for where ids tell nothing', async () => {
    const { print, warmUp, walkAt } = clocked({ contiguousIds: false });
    print(3 * HOUR);
    await warmUp();
    expect(await walkAt(5_000, 4_000)).toBe(`gap(5000,${3 * HOUR},+?)`);
    expect(await walkAt(HOUR, HOUR)).toBe('');
    expect(await walkAt(3 * HOUR - 1_000, 3 * HOUR - 1_500)).toBe('4');
    expect(await walkAt(3 * HOUR + 1_000, 3 * HOUR + 500)).toBe('5');
  });

  test('is told of at once, and waits no longer than ever, where pages are empty since before', async () => {
    let page: Trade[] = [tradeAt('a', 3 * HOUR)];
    const api = { trades: () => Promise.resolve(page.map((trade) => ({ ...trade, pair: BTC.pair }))) };
    const { walker } = tape({ api, contiguousIds: false });
    const walk = (at: number) => walker.walk({ covered: ORIGIN + at });
    await walker.warmUp(ORIGIN, { covered: ORIGIN + 3 * HOUR });
    page = [];
    expect((await walk(3 * HOUR + 1_000)).isBlank).toBe(true);
    expect(story(await walk(2 * HOUR))).toBe(`gap(${2 * HOUR - 60_000},${3 * HOUR},+?)`);
    expect((await walk(2 * HOUR + 1_000)).isBlank).toBe(true);
    expect((await walk(2 * HOUR + 30_000)).isBlank).toBe(false);
  });

  test('asks for no more than before where nothing that is asked for can be new', async () => {
    const { print, warmUp, walkAt, pages } = clocked({ contiguousIds: false, limit: 3 });
    for (let at = 900_000; at <= 1_000_000; at += 10_000) print(at);
    await warmUp();
    expect(await walkAt(400_000)).toBe('gap(400000,1000000,+?)');
    const before = pages();
    for (let at = 401_000; at <= 405_000; at += 1_000) expect(await walkAt(at, at)).toBe('');
    expect(pages() - before).toBe(5);
  });

  test('makes a gap each time that it is set, and none of what lies in one', async () => {
    const { print, warmUp, walkAt } = clocked({ contiguousIds: false });
    print(1_000_000);
    await warmUp();
    expect(await walkAt(500_000)).toBe('gap(500000,1000000,+?)');
    expect(await walkAt(600_000)).toBe('');
    expect(await walkAt(580_000)).toBe('');
    expect(await walkAt(970_000)).toBe('');
    // Set back during the last minute: what was printed since then is up to a minute older.
    expect(await walkAt(300_000)).toBe('gap(240000,1000000,+?)');
    expect(await walkAt(1_010_000, 1_005_000)).toBe('2');
    expect(await walkAt(600_000)).toBe('gap(540000,1005000,+?)');
  });

  test.each([
    [878_000, '2'],
    [877_999, 'gap(877999,1000000,+?)'],
  ])('makes no gap where all that may be new is read, by a clock at %i', async (at, told) => {
    const { print, warmUp, walkAt } = clocked({ contiguousIds: false });
    print(1_000_000);
    await warmUp();
    expect(await walkAt(at, at)).toBe(told);
  });

  test('makes no gap by less than is asked for behind the newest trade, nor by the lag', async () => {
    const { print, warmUp, walkAt } = clocked({ contiguousIds: false, visibilityLagMs: 3_000 });
    print(10_000);
    await warmUp();
    expect(await walkAt(7_000, 7_000)).toBe('2');
    expect(await walkAt(10_001, 10_000)).toBe('3');
  });

  test('makes no gap of a walk that fails, but when it is repeated', async () => {
    const { venue, print, warmUp, walkAt } = clocked({ contiguousIds: false });
    print(1_000_000);
    await warmUp();
    venue.fault = () => 'fail';
    await expect(walkAt(500_000)).rejects.toThrow('not answered');
    venue.fault = () => undefined;
    expect(await walkAt(550_000)).toBe('gap(550000,1000000,+?)');
  });

  test('teaches nothing where nobody tells what is reached', async () => {
    const { print, warmUp, walk } = clocked({ contiguousIds: false });
    print(100_000);
    await warmUp();
    print(50_000);
    expect(await walk()).toBe('');
  });

  test('makes a gap that begins no later than it ends where ids count', async () => {
    const { print, warmUp, walkAt } = clocked();
    print(0, 10_000);
    await warmUp();
    expect(await walkAt(8_000, 5_000, 6_000, 7_000)).toBe('');
    expect(await walkAt(11_500, 9_990, 11_000)).toBe('gap(9990,9990,+3) 6 7');
  });
});
