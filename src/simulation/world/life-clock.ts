import type { Clock } from '../../ports/clock.js';
import { GRAIN_MS, type Scheduler } from './scheduler.js';

export interface LifeClockOptions {
  /** Venue time at which the world began, ms. */
  readonly worldStart: number;
  readonly wallOffsetMs: number;
  readonly driftPpm: number;
}

/** What the clocks of a machine show to one process: off, running fast or slow, set, standing still. */
export class LifeClock implements Clock {
  readonly #scheduler: Scheduler;
  readonly #birth: number;
  readonly #rate: number;
  #wallAtBirth: number;
  /** The monotonic clock has stood still so long, without the suspension that goes on now. */
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

  /** From 0 at birth. */
  monotonic(): number {
    const now = this.#now();
    const { stops, from, until } = this.#suspension ?? NO_SUSPENSION;
    const stopped = this.#stopped + (stops ? Math.min(now, until) - from : 0);
    return (now - this.#birth - stopped) * this.#rate;
  }

  /** When whoever waits for a monotonic time may run, in the world's time: at once if that is not above now. */
  readyAt(due: number): number {
    const { now } = this.#scheduler;
    const { until } = this.#suspension ?? NO_SUSPENSION;
    if (until > now) return until;
    const missing = due - this.monotonic();
    if (missing <= 0) return now;
    // Drift makes fractions that no grain meets: rather a grain too late than one look too many.
    return now + missing / this.#rate + (this.#rate === 1 ? 0 : GRAIN_MS);
  }

  jumpWall(ms: number): void {
    this.#wallAtBirth += ms;
  }

  /** `stops`: the monotonic clock stands still too. What is asked for during a suspension makes it longer. */
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

  /** It shows what it shows now for ever: its process is dead. */
  freeze(): void {
    this.#frozenAt = this.#scheduler.now;
  }

  #now(): number {
    return Math.min(this.#scheduler.now, this.#frozenAt);
  }
}

const NO_SUSPENSION = { stops: false, from: 0, until: 0 } as const;
