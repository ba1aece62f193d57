import { describe, expect, it } from 'vitest';
import type { PlaceCommand } from '../../src/model/command.js';
import type { Permission } from '../../src/model/pair-state.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import { flat, holdPosition, orders, quote, type Want } from '../../src/strategy/want.js';
import { deskOf, onlyPlace, words } from '../support/desk.js';

const LIMIT = 30_000;
const CLOSE = 'sell 5 reduce-only market';

/** A strategy that wants what the test says at each trade, and may have no position without a stop for 30 s. */
function deskWanting({ warmUp = false } = {}) {
  let next: Want | undefined;
  let context: StrategyContext | undefined;
  const desk = deskOf(
    (given) => {
      context = given;
      return {
        onTrade: () => {
          const want = next;
          next = undefined;
          return want;
        },
      };
    },
    // No bar ends within a test: what is due is due by the limit alone.
    { warmUp, bars: '1h' },
  );
  desk.engine.limitBareTime(LIMIT);
  return {
    ...desk,
    context: () => context as StrategyContext,
    isOut: () => context?.stoppedOut,
    hits: () => desk.engine.bareUse?.hits,
    want: (time: number, want: Want, price = 60_000) => {
      next = want;
      return desk.trade(time, price).commands;
    },
    said: (time: number) => words(desk.mark(time).commands),
    permit: (time: number, permission: Permission) => {
      const state = permission === 'all' ? 'SYNCED' : 'SUSPECT';
      return desk.send({ kind: 'permit', time, permission, state, reason: '' });
    },
  };
}

type Desk = ReturnType<typeof deskWanting>;

/** Long 5 lots, filled at 1 000. */
function long(desk: Desk, want: Want = holdPosition('0.005')): PlaceCommand {
  const entry = onlyPlace(desk.want(1_000, want));
  desk.accept(entry.intentId, 1_000);
  return entry;
}

/** Long 5 lots with a stop that is on its way, filled at 1 000. */
function longWithStop(desk: Desk): PlaceCommand {
  const entry = long(desk, holdPosition('0.005', { stop: 59_000 }));
  return onlyPlace(desk.fill(entry, 5, 1_000).commands);
}

