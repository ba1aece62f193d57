import type { StrategyContext } from '../strategy/context.js';
import { aroundHandlers, type Handlers } from '../strategy/definition.js';
import type { BoundStrategy } from '../strategy/instance.js';

/** The answer of a strategy to one event: its want, and its calls of the context. */
export interface Answered {
  /** Number of trades before the one that caused the event. A run that was cut to fewer trades cannot have seen it. */
  readonly trade: number;
  /** Number of the event among those that this strategy got, from 1. */
  readonly event: number;
  readonly handler: keyof Handlers;
  /** Event time, ms. */
  readonly time: number;
  /** The answer as JSON. */
  readonly said: string;
}

/** One start of a strategy, with all of its answers. */
export interface Witness {
  readonly answers: Answered[];
}

/** The strategy with a recorder of its answers at each start, in order. The strategy does not notice it. */
export function watched(strategy: BoundStrategy): {
  readonly strategy: BoundStrategy;
  readonly witnesses: readonly Witness[];
} {
  const witnesses: Witness[] = [];
  return {
    witnesses,
    strategy: {
      ...strategy,
      start(context) {
        const witness: Witness = { answers: [] };
        witnesses.push(witness);
        return watchedHandlers(strategy, context, witness);
      },
    },
  };
}

function watchedHandlers(strategy: BoundStrategy, context: StrategyContext, { answers }: Witness): Handlers {
  let trades = 0;
  let events = 0;
  let asked: unknown[] = [];
  const own = strategy.start(listening(context, (what) => asked.push(what)));
  const heard = aroundHandlers(own, (handler, call) => (value) => {
    events++;
    const want = call(value);
    if (want !== undefined || asked.length > 0) {
      const said = JSON.stringify([want ?? null, ...asked]);
      answers.push({ trade: trades, event: events, handler, time: context.now, said });
      asked = [];
    }
    return want;
  });
  return {
    ...heard,
    onTrade(trade) {
      const want = heard.onTrade?.(trade);
      trades++;
      return want;
    },
  };
}

/** A context that reports every call that changes something. */
function listening(context: StrategyContext, hear: (what: unknown) => void): StrategyContext {
  const heard: Partial<StrategyContext> = {
    submit(order) {
      hear({ submit: order });
      return context.submit(order);
    },
    cancel(intentId) {
      hear({ cancel: intentId });
      context.cancel(intentId);
    },
    setTimer(name, time) {
      hear({ setTimer: name, time });
      context.setTimer(name, time);
    },
    clearTimer(name) {
      hear({ clearTimer: name });
      context.clearTimer(name);
    },
  };
  return new Proxy(context, {
    get: (target, name): unknown =>
      Object.hasOwn(heard, name)
        ? heard[name as keyof StrategyContext]
        : target[name as keyof StrategyContext],
  });
}
