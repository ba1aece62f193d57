import type { TimerView } from '../strategy/context.js';

/** Timers on event time: due when the feed has covered their time, in order of time, then of being set. */
export class EventTimers {
  readonly #timers = new Map<string, number>();
  /** Earliest due time; Infinity when there is none. */
  nextTime = Number.POSITIVE_INFINITY;

  set(name: string, time: number): void {
    this.#timers.delete(name);
    this.#timers.set(name, time);
    this.#refresh();
  }

  clear(name: string): void {
    this.#timers.delete(name);
    this.#refresh();
  }

  /** Takes the earliest timer out. */
  take(): TimerView | undefined {
    for (const [name, time] of this.#timers) {
      if (time !== this.nextTime) continue;
      this.clear(name);
      return { name, time };
    }
    return undefined;
  }

  #refresh(): void {
    this.nextTime = Math.min(Number.POSITIVE_INFINITY, ...this.#timers.values());
  }
}
