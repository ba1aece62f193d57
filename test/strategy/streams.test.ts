import {
  asapScheduler,
  catchError,
  concatMap,
  debounceTime,
  delay,
  EMPTY,
  map,
  merge,
  NEVER,
  of,
  pairwise,
  throwError,
  timer,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import type { Trade } from '../../src/model/trade.js';
import { defineStrategy, type Sources } from '../../src/strategy/definition.js';
import type { StrategyContext } from '../../src/strategy/context.js';
import { bindStrategy } from '../../src/strategy/instance.js';
import { holdPosition, type Want } from '../../src/strategy/want.js';
import type { Observable } from 'rxjs';
import { trade, words } from '../support/desk.js';
import { BTC } from '../support/markets.js';

function engineOf(streams: (sources: Sources, context: StrategyContext) => Observable<Want>) {
  const definition = defineStrategy({
    name: 'streams',
    streams: (sources, _, context) => streams(sources, context),
  });
  return new Engine({ strategy: bindStrategy(definition), market: BTC, seed: '1', warmUp: false });
}

describe('a strategy as streams', () => {
  it('wants the last of what an event made it say', () => {
    const engine = engineOf(({ trades$ }) =>
      trades$.pipe(concatMap(() => of(holdPosition('0.001'), holdPosition('0.002')))),
    );
    expect(words(engine.trade(trade(1, 60_000)).commands)).toEqual(['buy 2 market']);
  });

  it('that reads bars$ without an interval is told so, whatever it does with the error', () => {
    const message = 'streams reads bars$, so its params must declare a barInterval, received none';
    for (const streams of [
      ({ bars$ }: Sources) => bars$.pipe(map(() => holdPosition('0.001'))),
      ({ bars$, trades$ }: Sources) =>
        merge(bars$.pipe(catchError(() => NEVER)), trades$).pipe(map(() => holdPosition('0.001'))),
    ]) {
      expect(() => engineOf(streams)).toThrow(message);
    }
    const late = engineOf(({ bars$, trades$ }) =>
      trades$.pipe(
        concatMap(() => bars$),
        map(() => holdPosition('0.001')),
      ),
    );
    expect(() => late.trade(trade(1, 60_000))).toThrow(message);
    const early = engineOf(() => of(holdPosition('0.001')));
    expect(words(early.trade(trade(1, 60_000)).commands)).toEqual(['buy 1 market']);
  });

  it('may keep trades: each is an object of its own', () => {
    const pairs: Trade[][] = [];
    const engine = engineOf(({ trades$ }) =>
      trades$.pipe(
        pairwise(),
        concatMap((pair) => {
          pairs.push(pair);
          return EMPTY;
        }),
      ),
    );
    const cursor = { id: '1', time: 1, price: 10, quantity: 1, isBuyerMaker: true };
    engine.trade(cursor);
    Object.assign(cursor, { id: '2', time: 2, price: 11 });
    engine.trade(cursor);
    expect(pairs[0]?.map(({ id, price }) => [id, price])).toEqual([
      ['1', 10],
      ['2', 11],
    ]);
  });

  it('has no error swallowed', () => {
    const engine = engineOf(({ trades$ }) =>
      trades$.pipe(concatMap(() => throwError(() => new Error('broken')))),
    );
    expect(() => engine.trade(trade(1, 1))).toThrow('broken');
  });

  it.each([
    ['at once', () => timer(10).pipe(map(() => holdPosition(1)))],
    [
      'in an operator',
      ({ trades$ }: Sources) =>
        trades$.pipe(
          delay(10),
          map(() => holdPosition(1)),
        ),
    ],
    [
      'as soon as possible',
      ({ trades$ }: Sources) =>
        trades$.pipe(
          delay(1, asapScheduler),
          map(() => holdPosition(1)),
        ),
    ],
  ])("throws where it would wait on the machine's clock %s", (_, streams) => {
    expect(() => engineOf(streams as never).trade(trade(1, 1))).toThrow(
      /a strategy must pass context.scheduler to operators of RxJS that wait or read the time, received none/,
    );
  });

  it('waits on event time with context.scheduler: due before the trade that reaches it', () => {
    const seen: number[] = [];
    const engine = engineOf(({ trades$ }, context) =>
      merge(
        NEVER,
        trades$.pipe(
          debounceTime(100, context.scheduler),
          map(({ price }) => {
            seen.push(context.now);
            return holdPosition(price / 1_000);
          }),
        ),
      ),
    );
    engine.trade(trade(1_000, 1));
    engine.trade(trade(1_050, 2));
    expect(engine.trade(trade(1_149, 3)).commands).toEqual([]);
    expect(words(engine.trade(trade(1_400, 4)).commands)).toEqual(['buy 3 market']);
    expect(seen).toEqual([1_249]);
    expect(engine.handle({ kind: 'mark', time: 1_500 }).commands).toEqual([]);
    expect(seen).toEqual([1_249, 1_500]);
  });
});