describe('a position without a stop', () => {
  it('is closed when the limit has passed, and not before', () => {
    const desk = deskWanting();
    desk.fill(long(desk), 5, 1_000);
    expect(desk.said(30_999)).toEqual([]);
    expect([desk.isOut(), desk.hits()]).toEqual([false, 0]);
    expect(desk.engine.bareUse).toEqual({ ms: 29_999, isOver: false, hits: 0 });
    const close = onlyPlace(desk.mark(31_000).commands);
    expect(words([close])).toEqual([CLOSE]);
    expect([desk.isOut(), desk.hits(), desk.engine.outBy]).toEqual([true, 1, 'bare-limit']);
    expect(desk.said(62_000)).toEqual([]);
    desk.accept(close.intentId, 62_100);
    desk.fill(close, 5, 62_100);
    expect(desk.engine.position.lots).toBe(0);
    expect(desk.engine.bareUse).toEqual({ ms: 0, isOver: false, hits: 1 });
    expect(desk.engine.bareExposure).toMatchObject({ heldMs: 61_100, bareMs: 61_100, longestBareMs: 61_100 });
  });

  it('is closed by the trade that comes after the limit, before the strategy sees it', () => {
    const seen: boolean[] = [];
    const desk = deskOf((context) => ({
      onTrade: () => {
        seen.push(context.stoppedOut);
        return holdPosition('0.005');
      },
    }));
    desk.engine.limitBareTime(LIMIT);
    desk.fill(onlyPlace(desk.trade(1_000, 60_000).commands), 5, 1_000);
    expect(words(desk.trade(30_999, 60_000).commands)).toEqual([]);
    expect(words(desk.trade(31_007, 60_000).commands)).toEqual([CLOSE]);
    expect(seen).toEqual([false, false, true]);
  });

  it('that a part of an order was filled to is closed by a trade as well', () => {
    const desk = deskWanting();
    const entry = long(desk);
    desk.fill(entry, 2, 1_000);
    expect(desk.trade(30_999, 60_000).commands).toEqual([]);
    expect(words(desk.trade(31_000, 60_000).commands)).toEqual([`cancel ${entry.intentId}`]);
    expect(words(desk.canceled(entry.intentId, 31_050).commands)).toEqual(['sell 2 reduce-only market']);
  });

  it('stays closed while the strategy repeats the quantity, and opens with another one', () => {
    const desk = deskWanting();
    desk.fill(long(desk), 5, 1_000);
    const close = onlyPlace(desk.mark(31_000).commands);
    desk.fill(close, 5, 31_050);
    expect(desk.want(32_000, holdPosition('0.005'))).toEqual([]);
    expect(desk.want(33_000, holdPosition('0.005', { stop: 59_000 }))).toEqual([]);
    expect([desk.isOut(), desk.engine.outBy]).toEqual([true, 'bare-limit']);
    expect(words(desk.want(34_000, holdPosition('0.004', { stop: 59_000 })))).toEqual(['buy 4 market']);
    expect([desk.isOut(), desk.engine.outBy]).toEqual([false, undefined]);
    desk.trade(35_000, 59_000);
    expect([desk.isOut(), desk.engine.outBy]).toEqual([true, 'stop']);
  });

  it('is closed before another quantity that is wanted meanwhile', () => {
    const desk = deskWanting();
    desk.fill(long(desk), 5, 1_000);
    const close = onlyPlace(desk.mark(31_000).commands);
    expect(desk.want(31_020, holdPosition('0.003'))).toEqual([]);
    expect(desk.isOut()).toBe(true);
    expect(words(desk.fill(close, 5, 31_050).commands)).toEqual(['buy 3 market']);
    expect(desk.isOut()).toBe(false);
  });

  it('of a short one is bought back', () => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.want(1_000, holdPosition('-0.005')));
    desk.fill(entry, 5, 1_000);
    expect(desk.said(31_000)).toEqual(['buy 5 reduce-only market']);
  });

  it('is told at the report that ends it, where nothing else came in time', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    expect(words(desk.accept(stop.intentId, 31_000).commands)).toEqual([CLOSE]);
    expect(desk.hits()).toBe(1);
  });

  it('is not told of at the end of all time when there is none', () => {
    const desk = deskWanting();
    expect(desk.said(Number.POSITIVE_INFINITY)).toEqual([]);
    expect([desk.isOut(), desk.hits()]).toEqual([false, 0]);
  });
});

describe('the time without a stop', () => {
  it('ends when the stop is accepted, which may come within the last millisecond', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    expect(desk.accept(stop.intentId, 30_999).commands).toEqual([]);
    expect(desk.said(90_000)).toEqual([]);
    expect(desk.engine.bareExposure).toMatchObject({ bareMs: 29_999, longestBareMs: 29_999 });
    expect([desk.isOut(), desk.hits()]).toEqual([false, 0]);
  });

  it('does not begin while a stop is moved', () => {
    const desk = deskWanting();
    const first = longWithStop(desk);
    desk.accept(first.intentId, 1_100);
    const second = onlyPlace(desk.want(10_000, holdPosition('0.005', { stop: 59_500 })));
    expect(desk.said(60_000)).toEqual([]);
    expect(words(desk.accept(second.intentId, 60_000).commands)).toEqual([`cancel ${first.intentId}`]);
    desk.canceled(first.intentId, 100_000);
    expect(desk.said(200_000)).toEqual([]);
    expect(desk.hits()).toBe(0);
    expect(desk.engine.bareExposure).toMatchObject({ bareMs: 100, longestBareMs: 100 });
  });

  it('goes on while a stop covers a part of the position only', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    desk.accept(stop.intentId, 1_100);
    const more = desk.want(10_000, holdPosition('0.007', { stop: 59_000 }));
    const [entry] = more;
    desk.fill(entry as PlaceCommand, 2, 10_000);
    expect(desk.said(39_999)).toEqual([]);
    const close = onlyPlace(desk.mark(40_000).commands);
    expect(words([close])).toEqual(['sell 7 reduce-only market']);
    // The stop of the five stays until they are closed.
    expect(
      desk.context().workingOrders.map(({ triggerPrice, state }) => [triggerPrice, state]),
    ).toContainEqual([59_000, 'working']);
  });

  it('counts for each stretch alone', () => {
    const desk = deskWanting();
    const first = longWithStop(desk);
    desk.accept(first.intentId, 21_000);
    // The venue ends the stop: 20 s before it and 25 s after it are no 30 s.
    expect(desk.canceled(first.intentId, 40_000).commands).toEqual([]);
    const second = onlyPlace(desk.mark(40_250).commands);
    expect(second.terms.trigger).toBeDefined();
    desk.accept(second.intentId, 65_000);
    expect(desk.said(69_999)).toEqual([]);
    expect(desk.hits()).toBe(0);
    desk.canceled(second.intentId, 70_000);
    desk.mark(70_500);
    expect(desk.said(99_999)).toEqual([]);
    expect(desk.said(100_000)).toEqual([CLOSE]);
    expect(desk.hits()).toBe(1);
    expect(desk.engine.bareExposure).toMatchObject({ longestBareMs: 30_000, bareMs: 75_000 });
  });

  it('counts again for the position after the one that was closed', () => {
    const desk = deskWanting();
    desk.fill(long(desk), 5, 1_000);
    desk.fill(onlyPlace(desk.mark(31_000).commands), 5, 31_000);
    desk.fill(onlyPlace(desk.want(40_000, holdPosition('0.003'))), 3, 40_000);
    expect(desk.said(69_999)).toEqual([]);
    expect(desk.said(70_000)).toEqual(['sell 3 reduce-only market']);
    expect(desk.hits()).toBe(2);
  });

  it('begins when the session is live, with the position that it takes over', () => {
    const desk = deskWanting({ warmUp: true });
    const position = { time: 1_000, lots: 5, averageEntry: 60_000, liquidationPrice: undefined } as never;
    desk.send({ kind: 'position', position });
    desk.trade(2_000, 60_000);
    expect(desk.said(90_000)).toEqual([]);
    desk.send({ kind: 'live', time: 100_000 });
    expect(desk.said(129_999)).toEqual([]);
    // The strategy has wanted nothing so far.
    expect(desk.said(130_000)).toEqual([CLOSE]);
    expect(desk.isOut()).toBe(true);
  });
});

