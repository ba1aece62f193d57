import type { StrategyContext } from '../strategy/context.js';
import { aroundHandlers, type Handlers } from '../strategy/definition.js';
import type { BoundStrategy } from '../strategy/instance.js';

/** What a strategy said in answer to one event: its want, and what it asked for by its context. */
export interface Answered {
  /** Trades before the one that brought the event about: what a run on fewer cannot have seen. */
  readonly trade: number;
  /** Number of the event among those that this strategy was given, from 1. */
  readonly event: number;
  readonly handler: keyof Handlers;
  /** Event time, ms. */
  readonly time: number;
  /** As JSON. */
  readonly said: string;
}

/** One start of a strategy, with all it said. */
export interface Witness {
  readonly answers: Answered[];
}

/** The strategy, and what each start of it says, in order; it notices nothing. */
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

/** The context with an ear on what changes anything. */
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
