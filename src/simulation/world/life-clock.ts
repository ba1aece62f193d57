import type { Clock } from '../../ports/clock.js';
import { GRAIN_MS, type Scheduler } from './scheduler.js';

export interface LifeClockOptions {
  /** Venue time at which the world began, ms. */
  readonly worldStart: number;
  readonly wallOffsetMs: number;
  readonly driftPpm: number;
}

/** The clocks of a machine as one process sees them: they may be wrong, run fast or slow, be set, or stand still. */
export class LifeClock implements Clock {
  readonly #scheduler: Scheduler;
  readonly #birth: number;
  readonly #rate: number;
  #wallAtBirth: number;
  /** How long the monotonic clock has stood still, without the current suspension, ms. */
  #stopped = 0;
  #suspension: { readonly from: number; until: number; readonly stops: boolean } | undefined;
  #frozenAt = Number.POSITIVE_INFINITY;

  constructor(scheduler: Scheduler, { worldStart, wallOffsetMs, driftPpm }: LifeClockOptions) {
    this.#scheduler = scheduler;
    this.#birth = scheduler.now;
    this.#rate = 1 + driftPpm / 1e6;
    this.#wallAtBirth = worldStart + scheduler.now + wallOffsetMs;
  }

  wall(): number {
    return Math.floor(this.#wallAtBirth + (this.#now() - this.#birth) * this.#rate);
  }

  /** Monotonic time since the birth of the process, ms. */
  monotonic(): number {
    const now = this.#now();
    const { stops, from, until } = this.#suspension ?? NO_SUSPENSION;
    const stopped = this.#stopped + (stops ? Math.min(now, until) - from : 0);
    return (now - this.#birth - stopped) * this.#rate;
  }

  /** The world's time at which a task that waits for a monotonic time can run; at least the current time. */
  readyAt(due: number): number {
    const { now } = this.#scheduler;
    const { until } = this.#suspension ?? NO_SUSPENSION;
    if (until > now) return until;
    const missing = due - this.monotonic();
    if (missing <= 0) return now;
    // Drift leads to times between the grains of the scheduler. Rounding up avoids that the task is checked too early.
    return now + missing / this.#rate + (this.#rate === 1 ? 0 : GRAIN_MS);
  }

  jumpWall(ms: number): void {
    this.#wallAtBirth += ms;
  }

  /** Suspends the process. `stops`: its monotonic clock stands still as well. Extends a suspension that is under way. */
  suspend(ms: number, stops: boolean): void {
    const { now } = this.#scheduler;
    const current = this.#suspension;
    if (current !== undefined && current.until > now) {
      current.until += ms;
      return;
    }
    if (current?.stops === true) this.#stopped += current.until - current.from;
    this.#suspension = { from: now, until: now + ms, stops };
  }

  /** Keeps showing the current time for ever, because the process is dead. */
  freeze(): void {
    this.#frozenAt = this.#scheduler.now;
  }

  #now(): number {
    return Math.min(this.#scheduler.now, this.#frozenAt);
  }
}

const NO_SUSPENSION = { stops: false, from: 0, until: 0 } as const;
