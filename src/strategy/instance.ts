import type { Bar } from '../model/bar.js';
import type { UsageError } from '../model/errors.js';
import type { Ticker } from '../model/ticker.js';
import type { Trade, TradeGap } from '../model/trade.js';
import type { FillView, PositionView, StrategyContext, TimerView } from './context.js';
import { type Handlers, importsOthers, type StrategyDefinition, snapshot } from './definition.js';
import { checkHandlers } from './check-handlers.js';
import { Emitter } from './emitter.js';
import { SCHEDULER_TIMER } from './event-time-scheduler.js';
import { beginGuard, endGuard, guarded, guardedHandlers, guardRxjs, throwKept } from './rxjs-guard.js';
import { malformed } from './mistake.js';
import { type ParamSpecs, type ParamValues, parseParams } from './params.js';
import { isObservable, Observable } from './rxjs-core.js';
import type { Want } from './want.js';

/** A strategy ready to run: its definition with the values of its parameters. */
export interface BoundStrategy {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Lengths of the strategy's bars, ms; ascending, without duplicates. */
  readonly barIntervals: readonly number[];
  /** The strategy is written as streams. Its `onTimer` then also has to be called for the timer of the scheduler. */
  readonly isStreams: boolean;
  start(context: StrategyContext): BoundHandlers;
}

export interface BoundHandlers extends Handlers {
  /**
   * Streams have every handler. These tell whether anybody subscribed to `trades$` or `ticker$`, so that unread events
   * can be skipped.
   */
  readonly readsTrades?: () => boolean;
  readonly readsTickers?: () => boolean;
}

/**
 * Binds parameter values, as given by `--set fast=5` or YAML, to a definition.
 *
 * @throws UsageError for a parameter that is unknown or whose value cannot be read.
 */
export function bindStrategy<P extends ParamSpecs>(
  definition: StrategyDefinition<P>,
  given: Readonly<Record<string, unknown>> = {},
): BoundStrategy {
  const params = parseParams(definition.name, definition.params, given);
  const intervals = Object.entries(definition.params)
    .filter(([, spec]) => spec.kind === 'bar-interval')
    .map(([name]) => (params as Readonly<Record<string, unknown>>)[name] as number);
  return {
    name: definition.name,
    params,
    barIntervals: [...new Set(intervals)].sort((a, b) => a - b),
    isStreams: definition.create === undefined,
    start(context) {
      guardRxjs();
      const hasBars = intervals.length > 0;
      if (definition.create === undefined) return streamHandlers(definition, { params, context, hasBars });
      const created = guarded(() => definition.create(params, context), undefined);
      const handlers = checkHandlers(definition.name, created);
      if (handlers.onBar !== undefined && !hasBars) throw noBars(definition.name, 'has onBar');
      // The guard costs time at each call, so only strategies that import other packages, and may use RxJS, get it.
      return importsOthers(definition) ? guardedHandlers(handlers) : handlers;
    },
  };
}

/**
 * The stream form as handlers: each event is emitted into the streams, and the last want that they emit is the answer.
 */
function streamHandlers<P extends ParamSpecs>(
  definition: Extract<StrategyDefinition<P>, { streams: unknown }>,
  { params, context, hasBars }: { params: ParamValues<P>; context: StrategyContext; hasBars: boolean },
): BoundHandlers {
  const trades = new Emitter<Trade>();
  const bars = new Emitter<Bar>();
  const tickers = new Emitter<Ticker>();
  const fills = new Emitter<FillView>();
  const positions = new Emitter<PositionView>();
  const timers = new Emitter<TimerView>();
  const gaps = new Emitter<TradeGap>();
  let want: Want | undefined;
  let failure: { readonly error: unknown } | undefined;
  let barless: UsageError | undefined;

  // Without a `barInterval` there are no bars, so a strategy that waits for one would silently never act. Reading `bars$`
  // then fails.
  const failing$ = new Observable<Bar>((subscriber) => {
    barless = noBars(definition.name, 'reads bars$');
    failure ??= { error: barless };
    subscriber.error(barless);
  });
  guarded(() => {
    const sources = {
      trades$: trades.stream$,
      bars$: hasBars ? bars.stream$ : failing$,
      ticker$: tickers.stream$,
      fills$: fills.stream$,
      position$: positions.stream$,
      timers$: timers.stream$,
      gaps$: gaps.stream$,
    };
    const wants$: unknown = definition.streams(sources, params, context);
    if (!isObservable(wants$)) {
      throw malformed(`streams() of ${definition.name} must return an Observable of wants`, wants$);
    }
    (wants$ as Observable<Want>).subscribe({
      next: (value) => {
        want = value;
      },
      error: (error: unknown) => {
        failure ??= { error };
      },
    });
  }, undefined);
  if (barless !== undefined) throw barless;

  function answer(): Want | undefined {
    if (failure !== undefined) throw failure.error;
    const last = want;
    want = undefined;
    return last;
  }

  function through<T>(emitter: Emitter<T>): (value: T) => Want | undefined {
    return (value) => {
      if (emitter.observed) {
        beginGuard();
        try {
          emitter.emit(value);
          throwKept();
        } finally {
          endGuard();
        }
      }
      return answer();
    };
  }

  const onTradeCopy = through(trades);
  const onOwnTimer = through(timers);

  return {
    // In a backtest the engine reuses trade objects, and operators such as `pairwise` or `buffer` keep them: each trade
    // is copied.
    onTrade: (trade) => (trades.observed ? onTradeCopy(snapshot(trade)) : answer()),
    onBar: through(bars),
    onTicker: through(tickers),
    onFill: through(fills),
    onPosition: through(positions),
    onTimer: (timer) => (timer.name === SCHEDULER_TIMER ? answer() : onOwnTimer(timer)),
    onGap: through(gaps),
    readsTrades: () => trades.observed,
    readsTickers: () => tickers.observed,
  };
}

function noBars(name: string, why: string): UsageError {
  return malformed(`${name} ${why}, so its params must declare a barInterval`, undefined, 'none');
}
