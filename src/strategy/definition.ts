import type { Observable } from 'rxjs';
import type { Bar } from '../model/bar.js';
import { UsageError } from '../model/errors.js';
import type { Ticker } from '../model/ticker.js';
import type { Trade, TradeGap } from '../model/trade.js';
import type { FillView, PositionView, StrategyContext, TimerView } from './context.js';
import { optionsOf } from './param-declaration.js';
import { checkParams, type ParamSpecs, type ParamValues } from './params.js';
import type { Want } from './want.js';

/** What a handler returns: a new want, or nothing, which leaves the last want in force. */
export type Answer = Want | undefined | void;

/**
 * The events that a strategy reacts to. All handlers are synchronous, and each may return what the strategy wants from
 * then on. A handler may be replaced while the strategy runs, but not added.
 */
export interface Handlers {
  /**
   * Each trade of the tape. The trade may be kept, except for its `id` in a backtest: read the id while the handler runs,
   * or keep `snapshot(trade)`. A copy by `{ ...trade }` lacks the id.
   */
  onTrade?(trade: Trade): Answer;
  /** A finished bar of each `barInterval` parameter. Called before the trade that closed the bar. */
  onBar?(bar: Bar): Answer;
  onTicker?(ticker: Ticker): Answer;
  onFill?(fill: FillView): Answer;
  /**
   * Live: called at each poll of the position, whether it changed or not. In backtests and on paper nobody polls the
   * position, so it is called after `onFill` of each own fill. To notice a change in every kind of session, use `onFill`
   * or `context.position`.
   */
  onPosition?(position: PositionView): Answer;
  onTimer?(timer: TimerView): Answer;
  /** A stretch of the tape that the feed could not get. */
  onGap?(gap: TradeGap): Answer;
}

export const HANDLER_NAMES: readonly (keyof Handlers)[] = [
  'onTrade',
  'onBar',
  'onTicker',
  'onFill',
  'onPosition',
  'onTimer',
  'onGap',
];

type Calls = { [K in keyof Handlers]-?: (handlers: Handlers) => NonNullable<Handlers[K]> };

// One literal property access per handler: a lookup by a variable name would be slow on this hot path.
const CALLS: Calls = {
  onTrade: (handlers) => (trade) => handlers.onTrade?.(trade),
  onBar: (handlers) => (bar) => handlers.onBar?.(bar),
  onTicker: (handlers) => (ticker) => handlers.onTicker?.(ticker),
  onFill: (handlers) => (fill) => handlers.onFill?.(fill),
  onPosition: (handlers) => (position) => handlers.onPosition?.(position),
  onTimer: (handlers) => (timer) => handlers.onTimer?.(timer),
  onGap: (handlers) => (gap) => handlers.onGap?.(gap),
};

/**
 * Wraps each handler that exists. The strategy's own method is looked up at each call, as the engine does, because a
 * strategy may replace its handlers while it runs.
 */
export function aroundHandlers(
  handlers: Handlers,
  around: (name: keyof Handlers, call: (value: unknown) => unknown) => (value: unknown) => unknown,
): Handlers {
  const names = HANDLER_NAMES.filter((name) => handlers[name] !== undefined);
  return Object.fromEntries(
    names.map((name) => [name, around(name, CALLS[name](handlers) as (value: unknown) => unknown)]),
  );
}

/** The same events as RxJS streams, fed synchronously. */
export interface Sources {
  readonly trades$: Observable<Trade>;
  readonly bars$: Observable<Bar>;
  readonly ticker$: Observable<Ticker>;
  readonly fills$: Observable<FillView>;
  readonly position$: Observable<PositionView>;
  readonly timers$: Observable<TimerView>;
  readonly gaps$: Observable<TradeGap>;
}

interface Common<P extends ParamSpecs> {
  /** Kebab-case; shows in results and logs. */
  readonly name: string;
  readonly params?: P;
}

export interface HandlerForm<P extends ParamSpecs> extends Common<P> {
  /** Makes the handlers; the strategy's state is this function's closure. */
  create(params: ParamValues<P>, context: StrategyContext): Handlers;
  readonly streams?: never;
}

export interface StreamForm<P extends ParamSpecs> extends Common<P> {
  /** Makes the stream of wants; the last one of an event stands. */
  streams(sources: Sources, params: ParamValues<P>, context: StrategyContext): Observable<Want>;
  readonly create?: never;
}

// A symbol of the global registry, so that a strategy is known even if two copies of this package are loaded.
const BRAND = Symbol.for('tickwright.strategy');

export type StrategyDefinition<P extends ParamSpecs = ParamSpecs> = (HandlerForm<P> | StreamForm<P>) & {
  readonly params: P;
};

const USES_OTHERS = Symbol('its file imports packages that are not ours');

/** The same definition, of a file that imports other packages: RxJS may be used in its handlers, too. */
export function importingOthers(definition: StrategyDefinition): StrategyDefinition {
  return Object.assign({}, definition, { [USES_OTHERS]: true });
}

export function importsOthers(definition: object): boolean {
  return USES_OTHERS in definition;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** What a strategy file exports as its default. */
export function defineStrategy<const P extends ParamSpecs = Record<never, never>>(
  form: HandlerForm<P> | StreamForm<P>,
): StrategyDefinition<P> {
  optionsOf('defineStrategy', form, ['name', 'params', 'create', 'streams']);
  if (typeof form.name !== 'string' || !NAME.test(form.name)) {
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY',
      `a strategy's name must be lower-case words joined by hyphens, 64 characters at most, received ${JSON.stringify(form.name)}`,
    );
  }
  const hasCreate = typeof form.create === 'function';
  if (hasCreate === (typeof form.streams === 'function')) {
    const { name } = form as { readonly name: string };
    throw new UsageError(
      'TICKWRIGHT_E_STRATEGY',
      `${name} must have either create() or streams(), received ${hasCreate ? 'both' : 'neither'}`,
    );
  }
  if (form.params !== undefined) checkParams(form.name, form.params);
  return Object.assign({ params: {} as P }, form, { [BRAND]: true });
}

export function isStrategyDefinition(value: unknown): value is StrategyDefinition {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
}

/** A copy of a trade with its id, which a trade of a backtest does not have for ever. */
export function snapshot(trade: Trade): Trade {
  return {
    id: trade.id,
    time: trade.time,
    price: trade.price,
    quantity: trade.quantity,
    isBuyerMaker: trade.isBuyerMaker,
  };
}
