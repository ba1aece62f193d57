import { describe, expect, it } from 'vitest';
import { type PollSchedule, pollsAt, pollsEvery } from '../../src/backtest/poll-schedule.js';
import { runBacktest } from '../../src/backtest/backtest.js';
import { tapeSession } from '../../src/backtest/polled-session.js';
import { Engine } from '../../src/engine/engine.js';
import { NO_LIMITS } from '../../src/gate/limits.js';
import type { Trade } from '../../src/model/trade.js';
import { nodeFiles } from '../../src/platform/files.js';
import type { WorldFact } from '../../src/model/world-fact.js';
import { openRecording } from '../../src/storage/recording/recording.js';
import { TradeColumns } from '../../src/storage/rows/trade-columns.js';
import { defineStrategy } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { barInterval } from '../../src/strategy/params.js';
import { flat, holdPosition, quote } from '../../src/strategy/want.js';
import { TapeVenue } from '../../src/venue/tape/tape-venue.js';
import smaCross from '../../strategies/sma-cross.js';
import { BTC } from '../support/markets.js';
import { sendingStops } from '../support/stops.js';

describe('a poll schedule', () => {
  it('has a poll at every multiple of its interval, late by less than its jitter, and always the same', () => {
    const plain = pollsEvery(250);
    expect([plain.after(0), plain.after(249), plain.after(250), plain.after(1_700_000_000_001)]).toEqual([
      250, 250, 500, 1_700_000_000_250,
    ]);
    const [late, again, other] = [
      pollsEvery(250, 99, '7'),
      pollsEvery(250, 99, '7'),
      pollsEvery(250, 99, '8'),
    ];
    const times = (schedule: PollSchedule) => {
      const list: number[] = [];
      for (let time = 0; list.length < 400; list.push(time)) time = schedule.after(time);
      return list;
    };
    expect(times(late)).toEqual(times(again));
    expect(times(late)).not.toEqual(times(other));
    const lateness = times(late).map((time) => time % 250);
    expect(Math.max(...lateness)).toBeLessThanOrEqual(99);
    expect(new Set(lateness).size).toBeGreaterThan(80);
  });

  it('of 1 s meets each end of a bar at once, and of 997 ms, as a bot does, half an interval late on average', () => {
    const lateness = (everyMs: number) => {
      const polls = pollsEvery(everyMs);
      const ends = Array.from({ length: 1_000 }, (_, bar) => 1_700_000_000_000 + bar * 5_000);
      return ends.reduce((sum, end) => sum + polls.after(end - 1) - end, 0) / ends.length;
    };
    expect(lateness(1_000)).toBe(0);
    expect(lateness(997)).toBeGreaterThan(490);
    expect(lateness(997)).toBeLessThan(510);
  });

  it('can be that of a session, in any order, and ends with it', () => {
    const polls = pollsAt([500, 100, 300, 300]);
    expect([polls.after(0), polls.after(100), polls.after(300), polls.after(500)]).toEqual([
      100,
      300,
      500,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('cannot have polls closer than their jitter, or no distance at all', () => {
    for (const [every, jitter] of [
      [0, 0],
      [1.5, 0],
      [100, 100],
      [100, -1],
    ] as const) {
      expect(() => pollsEvery(every, jitter)).toThrow('polls must be whole milliseconds apart');
    }
  });
});

function trade(id: number, time: number, price: number, isBuyerMaker: boolean): Trade {
  return { id: String(id), time, price, quantity: 1, isBuyerMaker };
}

/** Buys 0.01 at the first trade it sees; writes down what it heard, and the venue what was done. */
function heard(polls: PollSchedule | undefined, tape: readonly Trade[]): string[] {
  const log: string[] = [];
  const strategy = defineStrategy({
    name: 'listener',
    create: () => ({
      onTrade({ time }) {
        log.push(`trade ${time}`);
        return holdPosition('0.01');
      },
      onFill: ({ time, price }) => {
        log.push(`fill ${time}@${price}`);
        return undefined;
      },
    }),
  });
  const session = tapeSession({
    engine: new Engine({ strategy: bindStrategy(strategy), market: BTC, seed: '1', warmUp: false }),
    venue: new TapeVenue({ market: BTC, deposit: '10000', latency: { placeMs: 50, cancelMs: 50 } }),
    limits: NO_LIMITS,
    capital: 10_000,
    gaps: [],
    polls,
  });
  session.run(TradeColumns.of(tape));
  session.end();
  return log;
}

describe('a polled session', () => {
  const tape = [
    trade(1, 1_010, 60_000, false),
    trade(2, 1_070, 60_001, false),
    trade(3, 1_090, 60_002, false),
    trade(4, 1_151, 60_003, false),
    trade(5, 1_199, 60_004, false),
    trade(6, 1_250, 60_005, false),
  ];

  it('streamed, acts on the print 50 ms after the first one and hears of it there', () => {
    expect(heard(undefined, tape)).toEqual([
      'trade 1010',
      'fill 1070@60001',
      'trade 1070',
      'trade 1090',
      'trade 1151',
      'trade 1199',
      'trade 1250',
    ]);
  });

  it('sees its trades with the next poll, sends then, and has what it took before the poll after that', () => {
    // Seen at 1 100, effective at 1 150, filled by the print of 1 151, which the answer to the order says.
    expect(heard(pollsEvery(100), tape)).toEqual([
      'trade 1010',
      'trade 1070',
      'trade 1090',
      'fill 1151@60003',
      'trade 1151',
      'trade 1199',
      'trade 1250',
    ]);
  });
});

describe('what a polled session is answered', () => {
  /** Bids 59 990 until it sees a trade at or after 1 100, then 59 980. */
  const mover = defineStrategy({
    name: 'mover',
    create: () => ({
      onTrade: ({ time }) =>
        quote({ bid: { price: time < 1_100 ? 59_990 : 59_980, quantity: '0.01' }, ask: undefined }),
    }),
  });

  function fills(tape: readonly Trade[]): string[] {
    const log: string[] = [];
    const session = tapeSession({
      engine: new Engine({ strategy: bindStrategy(mover), market: BTC, seed: '1', warmUp: false }),
      venue: new TapeVenue({ market: BTC, deposit: '10000', latency: { placeMs: 50, cancelMs: 50 } }),
      limits: NO_LIMITS,
      capital: 10_000,
      gaps: [],
      polls: pollsEvery(100),
      onFill: ({ time, ticks, lots }) => log.push(`${lots} at ${ticks / 10}, ${time}`),
    });
    session.run(TradeColumns.of(tape));
    session.end();
    return log;
  }

  const first = [trade(1, 1_010, 60_000, true), trade(2, 1_110, 60_000, true)];

  it('comes with the answer, not with a poll: the next order leaves when the cancel is confirmed', () => {
    // Seen at 1 200: cancel, effective and confirmed at 1 250; the new bid leaves then and stands from 1 300 on.
    expect(fills([...first, trade(3, 1_301, 59_970, true), trade(4, 1_500, 59_985, true)])).toEqual([
      '10 at 59980, 1301',
    ]);
    expect(fills([...first, trade(3, 1_300, 59_970, true), trade(4, 1_500, 59_985, true)])).toEqual([]);
  });

  it('says what was filled of an order before it confirms its cancel', () => {
    // 4 lots of the old bid are bought at 1 220, before the cancel arrives.
    const hit = { ...trade(3, 1_220, 59_980, true), quantity: 0.004 };
    const seen = fills([...first, hit, trade(4, 1_301, 59_970, true), trade(5, 1_500, 59_985, true)]);
    expect(seen).toEqual(['4 at 59990, 1220', '10 at 59980, 1301']);
  });
});

describe('a stop that rests at the venue of a polled session', () => {
  /** Trades are polled every 100 ms, news of orders every 1 000 ms. Buys at once; its stop at 59 990 is order 2. */
  function told(tape: readonly Trade[]): string[] {
    const log: string[] = [];
    const strategy = defineStrategy({
      name: 'stopped',
      create(_, context) {
        let stop = 0;
        return {
          onTrade({ time }) {
            log.push(`trade ${time}`);
            if (time === 1_010) context.submit({ side: 'buy', quantity: '0.01' });
            if (time === 1_500) context.cancel(stop);
            return undefined;
          },
          onFill({ side }) {
            if (side === 'buy')
              stop = context.submit({ side: 'sell', quantity: '0.01', price: 59_990, timeInForce: 'IOC' });
            return undefined;
          },
        };
      },
    });
    const session = tapeSession({
      engine: new Engine({ strategy: bindStrategy(strategy), market: BTC, seed: '1', warmUp: false }),
      venue: new TapeVenue({ market: BTC, deposit: '10000', latency: { placeMs: 50, cancelMs: 50 } }),
      limits: NO_LIMITS,
      capital: 10_000,
      gaps: [],
      polls: pollsEvery(100),
      newsPolls: pollsEvery(1_000),
      observer: {
        input(_, event) {
          if (event.kind !== 'report') return;
          const { kind, intentId, time } = event.report;
          log.push(`#${intentId} ${kind} ${time}`);
        },
      },
    });
    sendingStops(session, () => 0);
    session.run(TradeColumns.of(tape));
    session.end();
    return log;
  }

  const bought = [trade(1, 1_010, 60_000, false), trade(2, 1_160, 60_000, false)];
  const start = ['trade 1010', '#1 accepted 1150', '#1 filled 1160', 'trade 1160', '#2 accepted 1210'];

  it('is accepted with the answer; that it fired and filled is news, told by the next poll for news', () => {
    const tape = [
      ...bought,
      trade(3, 1_310, 59_989, true),
      trade(4, 1_320, 59_980, true),
      trade(5, 2_050, 1, true),
    ];
    expect(told(tape)).toEqual([...start, 'trade 1310', 'trade 1320', '#2 filled 1320', 'trade 2050']);
  });

  it('that found nobody to trade with says so by a poll, too', () => {
    const tape = [
      ...bought,
      trade(3, 1_310, 59_989, true),
      trade(4, 11_400, 59_980, false),
      trade(5, 12_050, 1, true),
    ];
    expect(told(tape)).toEqual([...start, 'trade 1310', 'trade 11400', '#2 canceled 11310', 'trade 12050']);
  });

  it('confirms its cancel at once', () => {
    const tape = [
      ...bought,
      trade(3, 1_500, 60_000, true),
      trade(4, 1_660, 60_000, true),
      trade(5, 1_790, 1, true),
    ];
    expect(told(tape)).toEqual([...start, 'trade 1500', '#2 canceled 1550', 'trade 1660', 'trade 1790']);
  });
});

describe('what a refused cancel tells', () => {
  it('is that the order filled: the next one leaves then, long before a poll', () => {
    // Bids at once, moves its bid at the poll of 1 200; the old one filled whole at 1 220, before the cancel arrives.
    const mover = defineStrategy({
      name: 'mover',
      create(_, context) {
        let bought = Number.NaN;
        return {
          onTrade: ({ time }) => {
            if (!Number.isNaN(bought)) return undefined;
            return quote({
              bid: { price: time < 1_100 ? 59_990 : 59_980, quantity: '0.01' },
              ask: undefined,
            });
          },
          onFill: () => {
            bought = context.now;
            return flat();
          },
        };
      },
    });
    const log: string[] = [];
    const session = tapeSession({
      engine: new Engine({ strategy: bindStrategy(mover), market: BTC, seed: '1', warmUp: false }),
      venue: new TapeVenue({ market: BTC, deposit: '10000', latency: { placeMs: 50, cancelMs: 50 } }),
      limits: NO_LIMITS,
      capital: 10_000,
      gaps: [],
      polls: pollsEvery(100),
      onFill: ({ time, side, ticks }) => log.push(`${side} at ${ticks / 10}, ${time}`),
    });
    session.run(
      TradeColumns.of([
        trade(1, 1_010, 60_000, true),
        trade(2, 1_110, 60_000, true),
        trade(3, 1_220, 59_980, true),
        // The cancel is refused at 1 250, the sell leaves then and is there at 1 300.
        trade(4, 1_300, 59_985, true),
        trade(5, 1_301, 59_986, true),
        trade(6, 1_500, 59_987, true),
      ]),
    );
    session.end();
    expect(log).toEqual(['buy at 59990, 1220', 'sell at 59986, 1301']);
  });
});

describe('a session that asks for its fills at times of their own', () => {
  it('hears of them then, and of trades when it asks for those', () => {
    const log: string[] = [];
    const bidder = defineStrategy({
      name: 'bidder',
      create: () => ({
        onTrade({ time }) {
          log.push(`trade ${time}`);
          return quote({ bid: { price: 59_990, quantity: '0.01' }, ask: undefined });
        },
        onFill: ({ time }) => {
          log.push(`fill ${time}`);
          return undefined;
        },
      }),
    });
    const session = tapeSession({
      engine: new Engine({ strategy: bindStrategy(bidder), market: BTC, seed: '1', warmUp: false }),
      venue: new TapeVenue({ market: BTC, deposit: '10000', latency: { placeMs: 50, cancelMs: 50 } }),
      limits: NO_LIMITS,
      capital: 10_000,
      gaps: [],
      polls: pollsEvery(100),
      newsPolls: pollsAt([1_130, 1_330, 1_530]),
    });
    session.run(
      TradeColumns.of([
        trade(1, 1_010, 60_000, true),
        trade(2, 1_160, 59_980, true),
        trade(3, 1_290, 59_995, true),
        trade(4, 1_360, 59_995, true),
        trade(5, 1_460, 59_995, true),
      ]),
    );
    session.end();
    expect(log).toEqual(['trade 1010', 'trade 1160', 'trade 1290', 'fill 1160', 'trade 1360', 'trade 1460']);
  });
});

describe('a polled ticker', () => {
  const none = {
    lastPrice: undefined,
    markPrice: undefined,
    indexPrice: undefined,
    bidPrice: 59_999,
    bidQuantity: undefined,
    askPrice: 60_001,
    askQuantity: undefined,
  };
  const facts = [450, 900, 1_900, 2_900].map(
    (time): WorldFact => ({ kind: 'ticker', time, ticker: { ...none, time } }),
  );

  it.each([
    ['with the trades', undefined],
    ['with the news', pollsEvery(1_000)],
  ])('is the newest that was there at the poll, though nothing printed since: %s', (_, newsPolls) => {
    const log: string[] = [];
    let poll = Number.NaN;
    const session = tapeSession({
      engine: new Engine({
        strategy: bindStrategy(
          defineStrategy({
            name: 'listener',
            create: () => ({
              onTicker: ({ time }) => {
                log.push(`ticker ${time} at ${poll}`);
                return undefined;
              },
            }),
          }),
        ),
        market: BTC,
        seed: '1',
        warmUp: false,
      }),
      venue: new TapeVenue({ market: BTC, deposit: '10000' }),
      limits: NO_LIMITS,
      capital: 10_000,
      gaps: [],
      polls: {
        after: (time) => {
          poll = pollsEvery(1_000).after(time);
          return poll;
        },
      },
      newsPolls,
    });
    session.run(TradeColumns.of([trade(1, 500, 60_000, false), trade(2, 5_300, 60_000, false)]), facts);
    session.end();
    expect(log).toEqual(['ticker 900 at 1000', 'ticker 1900 at 2000', 'ticker 2900 at 3000']);
  });
});

describe('a gap in a polled session', () => {
  // A print a second; those of 29.5 s to 51 s are missing. Chunks end inside of the polls.
  const seconds = Array.from({ length: 100 }, (_, i) => i).filter((i) => i < 30 || i > 50);
  const tape = seconds.map((i) => trade(i + 1, i * 1_000, 60_000 + i, false));
  const gap = { from: 29_000, to: 51_000, missing: 21 };

  function told(polls?: PollSchedule): {
    readonly log: readonly string[];
    readonly times: readonly number[];
  } {
    const log: string[] = [];
    const times: number[] = [];
    const strategy = defineStrategy({
      name: 'listener',
      params: { bars: barInterval({ default: '5s' }) },
      create: (_, context) => {
        const hear = (text: string) => {
          times.push(context.now);
          log.push(text);
          return undefined;
        };
        return {
          onBar: (bar) => hear(`bar ${bar.openTime} ${bar.trades} ${bar.open} ${bar.close} ${bar.complete}`),
          onTrade: ({ time }) => hear(`trade ${time}`),
          onGap: ({ from, to }) => hear(`gap ${from} ${to}`),
        };
      },
    });
    const session = tapeSession({
      engine: new Engine({ strategy: bindStrategy(strategy), market: BTC, seed: '1', warmUp: false }),
      venue: new TapeVenue({ market: BTC, deposit: '10000' }),
      limits: NO_LIMITS,
      capital: 10_000,
      gaps: [gap],
      polls,
    });
    for (let from = 0; from < tape.length; from += 7)
      session.run(TradeColumns.of(tape.slice(from, from + 7)));
    session.end();
    return { log, times };
  }

  it.each([25_000, 60_000, 1_000_000])('polled every %d ms, is between the trades around it', (interval) => {
    const streamed = told();
    const { log, times } = told(pollsEvery(interval));
    expect(streamed.log.filter((line) => line.endsWith('false'))).toHaveLength(6);
    expect(log.indexOf('gap 29000 51000')).toBe(log.indexOf('trade 51000') - 1);
    if (interval > gap.to) expect(log.slice(0, streamed.log.length)).toEqual(streamed.log);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('is over at the poll after its end, though nothing printed since', () => {
    const log: string[] = [];
    const session = tapeSession({
      engine: new Engine({
        strategy: bindStrategy(
          defineStrategy({
            name: 'listener',
            create: (_, context) => ({
              onTrade: ({ time }) => void log.push(`trade ${time}`),
              onGap: ({ to }) => void log.push(`gap ${to} at ${context.now}`),
            }),
          }),
        ),
        market: BTC,
        seed: '1',
        warmUp: false,
      }),
      venue: new TapeVenue({ market: BTC, deposit: '10000' }),
      limits: NO_LIMITS,
      capital: 10_000,
      gaps: [gap],
      polls: pollsEvery(30_000),
    });
    session.run(TradeColumns.of([trade(1, 29_000, 60_000, false), trade(2, 95_000, 60_001, false)]));
    session.end();
    expect(log).toEqual(['trade 29000', 'gap 51000 at 51000', 'trade 95000']);
  });
});

describe('sma-cross on the sample that ships', () => {
  async function wants(polls?: { readonly name: string; readonly schedule: PollSchedule }) {
    const { headline } = await runBacktest({
      strategy: bindStrategy(smaCross, { bars: '5s' }),
      strategyHash: 'none',
      recording: await openRecording(nodeFiles, ['backtest/sample']),
      capital: '100000',
      fill: 'queue',
      engineVersion: 'test',
      ...(polls === undefined ? {} : { polls }),
    });
    return { hash: headline.session.core.engine.wantsHash(), orders: headline.session.core.counts.orders };
  }

  it('wants the same at the same times streamed, polled every second, and at irregular times', async () => {
    const streamed = await wants();
    expect(streamed.orders).toBeGreaterThanOrEqual(10);
    const recording = await openRecording(nodeFiles, ['backtest/sample']);
    const times: number[] = [];
    for await (const chunk of recording.chunks()) {
      for (let row = 0; row < chunk.count; row += 17) times.push((chunk.time[row] as number) + (row % 900));
    }
    for (const schedule of [pollsEvery(1_000), pollsEvery(1_000, 700, '5'), pollsAt(times)]) {
      const polled = await wants({ name: 'polled', schedule });
      expect(polled.hash).toBe(streamed.hash);
      expect(polled.orders).toBeGreaterThanOrEqual(10);
    }
  });
});
