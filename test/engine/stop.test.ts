import { describe, expect, it } from 'vitest';
import type { PlaceCommand } from '../../src/model/command.js';
import type { Lots, Ticks } from '../../src/model/grid.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import { flat, holdPosition, quote, type Want } from '../../src/strategy/want.js';
import { deskOf, onlyPlace, words } from '../support/desk.js';

/** A strategy that wants what the test says at each trade. Prices in quote units; a tick is 0.1, so 59 000 is 590 000 ticks. */
function deskWanting() {
  let next: Want | undefined;
  let context: StrategyContext | undefined;
  const desk = deskOf((given) => {
    context = given;
    return {
      onTrade: () => {
        const want = next;
        next = undefined;
        return want;
      },
    };
  });
  let time = 0;
  return {
    ...desk,
    at: () => time,
    isOut: () => context?.stoppedOut,
    price: (price: number, want?: Want) => {
      next = want;
      return desk.trade(++time, price);
    },
    wait: (ms: number) => desk.mark((time += ms)),
  };
}

type Desk = ReturnType<typeof deskWanting>;

/** Long 5 lots at 60 000, with a stop at 59 000 that the venue has accepted. Returns the stop's command. */
function longWithStop(desk: Desk): PlaceCommand {
  const entry = onlyPlace(desk.price(60_000, holdPosition('0.005', { stop: '59000' })).commands);
  expect(words([entry])).toEqual(['buy 5 market']);
  expect(desk.accept(entry.intentId).commands).toEqual([]);
  const stop = onlyPlace(desk.fill(entry).commands);
  expect(words([stop])).toEqual(['sell 5 reduce-only stop 590000']);
  expect(desk.accept(stop.intentId).commands).toEqual([]);
  return stop;
}

