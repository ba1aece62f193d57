import {
  concatMap,
  config,
  delay,
  map,
  NEVER,
  of,
  ReplaySubject,
  Subject,
  throwError,
  timer,
  timestamp,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import { StrategyError } from '../../src/model/errors.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import {
  defineStrategy,
  type Handlers,
  importingOthers,
  type Sources,
} from '../../src/strategy/definition.js';
import { bindStrategy, type BoundStrategy } from '../../src/strategy/instance.js';
import { trade } from '../support/desk.js';
import { BTC } from '../support/markets.js';

function engineOf(strategy: BoundStrategy) {
  return new Engine({ strategy, market: BTC, seed: '1', warmUp: false });
}

function created(create: (context: StrategyContext) => Handlers) {
  return bindStrategy(
    importingOthers(defineStrategy({ name: 'created', create: (_, context) => create(context) })),
  );
}

function streaming(streams: (sources: Sources, context: StrategyContext) => typeof NEVER) {
  return bindStrategy(
    defineStrategy({ name: 'streams', streams: (sources, _, context) => streams(sources, context) }),
  );
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

const CODE = { code: 'TICKWRIGHT_E_SCHEDULER' };

describe("RxJS's own clock", () => {
  it.each([
    ['waits', () => timer(0, 1_000).subscribe(() => undefined)],
    ['waits in an operator', () => of(1).pipe(delay(60_000)).subscribe()],
    ['waits, and what it throws is dropped', () => timer(5).subscribe({ error: () => undefined })],
    ['keeps values for a time', () => new ReplaySubject(1, 500).next(1)],
    ['stamps values', () => of(1).pipe(timestamp()).subscribe()],
  ])('is refused in create() where it %s', (_, run) => {
    const strategy = created(() => {
      run();
      return {};
    });
    const error = thrownBy(() => engineOf(strategy));
    expect(error).toBeInstanceOf(StrategyError);
    expect(error).toMatchObject(CODE);
  });

  it('is refused in a stream that subscribes to another one and drops its errors', () => {
    const engine = engineOf(
      streaming(({ trades$ }) =>
        trades$.pipe(
          concatMap(() => {
            timer(1).subscribe({ error: () => undefined });
            return NEVER;
          }),
        ),
      ),
    );
    expect(thrownBy(() => engine.trade(trade(1, 1)))).toMatchObject(CODE);
  });

  it('is refused in what the scheduler of the session runs', () => {
    const engine = engineOf(
      created((context) => {
        context.scheduler.schedule(() => timer(1).subscribe({ error: () => undefined }), 50);
        return {};
      }),
    );
    engine.trade(trade(10, 1));
    expect(thrownBy(() => engine.trade(trade(100, 1)))).toMatchObject(CODE);
  });

  it('that is refused more than once, or before an error of its own, is told once and throws nothing later', async () => {
    const later: unknown[] = [];
    const { onUnhandledError } = config;
    const listen = (error: unknown) => later.push(error);
    process.on('uncaughtException', listen);
    try {
      const twice = created(() => ({
        onTrade() {
          timer(5).subscribe(() => undefined);
          timer(9).subscribe(() => undefined);
        },
      }));
      expect(thrownBy(() => engineOf(twice).trade(trade(1, 1)))).toMatchObject(CODE);
      const andOwn = created(() => ({
        onTrade() {
          timer(5).subscribe(() => undefined);
          throw new Error('own');
        },
      }));
      expect(() => engineOf(andOwn).trade(trade(1, 1))).toThrow('own');
      // RxJS throws what nobody took in a callback of its own.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(later).toEqual([]);
      expect(config.onUnhandledError).toBe(onUnhandledError);
    } finally {
      process.off('uncaughtException', listen);
    }
  });

  it('that one strategy was refused for is no fault of the next', () => {
    const guilty = created(() => ({
      onTrade: () => void timer(1).subscribe({ error: () => undefined }),
    }));
    expect(thrownBy(() => engineOf(guilty).trade(trade(1, 1)))).toMatchObject(CODE);
    const innocent = engineOf(streaming(({ trades$ }) => trades$.pipe(concatMap(() => NEVER))));
    expect(thrownBy(() => innocent.trade(trade(1, 1)))).toBeUndefined();
    expect(thrownBy(() => engineOf(created(() => ({}))))).toBeUndefined();
  });

  it('leaves errors of a strategy as they are', () => {
    const engine = engineOf(
      streaming(({ trades$ }) => trades$.pipe(concatMap(() => throwError(() => new Error('own'))))),
    );
    expect(() => engine.trade(trade(1, 1))).toThrow('own');
  });
});

describe("what a strategy's own subscribe throws", () => {
  const boom = () => {
    throw new Error('boom');
  };

  it.each<[string, BoundStrategy]>([
    [
      'beside the stream of its wants',
      streaming(({ trades$ }) => {
        trades$.subscribe(boom);
        return NEVER;
      }),
    ],
    [
      'in a subject of its handlers',
      created(() => {
        const prices$ = new Subject<number>();
        prices$.subscribe(boom);
        return { onTrade: ({ price }) => prices$.next(price) };
      }),
    ],
    [
      'as an error that nobody takes',
      streaming(({ trades$ }) => {
        trades$.pipe(map(boom)).subscribe();
        return NEVER;
      }),
    ],
  ])('%s is thrown by its event', (_, strategy) => {
    const engine = engineOf(strategy);
    expect(thrownBy(() => engine.trade(trade(1, 1)))).toMatchObject({ message: 'boom' });
  });

  it('is thrown by the session where it waits by the scheduler', () => {
    const engine = engineOf(
      streaming((_, { scheduler }) => {
        timer(50, scheduler).subscribe(boom);
        return NEVER;
      }),
    );
    engine.trade(trade(10, 1));
    expect(thrownBy(() => engine.trade(trade(100, 1)))).toMatchObject({ message: 'boom' });
  });

  it('is thrown where the streams are made', () => {
    const strategy = streaming(() => {
      of(1).subscribe(boom);
      return NEVER;
    });
    expect(thrownBy(() => engineOf(strategy))).toMatchObject({ message: 'boom' });
  });

  it('once, and nothing of it later', async () => {
    const later: unknown[] = [];
    const listen = (error: unknown) => later.push(error);
    process.on('uncaughtException', listen);
    try {
      const engine = engineOf(
        streaming(({ trades$ }) => {
          trades$.subscribe(boom);
          trades$.subscribe(boom);
          return NEVER;
        }),
      );
      expect(thrownBy(() => engine.trade(trade(1, 1)))).toMatchObject({ message: 'boom' });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(later).toEqual([]);
    } finally {
      process.off('uncaughtException', listen);
    }
  });
});

describe('the handlers of a strategy that imports other packages', () => {
  it('may be replaced while it runs, as in any other one', () => {
    const heard: string[] = [];
    const engine = engineOf(
      created(() => {
        const handlers: Handlers = {
          onTrade({ price }) {
            heard.push(`first ${price}`);
            handlers.onTrade = (trade) => void heard.push(`then ${trade.price}`);
          },
        };
        return handlers;
      }),
    );
    engine.trade(trade(1, 1));
    engine.trade(trade(2, 2));
    expect(heard).toEqual(['first 1', 'then 2']);
  });
});
