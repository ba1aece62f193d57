import type { CancelTimer, Timers } from '../../ports/clock.js';
import type { Alert } from './alert.js';

export interface RepeatsOptions {
  readonly timers: Timers;
  /** How long the same cause is not told again, ms; each time it did go on, for twice as long. */
  readonly windowMs: number;
  readonly pass: (alert: Alert) => void;
}

interface Window {
  readonly ms: number;
  readonly cancel: CancelTimer;
  /** Not told since the window began. */
  count: number;
  newest: Alert;
}

const LONGEST_MS = 6 * 3_600_000;
/** More causes at a time than a person can tell apart. */
const MOST_KEYS = 200;

/** Tells a cause once, counts it from then on, and says the count when the time is over. An end is told where its beginning was. */
export class Repeats {
  readonly #options: RepeatsOptions;
  readonly #windows = new Map<string, Window>();
  /** States whose beginning was told and whose end was not. */
  readonly #open = new Set<string>();

  constructor(options: RepeatsOptions) {
    this.#options = options;
  }

  take(alert: Alert): void {
    const { key, phase, forgets } = alert;
    if (forgets !== undefined) this.#forget(forgets);
    if (key === undefined) {
      this.#options.pass(alert);
      return;
    }
    const window = this.#windows.get(key);
    if (phase === 'end') this.#end(alert, key, window);
    else if (window !== undefined) {
      window.count++;
      window.newest = alert;
    } else if (!this.#open.has(key)) this.#tell(alert, key, this.#options.windowMs);
  }

  close(): void {
    for (const { cancel } of this.#windows.values()) cancel();
    this.#windows.clear();
    this.#open.clear();
  }

  #end(alert: Alert, key: string, window: Window | undefined): void {
    if (this.#open.delete(key)) {
      const count = window?.count ?? 0;
      if (window !== undefined) window.count = 0;
      this.#options.pass(count === 0 ? alert : counted(alert, count));
    } else if (window !== undefined && window.count > 0) window.newest = alert;
  }

  #tell(alert: Alert, key: string, windowMs: number): void {
    if (alert.phase === 'begin') this.#open.add(key);
    this.#watch(alert, key, windowMs);
    this.#options.pass(alert);
  }

  #watch(newest: Alert, key: string, ms: number): void {
    if (this.#windows.size >= MOST_KEYS) this.#drop(this.#windows.keys().next().value as string);
    const cancel = this.#options.timers.after(ms, () => this.#over(key));
    this.#windows.set(key, { ms, cancel, count: 0, newest });
  }

  #over(key: string): void {
    const window = this.#windows.get(key);
    this.#windows.delete(key);
    if (window === undefined || window.count === 0) return;
    this.#tell(counted(window.newest, window.count), key, Math.min(2 * window.ms, LONGEST_MS));
  }

  #forget(prefix: string): void {
    for (const key of this.#windows.keys()) if (key.startsWith(prefix)) this.#drop(key);
  }

  #drop(key: string): void {
    this.#windows.get(key)?.cancel();
    this.#windows.delete(key);
  }
}

function counted(alert: Alert, count: number): Alert {
  const times = count === 1 ? 'once more' : `${count} times more`;
  return { ...alert, lines: [...alert.lines, `it happened ${times} since the last alert of it`] };
}
