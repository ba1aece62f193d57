import { aroundHandlers, HANDLER_NAMES, type Handlers } from '../strategy/definition.js';
import type { BoundStrategy } from '../strategy/instance.js';

/** The part of a strategy's code that runs: its `create`, or one of its handlers. */
export type StrategyPart = 'create' | keyof Handlers;

/** Is told when code of a strategy begins to run and when it ends, by return or by throw. */
export interface Mark {
  enter(part: StrategyPart): void;
  leave(): void;
}

/** The order is fixed, because threads exchange indices into this list. */
export const STRATEGY_PARTS: readonly StrategyPart[] = ['create', ...HANDLER_NAMES];

/** The same strategy, marked: an observer outside of the thread can see whether its code is what runs. */
export function markedStrategy(strategy: BoundStrategy, mark: Mark): BoundStrategy {
  return {
    ...strategy,
    start(context) {
      const handlers = within(mark, 'create', () => strategy.start(context));
      return aroundHandlers(handlers, (name, call) => (value) => within(mark, name, () => call(value)));
    },
  };
}

/** A strategy that wants nothing, in the place of one that must not run. */
export function idleStrategy(strategy: BoundStrategy): BoundStrategy {
  return { ...strategy, barIntervals: [], start: () => ({}) };
}

function within<T>(mark: Mark, part: StrategyPart, work: () => T): T {
  mark.enter(part);
  try {
    return work();
  } finally {
    mark.leave();
  }
}
