/**
 * Sources of non-determinism that a strategy could reach, by which two runs on the same events could differ. A strategy
 * that uses one is refused at loading, so that backtest, paper, live and replay give the same run.
 */

/** The replacement to suggest, by what the user wanted. */
const INSTEAD = {
  time: 'take the time from context.now',
  calendar: 'read calendars in UTC, from a time: new Date(context.now).getUTCHours(), Date.UTC(…)',
  random: 'take random numbers from context.random',
  timers: 'wait by context.setTimer and onTimer',
  synchronous: 'answer synchronously, from onTrade, onBar … alone',
  network: 'decide by the events that it is given, without a network',
  machine: 'decide by its parameters and events, not by the machine that it runs on',
  locale: 'not depend on the language and time zone of the machine',
  memory: 'not depend on when memory is collected or shared',
  names: 'name what it uses, so that it can be checked',
  classes:
    'name its classes, as in new Bot() or x instanceof Bot (x.constructor.name and x.constructor === Bot are fine too), since a constructor that is taken from an object can make code of texts',
  words: 'use another word for its keys and texts, since as a key this one leads to what makes code of texts',
  math: 'use Math by its members, as in Math.max(a, b), and context.random for random numbers',
  rxjs: 'pass context.scheduler to operators that wait, and take the time from context.now',
  tries: 'wait between tries by delay: () => timer(ms, context.scheduler)',
} as const;

export type Instead = keyof typeof INSTEAD;

/** A use of such a source in generated code. */
export interface FoundEscape {
  /** Offset in the code. */
  readonly at: number;
  /** The name as the user wrote it. */
  readonly name: string;
  readonly instead: Instead;
}

export function insteadText(instead: Instead): string {
  return INSTEAD[instead];
}

/** Global names that no strategy may use freely. `Date` and `Math` have rules of their own. */
export const REFUSED_GLOBALS: Readonly<Record<string, Instead>> = {
  ...named('time', 'performance Temporal Event CustomEvent File'),
  ...named('time', 'Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver'),
  ...named('random', 'crypto Crypto'),
  ...named(
    'timers',
    'setTimeout setInterval setImmediate queueMicrotask clearTimeout clearInterval clearImmediate',
    'requestAnimationFrame cancelAnimationFrame requestIdleCallback',
  ),
  ...named('synchronous', 'Promise AbortSignal Blob ReadableStream'),
  ...named(
    'network',
    'fetch WebSocket WebSocketStream EventSource XMLHttpRequest Request Response navigator',
  ),
  ...named('machine', 'process require module __dirname __filename localStorage sessionStorage Storage gc'),
  ...named('locale', 'Intl'),
  ...named(
    'memory',
    'WeakRef FinalizationRegistry SharedArrayBuffer Atomics Worker SharedWorker MessageChannel MessagePort BroadcastChannel',
  ),
  ...named('names', 'globalThis global self window eval Function'),
};

/** Names of RxJS that are bound to the machine's clock, or turn values into promises. */
export const REFUSED_OF_RXJS: readonly string[] = [
  'Scheduler',
  'animationFrame',
  'animationFrameScheduler',
  'animationFrames',
  'asap',
  'asapScheduler',
  'async',
  'asyncScheduler',
  'firstValueFrom',
  'lastValueFrom',
  'publishReplay',
  'queue',
  'queueScheduler',
];

/**
 * Operators of RxJS that wait or read the time by the machine's clock unless they get a scheduler; the value is the
 * position of that argument.
 */
export const WAITING_OF_RXJS: ReadonlyMap<string, number | 'last'> = new Map<string, number | 'last'>([
  ['auditTime', 1],
  ['bufferTime', 'last'],
  ['debounceTime', 1],
  ['delay', 1],
  ['interval', 1],
  ['sampleTime', 1],
  ['throttleTime', 1],
  ['timeInterval', 0],
  ['timeout', 1],
  ['timeoutWith', 2],
  ['timer', 'last'],
  ['timestamp', 0],
  ['windowTime', 'last'],
]);

/**
 * Operators of RxJS that wait between tries by the machine's clock when `delay` is a number; a function may wait by
 * another clock.
 */
export const TRYING_OF_RXJS: readonly string[] = ['repeat', 'retry'];

/**
 * Parts of RxJS that keep values for a time by the machine's clock unless they get one; arguments: size, window, clock.
 */
export const REPLAYING_OF_RXJS: readonly string[] = ['ReplaySubject', 'shareReplay'];

const PURE_BUILTINS =
  /^(?:node:)?(?:assert(?:\/strict)?|path(?:\/\w+)?|punycode|querystring|string_decoder|url|util(?:\/types)?)$/;

/** Why a strategy may not import this; `undefined`: it may. `builtin`: the name is one of Node's own. */
export function refusedImport(path: string, builtin: boolean): Instead | undefined {
  if (builtin) {
    if (PURE_BUILTINS.test(path)) return undefined;
    if (/crypto/.test(path)) return 'random';
    if (/timers|perf_hooks/.test(path)) return 'timers';
    return /^(?:node:)?(?:https?2?|net|tls|dgram|dns)(?:\/|$)/.test(path) ? 'network' : 'machine';
  }
  if (/^rxjs\/(?:ajax|fetch|webSocket)$/.test(path)) return 'network';
  return /^rxjs\/(?!operators$)/.test(path) ? 'rxjs' : undefined;
}

function named(instead: Instead, ...names: readonly string[]): Readonly<Record<string, Instead>> {
  return Object.fromEntries(names.flatMap((list) => list.split(' ')).map((name) => [name, instead]));
}
