import type { Clock } from '../ports/clock.js';

/** More than any correction of a clock that runs, ms. */
const TOLERANCE_MS = 2_000;

/**
 * Finds a wall clock that was set and a machine that slept, by looking again and again (`reliability.md` row 57): the
 * monotonic clock stands still during sleep, so that ages measured by it alone would look young.
 */
export class ClockJump {
  readonly #clock: Clock;
  #difference: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#difference = clock.wall() - clock.monotonic();
  }

  /** How far the wall clock has gone beyond the monotonic one since the last look, ms; 0 for less than 2 s. */
  look(): number {
    const difference = this.#clock.wall() - this.#clock.monotonic();
    const jumped = difference - this.#difference;
    this.#difference = difference;
    return Math.abs(jumped) > TOLERANCE_MS ? jumped : 0;
  }
}