describe('a position of', () => {
  it('orders() is closed, after what works is canceled', () => {
    const desk = deskWanting();
    const wanted = orders([
      { side: 'buy', price: 60_000, quantity: 0.005 },
      { side: 'sell', price: 61_000, quantity: 0.005 },
    ]);
    const [bid, ask] = desk.want(1_000, wanted) as readonly PlaceCommand[] as [PlaceCommand, PlaceCommand];
    desk.accept(bid.intentId, 1_000);
    desk.accept(ask.intentId, 1_000);
    desk.fill(bid, 5, 2_000);
    expect(desk.said(31_999)).toEqual([]);
    expect(desk.said(32_000)).toEqual([`cancel ${ask.intentId}`]);
    const close = onlyPlace(desk.canceled(ask.intentId, 32_050).commands);
    expect(words([close])).toEqual([CLOSE]);
    desk.fill(close, 5, 32_100);
    // The same orders are not wanted again; others are.
    expect(desk.want(33_000, wanted)).toEqual([]);
    expect(words(desk.want(34_000, orders([{ side: 'buy', price: 59_000, quantity: 0.001 }])))).toEqual([
      'buy 1 @ 590000',
    ]);
  });

  it('a quote is closed first, also where the quote moves meanwhile, and quoted again then', () => {
    const desk = deskWanting();
    const at = (price: number) =>
      quote({ bid: { price, quantity: 0.005 }, ask: { price: price + 100, quantity: 0.005 } });
    const [bid, ask] = desk.want(1_000, at(60_000), 60_050) as readonly PlaceCommand[] as [
      PlaceCommand,
      PlaceCommand,
    ];
    desk.accept(bid.intentId, 1_000);
    desk.accept(ask.intentId, 1_000);
    // The strategy wants the same quote all the time, so the bid is placed again.
    const again = onlyPlace(desk.fill(bid, 5, 2_000).commands);
    desk.accept(again.intentId, 2_010);
    expect(words(desk.want(32_000, at(60_001), 60_050))).toEqual([
      `cancel ${ask.intentId}`,
      `cancel ${again.intentId}`,
    ]);
    expect(desk.canceled(again.intentId, 32_050).commands).toEqual([]);
    const close = onlyPlace(desk.canceled(ask.intentId, 32_060).commands);
    expect(words([close])).toEqual([CLOSE]);
    expect(desk.want(32_070, at(60_002), 60_050)).toEqual([]);
    expect(words(desk.fill(close, 5, 32_100).commands)).toEqual([
      'buy 5 post-only @ 600020',
      'sell 5 post-only @ 601020',
    ]);
  });

  it('submit() is closed', () => {
    const desk = deskWanting();
    desk.trade(500, 60_000);
    desk.context().submit({ side: 'buy', quantity: 0.005 });
    const entry = onlyPlace(desk.mark(1_000).commands);
    desk.fill(entry, 5, 1_000);
    expect(desk.said(30_999)).toEqual([]);
    expect(desk.said(31_000)).toEqual([CLOSE]);
  });

  it('flat(), whose close fails, counts as well', () => {
    const desk = deskWanting();
    desk.fill(long(desk), 5, 1_000);
    const failed = onlyPlace(desk.want(20_000, flat()));
    desk.reject(failed.intentId, 20_100);
    const next = onlyPlace(desk.mark(21_100).commands);
    desk.doubt(next.intentId, 21_200);
    desk.mark(31_000);
    expect(desk.hits()).toBe(1);
  });
});

