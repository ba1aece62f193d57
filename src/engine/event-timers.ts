import type { TimerView } from '../strategy/context.js';

/**
 * Timers on event time: each is due once the feed has covered
 * its time; earliest first, equal times in the order of setting.
 */
export class EventTimers {
  readonly #timers = new Map<string, number>();
  readonly #early = new Set<string>();
  /** Earliest due time; Infinity when there is none. */
  nextTime = Number.POSITIVE_INFINITY;

  /** `set` before the first event: `begin` then moves a time that lies before that event. */
  setEarly(name: string, time: number): void {
    this.set(name, time);
    this.#early.add(name);
  }

  set(name: string, time: number): void {
    this.clear(name);
    this.#early.delete(name);
    this.#timers.set(name, time);
    if (time < this.nextTime) this.nextTime = time;
  }

  clear(name: string): void {
    const time = this.#timers.get(name);
    this.#timers.delete(name);
    // Only the loss of the earliest timer requires a search for the next one.
    if (time === this.nextTime) this.#refresh();
  }

  /** The first event has come: a timer that was set earlier, for a time before `time`, becomes due at `time`. */
  begin(time: number): void {
    for (const name of this.#early) {
      const due = this.#timers.get(name);
      if (due !== undefined && due < time) this.#timers.set(name, time);
    }
    this.#early.clear();
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
    // Not `Math.min(...)`: the arguments of a call are limited to some hundred thousand.
    let next = Number.POSITIVE_INFINITY;
    for (const time of this.#timers.values()) if (time < next) next = time;
    this.nextTime = next;
  }
}
