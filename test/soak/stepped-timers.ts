import type { CancelTimer, Timers } from '../../src/ports/clock.js';
import { Scheduler } from '../../src/simulation/world/scheduler.js';

interface Waiting {
  task: (() => void) | undefined;
}

/**
 * A virtual clock that goes in steps, and its timers. As on any machine, what is due at one moment comes in one turn of
 * the event loop, each with its promises before the next; the time goes on when nothing is left that could happen.
 */
export class SteppedTimers implements Timers {
  readonly #stepMs: number;
  readonly #otherwise: () => boolean;
  readonly #scheduler: Scheduler;
  readonly #steps = new Map<number, Set<Waiting>>();
  /** Callbacks of the event loop that did not come yet. */
  #immediates = 0;
  #waiting = 0;
  /** Work outside of virtual time that is under way. */
  #outside = 0;
  #whenInside: (() => void) | undefined;

  /** `otherwise`: asked when nothing is left that could happen at this moment; whether there is something again. */
  constructor({ stepMs, otherwise }: { readonly stepMs: number; readonly otherwise?: () => boolean }) {
    this.#stepMs = stepMs;
    this.#otherwise = otherwise ?? (() => false);
    this.#scheduler = new Scheduler({ drain: () => this.#drain() });
  }

  /** Ms since the beginning. */
  get now(): number {
    return this.#scheduler.now;
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  runUntil(ms: number): Promise<void> {
    return this.#scheduler.runUntil(ms);
  }

  runUntilDone(done: () => boolean, ms: number): Promise<boolean> {
    return this.#scheduler.runUntilDone(done, ms);
  }

  after(ms: number, task: () => void): CancelTimer {
    const at = Math.ceil((this.now + Math.max(0, ms)) / this.#stepMs) * this.#stepMs;
    const step = this.#steps.get(at) ?? this.#begin(at);
    const waiting = this.#wait(task);
    step.add(waiting);
    return () => {
      step.delete(waiting);
      this.#take(waiting);
    };
  }

  soon(task: () => void): CancelTimer {
    const waiting = this.#wait(task);
    this.#immediately(waiting);
    return () => void this.#take(waiting);
  }

  /** For what sets no promise on its way: nothing is waited for. */
  quietly(ms: number, task: () => void): CancelTimer {
    const waiting = this.#wait(task);
    const scheduled = this.#scheduler.quietly(this.now + ms, () => this.#take(waiting)?.());
    return () => {
      scheduled.cancel();
      this.#take(waiting);
    };
  }

  /** Time stands still until `work` is done. */
  during(work: Promise<unknown>): void {
    this.#outside++;
    const over = () => {
      if (--this.#outside > 0) return;
      this.#whenInside?.();
      this.#whenInside = undefined;
    };
    work.then(over, over);
  }

  #begin(at: number): Set<Waiting> {
    const step = new Set<Waiting>();
    this.#steps.set(at, step);
    this.#scheduler.at(at, () => {
      this.#steps.delete(at);
      for (const waiting of step) this.#immediately(waiting);
    });
    return step;
  }

  #wait(task: () => void): Waiting {
    this.#waiting++;
    return { task };
  }

  /** Its task, if nobody did it or took it away. */
  #take(waiting: Waiting): (() => void) | undefined {
    const { task } = waiting;
    if (task !== undefined) this.#waiting--;
    waiting.task = undefined;
    return task;
  }

  #immediately(waiting: Waiting): void {
    this.#immediates++;
    setImmediate(() => {
      this.#immediates--;
      this.#take(waiting)?.();
    });
  }

  async #drain(): Promise<void> {
    do {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (this.#outside > 0) {
        await new Promise<void>((resolve) => {
          this.#whenInside = resolve;
        });
      }
    } while (this.#immediates > 0 || this.#outside > 0 || this.#otherwise());
  }
}