describe('a close that', () => {
  it('is not permitted is tried when it is', () => {
    const desk = deskWanting();
    desk.fill(long(desk), 5, 1_000);
    desk.permit(20_000, 'cancel-only');
    const refused = onlyPlace(desk.mark(31_000).commands);
    desk.engine.refused(refused);
    expect([desk.isOut(), desk.hits()]).toEqual([true, 1]);
    expect(desk.said(50_000)).toEqual([]);
    expect(words(desk.permit(60_000, 'reduce-only').commands)).toEqual([CLOSE]);
    expect(desk.hits()).toBe(1);
  });

  it('the venue rejects is tried again, later each time', () => {
    const desk = deskWanting();
    desk.fill(long(desk), 5, 1_000);
    const first = onlyPlace(desk.mark(31_000).commands);
    expect(desk.reject(first.intentId, 31_100).commands).toEqual([]);
    expect(desk.said(32_099)).toEqual([]);
    const second = onlyPlace(desk.mark(32_100).commands);
    expect(words([second])).toEqual([CLOSE]);
    desk.reject(second.intentId, 32_200);
    expect(desk.said(34_199)).toEqual([]);
    expect(desk.said(34_200)).toEqual([CLOSE]);
    expect(desk.hits()).toBe(1);
  });

  it('follows rejected stops leaves at once, not after their delay', () => {
    const desk = deskWanting();
    let stop = longWithStop(desk);
    let time = 1_000;
    for (const delay of [1_000, 2_000, 4_000, 8_000]) {
      desk.reject(stop.intentId, time);
      time += delay;
      stop = onlyPlace(desk.mark(time).commands);
      expect(stop.terms.trigger).toBeDefined();
    }
    // The next try is due at 32 000.
    desk.reject(stop.intentId, time);
    expect(time).toBe(16_000);
    expect(desk.said(31_000)).toEqual([CLOSE]);
  });

  it('a stop has been hit for need not wait for a stop that covers a part', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    desk.accept(stop.intentId, 1_100);
    const [entry] = desk.want(1_200, holdPosition('0.007', { stop: 59_000 }));
    desk.fill(entry as PlaceCommand, 2, 1_200);
    // The order of the stop has ten seconds to close the position from here on.
    expect(desk.want(25_000, holdPosition('0.007', { stop: 59_000 }), 59_000)).toEqual([]);
    expect(desk.isOut()).toBe(true);
    expect(desk.said(31_199)).toEqual([]);
    expect(desk.said(31_200)).toEqual(['sell 7 reduce-only market']);
  });
});

it('the clock runs from the start where there is a limit, and else from the first want with a stop', () => {
  const limited = deskWanting();
  limited.fill(long(limited), 5, 1_000);
  limited.mark(3_000);
  expect(limited.engine.bareExposure).toMatchObject({ heldMs: 2_000, bareMs: 2_000 });
  const free = deskOf(() => ({ onTrade: () => holdPosition('0.005') }));
  free.fill(onlyPlace(free.trade(1_000, 60_000).commands), 5, 1_000);
  free.mark(90_000);
  expect([free.engine.bareExposure, free.engine.bareUse]).toEqual([undefined, undefined]);
  expect(free.engine.workingOrders).toEqual([]);
});
