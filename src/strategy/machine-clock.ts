import { config } from 'rxjs';
// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
// oxlint-disable-next-line no-restricted-imports -- because RxJS keeps its clock here, and has no other door to it
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { StrategyError } from '../model/errors.js';
import { HANDLER_NAMES, type Handlers } from './definition.js';

let installed = false;
let refusal: StrategyError | undefined;
/** Refusals that a strategy's subscriber did not take, and that were thrown where the strategy ran. */
const thrown = new WeakSet<StrategyError>();

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
    if (error instanceof StrategyError && thrown.has(error)) return;
    if (onUnhandledError === null) throw error;
    onUnhandledError(error);
  };
}

/**
 * Runs strategy code, and throws what `refuseMachineClock` refused of it: RxJS gives such errors to subscribers, which
 * may drop them, and throws those that nobody takes much later.
 */
export function guarded<T, R>(run: (value: T) => R, value: T): R {
  refusal = undefined;
  const answer = run(value);
  throwRefusal();
  return answer;
}

/** Handlers that throw at once where RxJS was refused the machine's clock. */
export function guardedHandlers(handlers: Handlers): Handlers {
  const names = HANDLER_NAMES.filter((name) => handlers[name] !== undefined);
  return Object.fromEntries(
    names.map((name) => {
      const call = handlers[name] as (this: Handlers, value: unknown) => unknown;
      const run = (value: unknown) => call.call(handlers, value);
      return [name, (value: unknown) => guarded(run, value)];
    }),
  );
}

function refuse(): never {
  const { stackTraceLimit } = Error;
  // RxJS's own calls must not push the strategy's line out of the stack.
  Error.stackTraceLimit = 100;
  refusal = new StrategyError(
    'TICKWRIGHT_E_SCHEDULER',
    "a strategy must pass context.scheduler to operators of RxJS that wait or read the time, received none: they would go by the machine's clock",
  );
  Error.stackTraceLimit = stackTraceLimit;
  throw refusal;
}

function throwRefusal(): void {
  if (refusal === undefined) return;
  const error = refusal;
  refusal = undefined;
  thrown.add(error);
  throw error;
}
