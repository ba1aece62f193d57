import type { Clock } from '../ports/clock.js';

/** More than a time service ever corrects a running clock by, ms. */
const TOLERANCE_MS = 2_000;
/** Looks closer together than this, ms, are compared with the same earlier look, so that small steps add up. */
const LEAST_APART_MS = 1_000;

/**
 * Detects that the wall clock was set or the machine was suspended, by repeated looks (`reliability.md` row 57). The
 * monotonic clock stands still during a suspend, so ages measured by it alone would come out too small.
 */
export class ClockJump {
  readonly #clock: Clock;
  #difference: number;
  /** Monotonic ms at which `#difference` was measured. */
  #at: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.monotonic();
    this.#difference = clock.wall() - this.#at;
  }

  /** How far the wall clock has moved against the monotonic clock since the reference look, ms, signed; 0 for up to 2 s. */
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
