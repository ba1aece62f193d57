import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log, LogFields } from '../ports/log.js';

export interface LogRepeatsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Timers that do not keep the process alive. */
  readonly timers: Timers;
  /** Lines of one message that may pass in a minute; the rest is counted. */
  readonly perMinute?: number;
}

type Level = 'info' | 'warn' | 'error';

interface Window {
  readonly level: Level;
  readonly message: string;
  readonly until: number;
  lines: number;
}

const PER_MINUTE = 60;
const MINUTE_MS = 60_000;
/** Messages should be constant texts. If one varies, the table must not grow without bound. */
const MOST_MESSAGES = 500;
const OTHERS = 'other messages';

/**
 * Limits the lines of each message per minute, and tells how many were left out. Debug lines always pass, because they
 * are on only when somebody wants them.
 */
export function limitRepeats(log: Log, options: LogRepeatsOptions): Log {
  const { clock, timers, perMinute = PER_MINUTE } = options;
  const windows = new Map<string, Window>();
  let cancel: CancelTimer | undefined;

  const limited = (level: Level) => (message: string, fields?: LogFields) => {
    const now = clock.monotonic();
    const known = windows.get(keyOf(level, message));
    if (known !== undefined && now >= known.until) close(known);
    const window = windows.get(keyOf(level, message)) ?? open(level, message, now);
    if (window.lines++ < perMinute) log[level](message, fields);
  };
  return {
    debug: (message, fields) => log.debug(message, fields),
    info: limited('info'),
    warn: limited('warn'),
    error: limited('error'),
  };

  function open(level: Level, given: string, now: number): Window {
    const isFull = windows.size >= MOST_MESSAGES;
    const message = isFull ? OTHERS : given;
    const key = keyOf(level, message);
    const there = windows.get(key);
    if (there !== undefined) return there;
    const window = { level, message, until: now + MINUTE_MS, lines: 0 };
    windows.set(key, window);
    cancel ??= timers.after(MINUTE_MS, sweep);
    return window;
  }

  function close(window: Window): void {
    const { level, message, lines } = window;
    windows.delete(keyOf(level, message));
    if (lines > perMinute) log[level]('log lines were left out', { of: message, count: lines - perMinute });
  }

  /** Tells a pending count even if its message never occurs again. */
  function sweep(): void {
    cancel = undefined;
    const now = clock.monotonic();
    for (const window of windows.values()) if (now >= window.until) close(window);
    if (windows.size > 0) cancel = timers.after(MINUTE_MS, sweep);
  }
}

function keyOf(level: Level, message: string): string {
  return `${level} ${message}`;
}
