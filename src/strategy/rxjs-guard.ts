// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
// oxlint-disable-next-line no-restricted-imports -- because RxJS throws later by it what a subscriber threw, and has no other door to it
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
import { StrategyError } from '../model/errors.js';
import { aroundHandlers, type Handlers } from './definition.js';
import { config } from './rxjs-core.js';

let installed = false;
let isGuarded = false;
/** The first error of the strategy code that runs which RxJS keeps for later. */
let kept: { readonly error: unknown } | undefined;

/**
 * From now on RxJS neither waits nor reads the time by the machine's clock, for anybody in this process: a strategy
 * that did would decide differently in a backtest than live, and our own code has ports for both. It is done for good,
 * not while a strategy runs, so that it costs nothing per event. And what a strategy's own `subscribe` throws is thrown
 * by the event that it belongs to, like any other error of it; RxJS would throw it later, at nobody.
 */
export function guardRxjs(): void {
  if (installed) return;
  installed = true;
  Object.assign(intervalProvider, { delegate: { setInterval: refuse } });
  Object.assign(immediateProvider, { delegate: { setImmediate: refuse } });
  Object.assign(dateTimestampProvider, { delegate: { now: refuse } });
  let isStrategys = false;
  const { onUnhandledError } = config;
  config.onUnhandledError = (error: unknown) => {
    if (isStrategys) {
      kept ??= { error };
      return;
    }
    if (onUnhandledError === null) throw error;
    onUnhandledError(error);
  };
  // All that RxJS waits for by it is to report what nobody handled.
  const later = timeoutProvider.setTimeout;
  const reportAtOnce = (report: () => void): unknown => {
    if (!isGuarded) return later(report);
    isStrategys = true;
    try {
      report();
    } finally {
      isStrategys = false;
    }
    return undefined;
  };
  Object.assign(timeoutProvider, { setTimeout: reportAtOnce });
}

/**
 * Runs strategy code, and throws what `guardRxjs` refused of it, which RxJS gives to subscribers that may drop it, and
 * what it threw to nobody.
 */
export function guarded<T, R>(run: (value: T) => R, value: T): R {
  beginGuard();
  try {
    const answer = run(value);
    throwKept();
    return answer;
  } finally {
    endGuard();
  }
}

/** `guarded` in parts, for what runs at every trade: a call less. `throwKept` when it ran, `endGuard` in any case. */
export function beginGuard(): void {
  kept = undefined;
  isGuarded = true;
}

export function endGuard(): void {
  isGuarded = false;
}

/** Handlers that throw at once where RxJS was refused the machine's clock. */
export function guardedHandlers(handlers: Handlers): Handlers {
  return aroundHandlers(handlers, (_, call) => (value) => guarded(call, value));
}

function refuse(): never {
  const { stackTraceLimit } = Error;
  // RxJS's own calls must not push the strategy's line out of the stack.
  Error.stackTraceLimit = 100;
  const error = new StrategyError(
    'TICKWRIGHT_E_SCHEDULER',
    "a strategy must pass context.scheduler to operators of RxJS that wait or read the time, received none: they would go by the machine's clock",
  );
  Error.stackTraceLimit = stackTraceLimit;
  if (isGuarded) kept ??= { error };
  throw error;
}

/** Throws what was kept since `beginGuard`. */
export function throwKept(): void {
  if (kept === undefined) return;
  const { error } = kept;
  kept = undefined;
  throw error;
}
