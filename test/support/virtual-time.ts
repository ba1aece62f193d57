import type { CancelTimer, Clock, Timers } from '../../src/ports/clock.js';

interface Task {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock that moves only when a test says so, and the timers that hang on it. */
export class VirtualTime {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly #wallOrigin: number;
  readonly #tasks = new Set<Task>();
  #now = 0;
  #order = 0;

  constructor(wallOrigin = 1_700_000_000_000) {
    this.#wallOrigin = wallOrigin;
    this.clock = { wall: () => Math.floor(this.#wallOrigin + this.#now), monotonic: () => this.#now };
    this.timers = { after: (ms, task) => this.#after(ms, task), soon: (task) => this.#after(0, task) };
  }

  /** Ms since the start. */
  get now(): number {
    return this.#now;
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#tasks.size;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#after(ms, resolve);
    });
  }

  /** Lets `ms` go by: every timer at its time, in order, and all that its promises bring before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settled();
      const next = this.#next();
      if (next === undefined || next.due > end) break;
      this.#tasks.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = end;
  }

  /** Lets time go by until the promise is settled; throws when `limitMs` was not enough. */
  async until<T>(promise: Promise<T>, limitMs = 600_000): Promise<T> {
    const end = this.#now + limitMs;
    let done = false;
    const watched = promise.finally(() => (done = true));
    watched.catch(() => undefined);
    for (;;) {
      await settled();
      if (done) return watched;
      const next = this.#next();
      if (next === undefined || next.due > end)
        throw new Error(`nothing settles the promise within ${limitMs} ms`);
      this.#tasks.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
  }

  #next(): Task | undefined {
    let first: Task | undefined;
    for (const task of this.#tasks) {
      if (
        first === undefined ||
        task.due < first.due ||
        (task.due === first.due && task.order < first.order)
      ) {
        first = task;
      }
    }
    return first;
  }

  #after(ms: number, run: () => void): CancelTimer {
    const task: Task = { due: this.#now + Math.max(0, ms), order: this.#order++, run };
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }
}

/** After every promise that can settle without time going by. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
