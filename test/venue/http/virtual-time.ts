import type { CancelTimer, Clock, Timers } from '../../../src/ports/clock.js';

/** Time that moves only when told: `advance` fires what is due, in order. */
export class VirtualTime implements Clock, Timers {
  #now: number;
  readonly #due: { at: number; task: () => void; isCancelled: boolean }[] = [];

  constructor(now = 1_723_100_000_000) {
    this.#now = now;
  }

  wall(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - 1_000;
  }

  after(ms: number, task: () => void): CancelTimer {
    const timer = { at: this.#now + ms, task, isCancelled: false };
    this.#due.push(timer);
    return () => {
      timer.isCancelled = true;
    };
  }

  soon(task: () => void): CancelTimer {
    return this.after(0, task);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      this.#due.sort((a, b) => a.at - b.at);
      const first = this.#due[0];
      if (first === undefined || first.at > end) break;
      this.#due.shift();
      this.#now = Math.max(this.#now, first.at);
      if (!first.isCancelled) first.task();
    }
    this.#now = end;
  }

  get waiting(): number {
    return this.#due.filter(({ isCancelled }) => !isCancelled).length;
  }
}
