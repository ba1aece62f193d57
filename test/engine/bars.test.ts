import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bar } from '../../src/model/bar.js';
import { deskOf, trade } from '../support/desk.js';

function barsOf(feed: (desk: ReturnType<typeof deskOf>) => void): { bars: Bar[]; log: string[] } {
  const bars: Bar[] = [];
  const log: string[] = [];
  const desk = deskOf((context) => ({
    onBar: (bar) => {
      bars.push(bar);
      log.push(`bar ${bar.endTime} now ${context.now}`);
      return undefined;
    },
    onTrade: ({ time }) => {
      log.push(`trade ${time}`);
      return undefined;
    },
  }));
  feed(desk);
  return { bars, log };
}

describe('bars', () => {
  it('hold [open, end) and close before the trade that closes them, at their own end', () => {
    const { bars, log } = barsOf((desk) => {
      desk.trade(1_200, 10, 1);
      desk.trade(1_999, 12, 2);
      desk.trade(2_000, 11, 4);
    });
    expect(bars).toEqual([
      {
        openTime: 1_000,
        endTime: 2_000,
        intervalMs: 1_000,
        open: 10,
        high: 12,
        low: 10,
        close: 12,
        volume: 3,
        trades: 2,
        empty: false,
        complete: false,
      },
    ]);
    expect(log).toEqual(['trade 1200', 'trade 1999', 'bar 2000 now 2000', 'trade 2000']);
  });

  it('are empty where nothing was traded, at the last close', () => {
    const { bars } = barsOf((desk) => {
      desk.trade(1_200, 10);
      desk.trade(4_100, 20);
    });
    expect(bars.map(({ endTime, close, volume, empty }) => [endTime, close, volume, empty])).toEqual([
      [2_000, 10, 0.01, false],
      [3_000, 10, 0, true],
      [4_000, 10, 0, true],
    ]);
  });

  it('are closed by a feed mark at or after their end and never by the passing of time alone', () => {
    const { bars } = barsOf((desk) => {
      desk.trade(1_200, 10);
      desk.mark(1_999);
      desk.mark(2_000);
    });
    expect(bars.map(({ endTime }) => endTime)).toEqual([2_000]);
  });

  it('do not take late trades in; they are counted', () => {
    const seen: number[] = [];
    const desk = deskOf(() => ({
      onBar: () => undefined,
      onTrade: ({ time }) => {
        seen.push(time);
        return undefined;
      },
    }));
    desk.trade(1_200, 10);
    desk.mark(2_500);
    desk.trade(1_900, 99);
    expect(desk.engine.lateTrades).toBe(1);
    expect(seen).toEqual([1_200, 1_900]);
  });

  it('that overlap a gap of the feed are not complete', () => {
    const { bars } = barsOf((desk) => {
      desk.trade(1_200, 10);
      desk.send({ kind: 'gap', gap: { from: 1_500, to: 2_300, missing: 3 } });
      desk.trade(3_500, 10);
    });
    expect(bars.map(({ complete }) => complete)).toEqual([false, false]);
    expect(barsOf((desk) => desk.trade(1, 1)).bars).toEqual([]);
  });

  it.each([
    ['began before the first trade was seen', 1_001, false],
    ['begins with the first trade', 1_000, true],
  ])('whose first one %s', (_, at, isComplete) => {
    const { bars } = barsOf((desk) => {
      desk.trade(at, 10);
      desk.trade(3_500, 10);
    });
    expect(bars.map(({ complete }) => complete)).toEqual([isComplete, true]);
  });

  it('and timers that were due inside of a gap come at their own time, before the strategy hears of the gap', () => {
    const heard: (readonly [string, number])[] = [];
    const desk = deskOf((context) => {
      const hear = (what: string) => {
        heard.push([what, context.now]);
        return undefined;
      };
      return {
        onTrade: () => context.setTimer('soon', 2_250),
        onBar: () => hear('bar'),
        onTimer: () => hear('timer'),
        onGap: () => hear('gap'),
      };
    });
    desk.trade(1_200, 10);
    desk.send({ kind: 'gap', gap: { from: 1_500, to: 3_300, missing: 3 } });
    expect(heard).toEqual([
      ['bar', 2_000],
      ['timer', 2_250],
      ['bar', 3_000],
      ['gap', 3_300],
    ]);
  });

  it('of recorded ones take in those without volume whose price moved, and pass over those where it stood', () => {
    const bar = (openTime: number, open: number, high: number, low: number, close: number, volume = 0) => ({
      openTime,
      endTime: openTime + 1_000,
      open,
      high,
      low,
      close,
      volume,
    });
    const { bars } = barsOf(({ engine }) => {
      engine.bar(bar(1_000, 10, 10, 10, 10));
      engine.bar(bar(2_000, 11, 14, 9, 12));
      engine.bar(bar(3_000, 12, 12, 12, 12));
      engine.bar(bar(4_000, 12, 12, 12, 12, 5));
      engine.bar(bar(5_000, 13, 13, 13, 13));
    });
    expect(
      bars.map(({ open, high, low, close, volume, empty }) => [open, high, low, close, volume, empty]),
    ).toEqual([
      [10, 10, 10, 10, 0, false],
      [11, 14, 9, 12, 0, false],
      [12, 12, 12, 12, 0, true],
      [12, 12, 12, 12, 5, false],
      [13, 13, 13, 13, 0, false],
    ]);
  });

  it('equal a plain grouping of the trades by their second, whatever marks come between', () => {
    const tape = fc.array(
      fc.record({
        wait: fc.integer({ min: 0, max: 2_500 }),
        price: fc.integer({ min: 1, max: 50 }),
        mark: fc.boolean(),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(tape, (steps) => {
        let time = 1_000;
        const trades = steps.map(({ wait, price }) => trade((time += wait), price, 1));
        const { bars } = barsOf((desk) => {
          for (const [i, item] of trades.entries()) {
            desk.send({ kind: 'trade', trade: item, receivedAt: item.time });
            if (steps[i]?.mark === true) desk.mark(item.time);
          }
        });
        const first = Math.floor((trades[0]?.time ?? 0) / 1_000);
        const last = Math.floor((trades.at(-1)?.time ?? 0) / 1_000);
        expect(bars).toHaveLength(last - first);
        let close = 0;
        for (const [i, bar] of bars.entries()) {
          const inside = trades.filter((item) => Math.floor(item.time / 1_000) === first + i);
          const prices = inside.map(({ price }) => price);
          if (inside.length > 0) close = prices.at(-1) as number;
          expect(bar).toMatchObject({
            openTime: (first + i) * 1_000,
            open: inside.length > 0 ? prices[0] : close,
            high: inside.length > 0 ? Math.max(...prices) : close,
            low: inside.length > 0 ? Math.min(...prices) : close,
            close,
            volume: inside.length,
            empty: inside.length === 0,
          });
        }
      }),
    );
  });
});

describe('timers', () => {
  it('fire on event time, before the trade that reaches them, and bars of the same time come first', () => {
    const log: string[] = [];
    const desk = deskOf((context) => ({
      onBar: ({ endTime }) => {
        log.push(`bar ${endTime}`);
        return undefined;
      },
      onTimer: ({ name, time }) => {
        log.push(`${name} ${time} now ${context.now}`);
        return undefined;
      },
      onTrade: ({ time }) => {
        if (time === 1_200) {
          context.setTimer('b', 2_000);
          context.setTimer('a', 1_500);
          context.setTimer('gone', 1_600);
          context.clearTimer('gone');
        }
        log.push(`trade ${time}`);
        return undefined;
      },
    }));
    desk.trade(1_200, 10);
    desk.trade(2_500, 10);
    expect(log).toEqual(['trade 1200', 'a 1500 now 1500', 'bar 2000', 'b 2000 now 2000', 'trade 2500']);
  });
});