describe('a stop', () => {
  it('is placed at the first fill, for the whole target, and not again at the next', () => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.price(60_000, holdPosition('0.005', { stop: 59_000 })).commands);
    desk.accept(entry.intentId);
    const stop = onlyPlace(desk.fill(entry, 2).commands);
    expect(stop.terms).toEqual({
      side: 'sell',
      type: 'market',
      ticks: undefined,
      lots: 5,
      timeInForce: 'IOC',
      postOnly: false,
      reduceOnly: true,
      trigger: { ticks: 590_000, event: 'last' },
    });
    desk.accept(stop.intentId);
    expect(desk.fill(entry, 3).commands).toEqual([]);
    expect(desk.price(59_000.1).commands).toEqual([]);
  });

  it('of a short position is a buy above the market', () => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.price(60_000, holdPosition('-0.005', { stop: '61000' })).commands);
    desk.accept(entry.intentId);
    expect(words(desk.fill(entry).commands)).toEqual(['buy 5 reduce-only stop 610000']);
  });

  it.each([
    ['0.005', '59000.04', 590_001],
    ['-0.005', '61000.06', 610_000],
  ])('of %s at %s is rounded towards the market', (quantity, stop, ticks) => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.price(60_000, holdPosition(quantity, { stop })).commands);
    desk.accept(entry.intentId);
    expect(onlyPlace(desk.fill(entry).commands).terms.trigger).toEqual({ ticks, event: 'last' });
  });

  it('that fires leaves the position to its order, and the want counts as flat from then on', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    expect(desk.price(59_000).commands).toEqual([]);
    expect(desk.isOut()).toBe(true);
    expect(desk.fill(stop).commands).toEqual([]);
    expect(desk.engine.position.lots).toBe(0);
    // Back above the stop, and wanted again and again, also with other stops: it stays out.
    expect(desk.price(60_000, holdPosition('0.005', { stop: '59000' })).commands).toEqual([]);
    expect(desk.price(60_000, holdPosition('0.005', { stop: '59500' })).commands).toEqual([]);
    expect(desk.price(60_000, holdPosition('0.005')).commands).toEqual([]);
    expect(desk.isOut()).toBe(true);
  });

  it('is over with another quantity, or after flat()', () => {
    const desk = deskWanting();
    desk.fill(longWithStop(desk));
    expect(desk.isOut()).toBe(true);
    expect(words(desk.price(60_000, holdPosition('0.004', { stop: '59000' })).commands)).toEqual([
      'buy 4 market',
    ]);
    const other = deskWanting();
    other.fill(longWithStop(other));
    other.price(60_000, flat());
    expect(other.isOut()).toBe(false);
    expect(words(other.price(60_000, holdPosition('0.005', { stop: '59000' })).commands)).toEqual([
      'buy 5 market',
    ]);
  });

  it('whose order was filled counts as hit, also when no trade showed it', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    desk.fill(stop);
    expect(desk.isOut()).toBe(true);
    expect(desk.price(60_000).commands).toEqual([]);
  });

  it('that was told as hit does not stop out what is wanted next, when its order fills after that', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    desk.price(59_000);
    expect(desk.isOut()).toBe(true);
    const next = desk.price(58_990, holdPosition('0.002', { stop: '55000' })).commands;
    expect(words(next)).toEqual(['sell 3 reduce-only market', 'sell 5 reduce-only stop 550000']);
    const [reducing, guarding] = next as PlaceCommand[];
    desk.fill(stop);
    expect(desk.engine.position.lots).toBe(0);
    expect(desk.isOut()).toBe(false);
    // With nothing left to reduce, the venue ends both; then the new position is entered.
    desk.canceled((reducing as PlaceCommand).intentId);
    desk.canceled((guarding as PlaceCommand).intentId);
    expect(words(desk.wait(1_000).commands)).toEqual(['buy 2 market']);
    expect(desk.isOut()).toBe(false);
  });

  it.each([
    ['stays where it is', '59000'],
    ['is moved again', '58500'],
  ])('that was told as hit and guards what is wanted next, too, stops that out, also when it %s', (_, later) => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.price(60_000, holdPosition('0.005', { stop: '59000' })).commands);
    desk.accept(entry.intentId);
    const stop = onlyPlace(desk.fill(entry).commands);
    // The venue has it only after the print that was at its price.
    desk.price(59_000);
    expect(desk.isOut()).toBe(true);
    expect(words(desk.price(60_000, holdPosition('0.002', { stop: '59000' })).commands)).toEqual([
      'sell 3 reduce-only market',
    ]);
    desk.accept(stop.intentId);
    expect(desk.isOut()).toBe(false);
    desk.price(60_000, holdPosition('0.002', { stop: later }));
    desk.fill(stop);
    expect(desk.isOut()).toBe(true);
  });

  it('that nobody had seen hit stops out also a quantity that is wanted while its order fills', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    desk.price(60_000, holdPosition('0.006', { stop: '59000' }));
    desk.fill(stop);
    expect(desk.isOut()).toBe(true);
  });

  it('whose order was given up and fills late all the same counts as hit', () => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.price(60_000, holdPosition('0.005', { stop: '59000' })).commands);
    desk.accept(entry.intentId);
    const stop = onlyPlace(desk.fill(entry).commands);
    desk.doubt(stop.intentId);
    const { intentId } = stop;
    const rejected = {
      kind: 'rejected',
      intentId,
      reason: 'not placed',
      time: 5,
      reservedUntil: 600_000,
    } as const;
    const [again] = desk.send({ kind: 'report', report: rejected }).commands;
    expect(again).toBeUndefined();
    const fill = {
      id: 'late',
      orderId: 'o9',
      time: 6,
      side: 'sell',
      lots: 5 as Lots,
      ticks: 589_000 as Ticks,
      liquidity: 'taker',
      fee: 0n,
    } as const;
    expect(
      desk.send({ kind: 'report', report: { kind: 'late-fill', intentId, fill, time: 6 } }).commands,
    ).toEqual([]);
    expect(desk.isOut()).toBe(true);
    expect(desk.wait(60_000).commands).toEqual([]);
    expect(desk.engine.position.lots).toBe(0);
  });

  it('whose order does not close the position in ten seconds is closed by another order', () => {
    const desk = deskWanting();
    longWithStop(desk);
    desk.price(58_999.9);
    expect(desk.wait(9_999).commands).toEqual([]);
    const close = onlyPlace(desk.wait(1).commands);
    expect(words([close])).toEqual(['sell 5 reduce-only market']);
    expect(desk.wait(60_000).commands).toEqual([]);
    desk.accept(close.intentId);
    // The waiting order goes once there is nothing left that it could close.
    expect(words(desk.fill(close).commands)).toEqual(['cancel 2']);
  });

  it('whose order the venue ended is closed at once', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    desk.price(58_000);
    desk.canceled(stop.intentId, desk.at());
    // After an order that the venue canceled the next one waits a moment.
    expect(words(desk.wait(250).commands)).toEqual(['sell 5 reduce-only market']);
  });

  it('that the venue keeps rejecting does not hold up the order that closes the position', () => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.price(60_000, holdPosition('0.005', { stop: '59000' })).commands);
    desk.accept(entry.intentId);
    let stop = onlyPlace(desk.fill(entry).commands);
    for (const pause of [1_000, 2_000, 4_000]) {
      expect(desk.reject(stop.intentId, desk.at()).commands).toEqual([]);
      stop = onlyPlace(desk.wait(pause).commands);
    }
    // The next stop may come in eight seconds.
    desk.reject(stop.intentId, desk.at());
    const close = onlyPlace(desk.price(58_900).commands);
    expect(words([close])).toEqual(['sell 5 reduce-only market']);
    // Once: where it is rejected too, it waits like any order.
    desk.reject(close.intentId, desk.at());
    expect(desk.price(58_800).commands).toEqual([]);
  });

  it('and another exit that the venue ends again and again are no storm', () => {
    const desk = deskWanting();
    longWithStop(desk);
    let live = desk.price(60_000, holdPosition('0.002', { stop: '59100' })).commands as PlaceCommand[];
    expect(words(live)).toEqual(['sell 3 reduce-only market', 'sell 5 reduce-only stop 591000']);
    const sent = [];
    for (let round = 0; round < 20; round++) {
      const next = live.flatMap(({ intentId }) => [
        ...desk.accept(intentId, desk.at()).commands,
        ...desk.canceled(intentId, desk.at()).commands,
      ]);
      live = [...next, ...desk.wait(10).commands].filter(({ kind }) => kind === 'place') as PlaceCommand[];
      sent.push(...words(live));
    }
    // Within 200 ms, and the shortest pause is 250 ms.
    expect(sent).toEqual([]);
  });

  it('that is hit before its order is at the venue is closed at once', () => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.price(60_000, holdPosition('0.005', { stop: '59000' })).commands);
    desk.accept(entry.intentId);
    expect(words(desk.price(58_000).commands)).toEqual(['cancel 1']);
    expect(words(desk.fill(entry).commands)).toEqual(['sell 5 reduce-only market']);
  });

  it('that the market is beyond already leads to no order, and says so', () => {
    const desk = deskWanting();
    const decision = desk.price(58_000, holdPosition('0.005', { stop: '59000' }));
    expect(decision.commands).toEqual([]);
    expect(decision.refusals).toMatchObject([
      {
        rule: 'stop-hit',
        asked: '58000',
        bound: '59000',
        reason: 'stop-hit: the last trade must be above the stop of a long position, 59000, received 58000',
      },
    ]);
    expect(desk.price(60_000).commands).toEqual([]);
  });

  it('that moves is placed before the old one is canceled', () => {
    const desk = deskWanting();
    const old = longWithStop(desk);
    const moved = onlyPlace(desk.price(60_500, holdPosition('0.005', { stop: '59500' })).commands);
    expect(words([moved])).toEqual(['sell 5 reduce-only stop 595000']);
    expect(words(desk.accept(moved.intentId).commands)).toEqual([`cancel ${old.intentId}`]);
    expect(desk.canceled(old.intentId).commands).toEqual([]);
  });

  it('that moves faster than the venue answers waits for the answer: never more than two at once', () => {
    const desk = deskWanting();
    const old = longWithStop(desk);
    const first = onlyPlace(desk.price(60_100, holdPosition('0.005', { stop: '59100' })).commands);
    expect(desk.price(60_200, holdPosition('0.005', { stop: '59200' })).commands).toEqual([]);
    expect(desk.price(60_300, holdPosition('0.005', { stop: '59300' })).commands).toEqual([]);
    // The newer of the two protects while the older makes room.
    expect(words(desk.accept(first.intentId).commands)).toEqual([`cancel ${old.intentId}`]);
    const newest = onlyPlace(desk.canceled(old.intentId).commands);
    expect(words([newest])).toEqual(['sell 5 reduce-only stop 593000']);
    expect(words(desk.accept(newest.intentId).commands)).toEqual([`cancel ${first.intentId}`]);
    desk.canceled(first.intentId);
    const { derived, sent, refused, superseded, waiting } = desk.engine.counts;
    expect([waiting, refused + superseded + sent]).toEqual([0, derived]);
  });

  it('that moves and is rejected leaves the old one', () => {
    const desk = deskWanting();
    longWithStop(desk);
    const moved = onlyPlace(desk.price(60_500, holdPosition('0.005', { stop: '59500' })).commands);
    expect(desk.reject(moved.intentId, desk.at()).commands).toEqual([]);
    expect(words(desk.wait(1_000).commands)).toEqual(['sell 5 reduce-only stop 595000']);
  });

  it('grows with the target before the old one goes, and does not shrink with the position', () => {
    const desk = deskWanting();
    const old = longWithStop(desk);
    const commands = desk.price(60_000, holdPosition('0.008', { stop: '59000' })).commands;
    expect(words(commands)).toEqual(['buy 3 market', 'sell 8 reduce-only stop 590000']);
    expect(words(desk.accept((commands[1] as PlaceCommand).intentId).commands)).toEqual([
      `cancel ${old.intentId}`,
    ]);
    desk.canceled(old.intentId);
    desk.fill(commands[0] as PlaceCommand);
    const less = onlyPlace(desk.price(60_000, holdPosition('0.002', { stop: '59000' })).commands);
    expect(words([less])).toEqual(['sell 6 reduce-only market']);
    expect(desk.fill(less).commands).toEqual([]);
  });

  it('stays until the position is closed, and is canceled then', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    const close = onlyPlace(desk.price(60_000, flat()).commands);
    expect(words([close])).toEqual(['sell 5 reduce-only market']);
    desk.accept(close.intentId);
    expect(desk.fill(close, 3).commands).toEqual([]);
    expect(words(desk.fill(close, 2).commands)).toEqual([`cancel ${stop.intentId}`]);
  });

  it('of a position that turns around goes with it, and the new one comes with the new position', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    const close = onlyPlace(desk.price(60_000, holdPosition('-0.004', { stop: '61000' })).commands);
    expect(words([close])).toEqual(['sell 5 reduce-only market']);
    desk.accept(close.intentId);
    const [cancel, open] = desk.fill(close).commands;
    expect(words([cancel, open] as PlaceCommand[]).sort()).toEqual([
      `cancel ${stop.intentId}`,
      'sell 4 market',
    ]);
    desk.canceled(stop.intentId);
    expect(words(desk.fill((open?.kind === 'place' ? open : cancel) as PlaceCommand).commands)).toEqual([
      'buy 4 reduce-only stop 610000',
    ]);
  });

  it('that is no longer wanted is canceled', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    expect(words(desk.price(60_000, holdPosition('0.005')).commands)).toEqual([`cancel ${stop.intentId}`]);
    const quoting = deskWanting();
    const other = longWithStop(quoting);
    expect(words(quoting.price(60_000, quote({ bid: { price: 59_999, quantity: 0.001 } })).commands)).toEqual(
      [`cancel ${other.intentId}`, 'buy 1 post-only @ 599990'],
    );
  });

  it('that the venue ended is placed again', () => {
    const desk = deskWanting();
    const stop = longWithStop(desk);
    expect(desk.canceled(stop.intentId, desk.at()).commands).toEqual([]);
    expect(words(desk.wait(250).commands)).toEqual(['sell 5 reduce-only stop 590000']);
  });

  it.each([
    ['NaN', Number.NaN, 'not-a-number'],
    ['0', 0, 'min-price'],
    ['beyond what the market has', '9999999', 'max-price'],
  ])('of %s refuses the whole want: no position without its stop', (_, stop, rule) => {
    const desk = deskWanting();
    const decision = desk.price(60_000, holdPosition('-0.005', { stop }));
    expect(decision.commands).toEqual([]);
    expect(decision.refusals).toMatchObject([{ rule }]);
  });

  it('is kept and hit during the warm-up like later', () => {
    let next: Want | undefined = holdPosition('0.005', { stop: '59000' });
    const desk = deskOf(
      () => ({
        onTrade: () => {
          const want = next;
          next = undefined;
          return want;
        },
      }),
      { warmUp: true },
    );
    desk.trade(1, 60_000);
    desk.trade(2, 59_000);
    desk.trade(3, 60_000);
    expect(desk.send({ kind: 'live', time: 4 }).commands).toEqual([]);
    expect(desk.engine.isStoppedOut).toBe(true);
  });

  it('counts how long the position had none at the venue', () => {
    const desk = deskWanting();
    expect(desk.engine.bareExposure).toBeUndefined();
    const entry = onlyPlace(desk.price(60_000, holdPosition('0.005', { stop: '59000' })).commands);
    desk.accept(entry.intentId, 10);
    expect(desk.engine.bareMs).toBeUndefined();
    const stop = onlyPlace(desk.fill(entry, 5, 20).commands);
    desk.mark(60);
    expect(desk.engine.bareMs).toBe(40);
    desk.accept(stop.intentId, 70);
    desk.mark(1_070);
    expect(desk.engine.bareMs).toBeUndefined();
    // 50 ms with 0.005 × 60 000.
    expect(desk.engine.bareExposure).toEqual({
      heldMs: 1_050,
      bareMs: 50,
      longestBareMs: 50,
      bareNotionalSeconds: 15,
    });
  });

  it.each([
    'before',
    'after',
  ])('counts a position that was adopted %s its want from the live session on', (when) => {
    let next: Want | undefined = holdPosition('0.005', { stop: '59000' });
    const onTrade = () => {
      const want = next;
      next = undefined;
      return want;
    };
    const desk = deskOf(() => ({ onTrade }), { warmUp: true });
    const position = { time: 10, lots: 5 as Lots, averageEntry: 60_000, liquidationPrice: undefined };
    if (when === 'before') desk.send({ kind: 'position', position });
    desk.trade(10, 60_000);
    if (when === 'after') desk.send({ kind: 'position', position });
    desk.mark(100_000);
    const stop = onlyPlace(desk.send({ kind: 'live', time: 100_000 }).commands);
    desk.accept(stop.intentId, 100_050);
    desk.mark(101_000);
    expect(desk.engine.bareExposure).toMatchObject({ heldMs: 1_000, bareMs: 50, longestBareMs: 50 });
  });

  it('of a position that is not a multiple of the lot is placed once', () => {
    const desk = deskWanting();
    const entry = onlyPlace(desk.price(60_000, holdPosition('0.005', { stop: '59000' })).commands);
    desk.accept(entry.intentId);
    const stop = onlyPlace(desk.fill(entry).commands);
    desk.accept(stop.intentId);
    const { filters } = desk.engine.market;
    const quantity = { ...filters.quantity, step: 2 as Lots, min: 2 as Lots };
    desk.engine.turnMarket({ ...desk.engine.market, filters: { ...filters, quantity } });
    const { commands } = desk.price(60_000, holdPosition('0.005', { stop: '59100' }));
    // The gate refuses the part of a lot.
    expect(words(commands)).toEqual(['sell 1 reduce-only market', 'sell 4 reduce-only stop 591000']);
    const moved = commands[1] as PlaceCommand;
    expect(words(desk.accept(moved.intentId).commands)).toEqual([`cancel ${stop.intentId}`]);
    desk.canceled(stop.intentId);
    expect(desk.price(60_000).commands).toEqual([]);
  });
});

describe('what protects a position', () => {
  it.each([
    ['undefined', { stop: undefined }, 'the stop of a position must be a number, received undefined'],
    ['nothing', {}, 'the stop of a position must be a number, received undefined'],
    [
      'another key',
      { stop: 1, take: 2 },
      'what protects a position must have no more than stop, received the key take',
    ],
    ['a number', 59_000, 'holdPosition must be given a quantity and { stop }, received 59000'],
  ])('must be { stop }, not %s', (_, protection, message) => {
    expect(() => holdPosition(1, protection as never)).toThrow(message);
  });
});
