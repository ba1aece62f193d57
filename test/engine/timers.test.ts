import { delay, ignoreElements, interval, map, merge, NEVER, type Observable, sampleTime } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import { StrategyError } from '../../src/model/errors.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import { defineStrategy, type Handlers, type Sources } from '../../src/strategy/definition.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { holdPosition, type Want } from '../../src/strategy/want.js';
import { trade, words } from '../support/desk.js';
import { BTC } from '../support/markets.js';

const START = 1_700_000_000_000;
/** Loops of a strategy end by themselves in these tests, so that they fail and do not hang. */
const MOST = 5_000;

/** A desk without bars, and what its strategy hears of timers. */
function timed(create: (context: StrategyContext) => Handlers) {
  const heard: string[] = [];
  const definition = defineStrategy({
    name: 'timed',
    create(_, context) {
      const handlers = create(context);
      return {
        ...handlers,
        onTimer(timer) {
          if (heard.push(`${timer.name} ${timer.time - START} at ${context.now - START}`) > MOST)
            throw new RangeError('it does not end');
          return handlers.onTimer?.(timer);
        },
      };
    },
  });
  const engine = new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: false });
  return { engine, heard };
}

function streaming(streams: (sources: Sources, context: StrategyContext) => Observable<Want>) {
  const definition = defineStrategy({
    name: 'streams',
    streams: (sources, _, context) => streams(sources, context),
  });
  return new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: false });
}

describe('what is scheduled before the first event', () => {
  it.each(['trade', 'mark', 'gap', 'bar'])('rings at the first one if its time is over: %s', (kind) => {
    const { engine, heard } = timed((context) => {
      expect(context.now).toBe(0);
      context.setTimer('t', context.now + 1_000);
      return {
        onTimer({ time }) {
          context.setTimer('t', time + 1_000);
        },
      };
    });
    if (kind === 'trade') engine.trade(trade(START, 1));
    if (kind === 'mark') engine.handle({ kind: 'mark', time: START });
    if (kind === 'gap')
      engine.handle({ kind: 'gap', gap: { from: START - 5, to: START, missing: undefined } });
    if (kind === 'bar') {
      const price = { open: 1, high: 1, low: 1, close: 1, volume: 1 };
      engine.bar({ openTime: START, endTime: START + 500, ...price });
    }
    expect(heard).toEqual(['t 0 at 0']);
    engine.trade(trade(START + 2_500, 1));
    expect(heard).toEqual(['t 0 at 0', 't 1000 at 1000', 't 2000 at 2000']);
  });

  it('rings at its own time if that is to come', () => {
    const { engine, heard } = timed((context) => {
      context.setTimer('t', START + 700);
      context.setTimer('gone', START + 200);
      context.clearTimer('gone');
      return {};
    });
    engine.trade(trade(START, 1));
    engine.trade(trade(START + 699, 1));
    expect(heard).toEqual([]);
    engine.trade(trade(START + 800, 1));
    expect(heard).toEqual(['t 700 at 700']);
  });

  it('waits for the market, whatever is told of the account before', () => {
    const { engine, heard } = timed((context) => {
      context.setTimer('early', 1_000);
      return {
        onPosition: () => context.setTimer('now', context.now + 10),
      };
    });
    engine.handle({
      kind: 'position',
      position: { time: START, lots: 0, averageEntry: 0, liquidationPrice: undefined } as never,
    });
    engine.trade(trade(START - 60_000, 1));
    expect(heard).toEqual(['early -60000 at -60000']);
    engine.trade(trade(START + 20, 1));
    expect(heard).toEqual(['early -60000 at -60000', 'now 10 at 10']);
  });

  it('counts from the first event where it waits by the scheduler', () => {
    const times: number[] = [];
    const engine = streaming(({ trades$ }, { scheduler }) =>
      merge(
        interval(1_000, scheduler).pipe(
          map((turn) => {
            if (times.push(scheduler.now() - START) > MOST) throw new RangeError('it does not end');
            return holdPosition((turn + 1) / 1_000);
          }),
        ),
        trades$.pipe(
          sampleTime(300, scheduler),
          map(({ price }) => {
            times.push(price);
            return holdPosition(0.01);
          }),
        ),
      ),
    );
    expect(engine.trade(trade(START + 10, 1)).commands).toEqual([]);
    expect(times).toEqual([]);
    expect(words(engine.trade(trade(START + 400, 2)).commands)).toEqual(['buy 10 market']);
    engine.trade(trade(START + 2_100, 3));
    expect(times).toEqual([1, 2, 1_010, 2_010]);
  });

  it('waits by the scheduler as long as it is told, whatever is told of the account meanwhile', () => {
    const log: string[] = [];
    const engine = streaming(({ position$ }, { scheduler }) =>
      merge(
        interval(50, scheduler).pipe(map(() => log.push(`interval ${scheduler.now() - START}`))),
        position$.pipe(
          delay(30, scheduler),
          map(() => log.push(`position ${scheduler.now() - START}`)),
        ),
      ).pipe(ignoreElements()),
    );
    const told = (time: number) =>
      engine.handle({
        kind: 'position',
        position: { time, lots: 0, averageEntry: 0, liquidationPrice: undefined } as never,
      });
    told(START - 20);
    engine.trade(trade(START, 1));
    // News of the account may be ahead of what the feed has covered.
    told(START + 70);
    engine.trade(trade(START + 110, 1));
    expect(log).toEqual(['position 10', 'interval 50', 'position 100', 'interval 100']);
  });

  it('may be ended before it', () => {
    let ran = 0;
    const engine = streaming((_, { scheduler }) => {
      scheduler.schedule(() => ran++, 10).unsubscribe();
      return NEVER;
    });
    engine.trade(trade(START, 1));
    engine.trade(trade(START + 100, 1));
    expect(ran).toBe(0);
  });

  it('does not end, and is refused, where it waits for nothing', () => {
    let ran = 0;
    const engine = streaming((_, { scheduler }) => {
      interval(0, scheduler).subscribe(() => {
        if (++ran > 10_000_000) throw new RangeError('it does not end');
      });
      return NEVER;
    });
    expect(() => engine.trade(trade(START, 1))).toThrow(
      /what waits by context\.scheduler must come to an end at one moment of event time, received 100000 actions at 1700000000000 \(venue ms\)/,
    );
  });
});

