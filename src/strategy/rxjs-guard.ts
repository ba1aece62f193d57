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
/** The first error of the running strategy code that RxJS swallowed and that `throwKept` has to throw. */
let kept: { readonly error: unknown } | undefined;

/**
 * Makes RxJS refuse to wait or to read the time by the machine's clock, for the whole process and for good. A strategy
 * that did either would decide differently in a backtest than live, and our own code has ports for both. A permanent
 * change costs nothing per event. In addition, an error that a strategy's own `subscribe` callback throws is thrown by
 * the event that caused it, like any other error of the strategy; RxJS would throw it later, out of a timer, where no
 * caller catches it.
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
  // RxJS uses `timeoutProvider.setTimeout` only to report errors that nobody handled.
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
 * Runs strategy code and then throws any error that RxJS swallowed: a refusal of `guardRxjs`, which RxJS passes to
 * subscribers that may ignore it, or an error of a subscriber that nobody handles.
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

/**
 * `guarded` in parts, for code that runs at every trade: this spares one call. Call `throwKept` after the code,
 * `endGuard` in a finally.
 */
export function beginGuard(): void {
  kept = undefined;
  isGuarded = true;
}

export function endGuard(): void {
  isGuarded = false;
}

/** Wraps handlers so that they throw at once when RxJS refused them the machine's clock. */
export function guardedHandlers(handlers: Handlers): Handlers {
  return aroundHandlers(handlers, (_, call) => (value) => guarded(call, value));
}

function refuse(): never {
  const { stackTraceLimit } = Error;
  // The stack must be deep enough to reach the strategy's own line below the frames of RxJS.
  Error.stackTraceLimit = 100;
  const error = new StrategyError(
    'TICKWRIGHT_E_SCHEDULER',
    "a strategy must pass context.scheduler to operators of RxJS that wait or read the time, received none: they would go by the machine's clock",
  );
  Error.stackTraceLimit = stackTraceLimit;
  if (isGuarded) kept ??= { error };
  throw error;
}

/** Throws the error that was kept since `beginGuard`, if any. */
export function throwKept(): void {
  if (kept === undefined) return;
  const { error } = kept;
  kept = undefined;
  throw error;
}
