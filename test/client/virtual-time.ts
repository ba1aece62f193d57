import type { Clock, Timers } from '../../src/ports/clock.js';

interface Entry {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that moves when it is told, and timers that fire on it in order of time. */
export class VirtualTime implements Clock, Timers {
  #now: number;
  #queue: Entry[] = [];

  constructor(start = 0) {
    this.#now = start;
  }

  wall(): number {
    return 1_700_000_000_000 + this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, task: () => void): () => void {
    const entry = { at: this.#now + ms, task };
    this.#queue.push(entry);
    return () => {
      this.#queue = this.#queue.filter((other) => other !== entry);
    };
  }

  soon(task: () => void): () => void {
    return this.after(0, task);
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Moves on by `ms`, firing what becomes due, and lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    // What is ready goes before time does.
    await settled();
    for (;;) {
      const next = this.#queue.reduce<Entry | undefined>(
        (first, entry) => (entry.at <= end && (first === undefined || entry.at < first.at) ? entry : first),
        undefined,
      );
      if (next === undefined) break;
      this.#queue = this.#queue.filter((entry) => entry !== next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
      await settled();
    }
    // Another advance may have overtaken this one; time never goes back.
    this.#now = Math.max(this.#now, end);
    await settled();
  }
}

/** Lets everything that waits only for promises go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
