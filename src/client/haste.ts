import type { BreakerPauses } from './circuit-breaker.js';

/** For calls that a person waits for, such as those of a stop: a lost request is given up and repeated early. */
export interface HasteOptions {
  /** How long a read or a cancel is waited for before it counts as lost, ms. A kind of call that is slow gets more time. */
  readonly answerMs: number;
  /**
   * Retries of reads as a fraction of all reads. It may be high,
   * since a program that makes few reads cannot load a venue.
   */
  readonly retryShare: number;
  /** Pauses of the breakers, shorter than those of a bot that runs for months, since the program ends soon either way. */
  readonly pauses: BreakerPauses;
  /** Monotonic ms at which the caller's time is over: a call that has had `answerMs` ends then. Default: no end. */
  readonly until?: number | undefined;
}

/** A wait without limit of its own, ms: only the deadline of the call ends it. */
export const PATIENT = Number.POSITIVE_INFINITY;

/**
 * How long one kind of call is waited for. An unanswered call may be lost or slow, so the next one gets twice as long, up to
 * its full deadline, until one is answered quickly again.
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

  /** How long to wait for a call that begins now (monotonic ms), ms. */
  waitMs(now: number): number {
    return now + this.#waitMs < this.#until ? this.#waitMs : PATIENT;
  }

  /** Monotonic ms at which a call that begins now ends at the latest. After `until` it still gets `answerMs`. */
  deadline(now: number, deadlineMs: number): number {
    return Math.min(now + deadlineMs, Math.max(this.#until, now + this.#answerMs));
  }

  answered(ms: number): void {
    if (ms <= this.#answerMs) this.#waitMs = this.#answerMs;
  }

  /** Notes a timeout. Returns true when the short wait ended the call, and not its own deadline. */
  timedOut(waitMs: number, deadlineMs: number): boolean {
    if (waitMs >= deadlineMs) return false;
    // Calls that began together time out together: their timeouts double the wait once, not once each.
    this.#waitMs = Math.max(this.#waitMs, 2 * waitMs);
    return true;
  }
}
