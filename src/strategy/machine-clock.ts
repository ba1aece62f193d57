import { config } from 'rxjs';
// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { StrategyError } from '../model/errors.js';
import { aroundHandlers, type Handlers } from './definition.js';

let installed = false;
let isGuarded = false;
/** The first one of the strategy code that runs. */
let refusal: StrategyError | undefined;
/** Refusals of code that is guarded: whoever runs it hears of them, so RxJS need not tell them once more. */
const told = new WeakSet<StrategyError>();

/**
 * From now on RxJS neither waits nor reads the time by the machine's clock, for anybody in this process: a strategy
 * that did would decide differently in a backtest than live, and our own code has ports for both. It is done for good,
 * not while a strategy runs, so that it costs nothing per event.
 */
export function refuseMachineClock(): void {
  if (installed) return;
  installed = true;
  Object.assign(intervalProvider, { delegate: { setInterval: refuse } });
  Object.assign(immediateProvider, { delegate: { setImmediate: refuse } });
  Object.assign(dateTimestampProvider, { delegate: { now: refuse } });
  const { onUnhandledError } = config;
  config.onUnhandledError = (error: unknown) => {
    if (error instanceof StrategyError && told.has(error)) return;
    if (onUnhandledError === null) throw error;
    onUnhandledError(error);
  };
}

/**
 * Runs strategy code, and throws what `refuseMachineClock` refused of it: RxJS gives such errors to subscribers, which
 * may drop them, and throws those that nobody takes much later.
 */
export function guarded<T, R>(run: (value: T) => R, value: T): R {
  beginGuard();
  try {
    const answer = run(value);
    throwRefusal();
    return answer;
  } finally {
    endGuard();
  }
}

/** `guarded` in parts, for what runs at every trade: a call less. `throwRefusal` when it ran, `endGuard` in any case. */
export function beginGuard(): void {
  refusal = undefined;
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
  if (isGuarded) {
    refusal ??= error;
    told.add(error);
  }
  throw error;
}

/** Throws what was refused since `beginGuard`. */
export function throwRefusal(): void {
  if (refusal === undefined) return;
  const error = refusal;
  refusal = undefined;
  throw error;
}
