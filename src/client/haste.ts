import type { BreakerPauses } from './circuit-breaker.js';

/** For calls that somebody waits for, as a stop: what is lost on the way is not waited for as long as it might take. */
export interface HasteOptions {
  /** For the answer to a read or a cancel, before it is taken for lost, ms. What the venue is slow at gets all its time. */
  readonly answerMs: number;
  /** How many reads may be asked again, as a share of all: one that waits for a few cannot load a venue. */
  readonly retryShare: number;
  /** Shorter than those of who runs for months: its calls are over soon either way. */
  readonly pauses: BreakerPauses;
  /** Monotonic ms: who waits has no more time then, and no call lasts longer that has had `answerMs`. Default: no end. */
  readonly until?: number | undefined;
}

/** A wait that only the deadline of the call ends, ms. */
export const PATIENT = Number.POSITIVE_INFINITY;

/**
 * How long one kind of call is waited for. What was not answered in time may be lost or slow: the next call has twice as
 * long, up to all its time, until one is answered in haste again.
 */
export class Haste {
  readonly #answerMs: number;
  readonly #until: number;
  #waitMs: number;

  constructor(options: HasteOptions | undefined) {
    this.#answerMs = options?.answerMs ?? PATIENT;
    this.#until = options?.until ?? Number.POSITIVE_INFINITY;
    this.#waitMs = this.#answerMs;
  }

  /** At most so long for what is asked now, ms. */
  waitMs(now: number): number {
    return now + this.#waitMs < this.#until ? this.#waitMs : PATIENT;
  }

  /** When a call is over that is asked now. After `until` it has the least that it may have. */
  deadline(now: number, deadlineMs: number): number {
    return Math.min(now + deadlineMs, Math.max(this.#until, now + this.#answerMs));
  }

  answered(ms: number): void {
    if (ms <= this.#answerMs) this.#waitMs = this.#answerMs;
  }

  /** True when it was haste that ended the call, and not its own deadline. */
  timedOut(waitMs: number, deadlineMs: number): boolean {
    if (waitMs >= deadlineMs) return false;
    // Several calls that were begun together are one observation.
    this.#waitMs = Math.max(this.#waitMs, 2 * waitMs);
    return true;
  }
}
