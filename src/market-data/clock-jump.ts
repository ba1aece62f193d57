import type { Clock } from '../ports/clock.js';

/** More than any correction of a clock that runs, ms. */
const TOLERANCE_MS = 2_000;
/** Looks closer together than this are held against the same earlier one, so that small steps add up, ms. */
const LEAST_APART_MS = 1_000;

/**
 * Finds a wall clock that was set and a machine that slept, by looking again and again (`reliability.md` row 57): the
 * monotonic clock stands still during sleep, so that ages measured by it alone would look young.
 */
export class ClockJump {
  readonly #clock: Clock;
  #difference: number;
  /** When the difference was this, monotonic ms. */
  #at: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.monotonic();
    this.#difference = clock.wall() - this.#at;
  }

  /** How far the wall clock has gone beyond the monotonic one since it was held against it, ms; 0 for less than 2 s. */
  look(): number {
    const now = this.#clock.monotonic();
    const difference = this.#clock.wall() - now;
    const jumped = difference - this.#difference;
    const isJump = Math.abs(jumped) > TOLERANCE_MS;
    if (isJump || now - this.#at >= LEAST_APART_MS) {
      this.#difference = difference;
      this.#at = now;
    }
    return isJump ? jumped : 0;
  }
}
