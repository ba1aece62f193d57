import type { StrategyContext } from '../strategy/context.js';
import { HANDLER_NAMES, type Handlers } from '../strategy/definition.js';
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

type Call = (value: never) => unknown;

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
  const handlers = strategy.start(listening(context, (what) => asked.push(what)));

  function heard(handler: keyof Handlers, call: Call): Call {
    return (value) => {
      events++;
      const want = call.call(handlers, value);
      if (want !== undefined || asked.length > 0) {
        const said = JSON.stringify([want ?? null, ...asked]);
        answers.push({ trade: trades, event: events, handler, time: context.now, said });
        asked = [];
      }
      return want;
    };
  }

  const heardAll: Partial<Record<keyof Handlers, Call>> = {};
  // By their names: those of a class are no keys of its object.
  for (const name of HANDLER_NAMES) {
    const call = handlers[name];
    if (call !== undefined) heardAll[name] = heard(name, call);
  }
  const onTrade = heardAll.onTrade;
  return {
    ...(heardAll as Handlers),
    onTrade(trade) {
      const want = onTrade?.(trade as never);
      trades++;
      return want as ReturnType<NonNullable<Handlers['onTrade']>>;
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
