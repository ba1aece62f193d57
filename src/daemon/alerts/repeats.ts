import type { CancelTimer, Timers } from '../../ports/clock.js';
import { type Alert, counted } from './alert.js';
import { Spells } from './spells.js';

export interface RepeatsOptions {
  readonly timers: Timers;
  /**
   * How long the same cause is not told again, ms; doubles each time that it goes on. For a state that flaps: how long it
   * must be quiet before its end is told.
   */
  readonly windowMs: number;
  readonly pass: (alert: Alert) => void;
}

interface Window {
  readonly ms: number;
  readonly cancel: CancelTimer;
  /** Alerts since the window began, which were not told. */
  count: number;
  newest: Alert;
}

const LONGEST_MS = 6 * 3_600_000;
/** Bound on causes that are tracked at once; a person cannot tell more apart. */
const MOST_KEYS = 200;

/** Tells a cause once, then only counts it, and tells the count when the window ends. States are handled by `Spells`. */
export class Repeats {
  readonly #options: RepeatsOptions;
  readonly #windows = new Map<string, Window>();
  readonly #spells: Spells;

  constructor(options: RepeatsOptions) {
    this.#options = options;
    this.#spells = new Spells(options);
  }

  take(alert: Alert): void {
    const { key, phase, forgets } = alert;
    if (forgets !== undefined) this.#forget(forgets);
    if (key === undefined) this.#options.pass(alert);
    else if (phase === 'event') this.#event(alert, key);
    else this.#spells[phase](alert, key);
  }

  close(): void {
    for (const { cancel } of this.#windows.values()) cancel();
    this.#windows.clear();
    this.#spells.close();
  }

  #event(alert: Alert, key: string): void {
    const window = this.#windows.get(key);
    if (window === undefined) this.#tell(alert, key, this.#options.windowMs);
    else {
      window.count++;
      window.newest = alert;
    }
  }

  #tell(alert: Alert, key: string, windowMs: number): void {
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