describe('a timer for a time that is over', () => {
  it('rings now: its time never goes back', () => {
    const { engine, heard } = timed((context) => ({
      onTrade: () => context.setTimer('t', 60_000),
    }));
    engine.trade(trade(START, 1));
    engine.trade(trade(START + 10, 1));
    expect(heard).toEqual(['t 0 at 0']);
  });

  it('may be set by another one', () => {
    const { engine, heard } = timed((context) => ({
      onTrade: () => context.setTimer('a', START + 5),
      onTimer: ({ name }) => (name === 'a' ? context.setTimer('b', context.now) : undefined),
    }));
    engine.trade(trade(START, 1));
    engine.trade(trade(START + 10, 1));
    expect(heard).toEqual(['a 5 at 5', 'b 5 at 5']);
  });

  it('is refused where it would ring without end', () => {
    const { engine } = timed((context) => ({
      onTrade: () => context.setTimer('t', START + 5),
      // A wait taken for a time.
      onTimer: () => context.setTimer('t', 60_000),
    }));
    engine.trade(trade(START, 1));
    expect(() => engine.trade(trade(START + 10, 1))).toThrow(
      'the time of a timer that rang 1000 times at one moment must be after now, 1700000000005 (venue ms), received 60000 for "t"',
    );
  });
});

describe('a timer', () => {
  it('may be one of hundreds of thousands, and the earliest rings first', () => {
    const { engine, heard } = timed((context) => ({
      onTrade({ time }) {
        if (time !== START) return;
        for (let i = 200_000; i > 0; i--) context.setTimer(`t${i}`, START + 1_000 * i);
        context.clearTimer('t1');
      },
    }));
    engine.trade(trade(START, 600_000));
    engine.trade(trade(START + 3_500, 600_000));
    expect(heard).toEqual(['t2 2000 at 2000', 't3 3000 at 3000']);
  });

  it.each([
    [Number.NaN, 'NaN'],
    [undefined, 'undefined'],
    ['1700000001000', '"1700000001000"'],
    [null, 'null'],
  ])('must have a time: %s is refused where it is set', (time, received) => {
    const { engine } = timed((context) => ({
      onTrade: () => context.setTimer('t', time as number),
    }));
    const run = () => engine.trade(trade(START, 1));
    expect(run).toThrow(StrategyError);
    expect(run).toThrow(`the time of a timer must be a number (venue ms), received ${received}`);
  });

  it.each([
    [undefined, 'undefined'],
    ['tickwright:scheduler', '"tickwright:scheduler"'],
  ])('must have a name of its own: %s is refused where it is set', (name, received) => {
    const { engine } = timed((context) => ({
      onTrade: ({ time }) => context.setTimer(name as string, time + 1),
    }));
    expect(() => engine.trade(trade(START, 1))).toThrow(
      `the name of a timer must be a text that does not begin with tickwright:, received ${received}`,
    );
  });
});

describe('the timer of the scheduler', () => {
  it('rings in no handler of the strategy', () => {
    const { engine, heard } = timed((context) => {
      context.setTimer('own', START + 20);
      context.scheduler.schedule(() => context.submit({ side: 'buy', quantity: '0.001' }), 10);
      return {};
    });
    engine.trade(trade(START, 1));
    expect(words(engine.trade(trade(START + 30, 1)).commands)).toEqual(['buy 1 market']);
    expect(heard).toEqual(['own 20 at 20']);
  });

  it('rings in no stream, and what the scheduler made the streams want is answered at its time', () => {
    const heard: string[] = [];
    const engine = streaming(({ timers$ }, context) => {
      context.setTimer('own', START + 20);
      return merge(
        interval(50, context.scheduler).pipe(map((turn) => holdPosition((turn + 1) / 1_000))),
        timers$.pipe(
          map(({ name }) => heard.push(name)),
          ignoreElements(),
        ),
      );
    });
    engine.trade(trade(START, 1));
    expect(words(engine.handle({ kind: 'mark', time: START + 50 }).commands)).toEqual(['buy 1 market']);
    expect(heard).toEqual(['own']);
  });
});
