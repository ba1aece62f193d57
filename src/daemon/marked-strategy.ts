import { aroundHandlers, HANDLER_NAMES, type Handlers } from '../strategy/definition.js';
import type { BoundStrategy } from '../strategy/instance.js';

/** Where a strategy's code runs: as it is made, or in a handler. */
export type StrategyPart = 'create' | keyof Handlers;

/** Is told when the code of a strategy begins to run, and when it is over, thrown or not. */
export interface Mark {
  enter(part: StrategyPart): void;
  leave(): void;
}

/** In a fixed order: their numbers pass between threads. */
export const STRATEGY_PARTS: readonly StrategyPart[] = ['create', ...HANDLER_NAMES];

/** The same strategy; who looks from outside sees whether it is its code that runs. */
export function markedStrategy(strategy: BoundStrategy, mark: Mark): BoundStrategy {
  return {
    ...strategy,
    start(context) {
      const handlers = within(mark, 'create', () => strategy.start(context));
      return aroundHandlers(handlers, (name, call) => (value) => within(mark, name, () => call(value)));
    },
  };
}

/** One that wants nothing, in the place of one that must not run. */
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
