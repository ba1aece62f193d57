import type { TimerView } from '../strategy/context.js';

/** Timers on event time: due when the feed has covered their time, in order of time, then of being set. */
export class EventTimers {
  readonly #timers = new Map<string, number>();
  readonly #early = new Set<string>();
  /** Earliest due time; Infinity when there is none. */
  nextTime = Number.POSITIVE_INFINITY;

  /** `set` before the first event, of which `begin` tells. */
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
    // All are looked through only where the earliest has gone.
    if (time === this.nextTime) this.#refresh();
  }

  /** The first event has come: what was set before it, and for a time before it, is due with it. */
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
    // Not as arguments of one call, which has room for some hundred thousand.
    let next = Number.POSITIVE_INFINITY;
    for (const time of this.#timers.values()) if (time < next) next = time;
    this.nextTime = next;
  }
}
