import { UsageError } from '../model/errors.js';
import type { Clock } from '../ports/clock.js';

export interface VenueClockOptions {
  readonly clock: Clock;
  /** Venue ms at which the clock starts, such as a tape's first print; default: the system's time. */
  readonly origin?: number | undefined;
  /** Venue ms per ms of the system's monotonic clock, above 0; default 1. */
  readonly speed?: number | undefined;
  /** Venue ms at which the clock stops, such as a tape's last print; default: never. */
  readonly endTime?: number | undefined;
}

/**
 * The only clock of a venue: origin + (monotonic − start) × speed − what the market could not keep up with, in whole
 * ms, at most `endTime`. `/time`, every `time`, `recv_window` and the `Date` header use it (`dialect.md` §8).
 */
export class VenueClock {
  readonly speed: number;
  readonly #clock: Clock;
  readonly #origin: number;
  readonly #start: number;
  readonly #end: number;
  /** Venue ms that the clock skipped because the machine could not keep up. */
  #lost = 0;

  constructor({ clock, origin, speed = 1, endTime = Number.POSITIVE_INFINITY }: VenueClockOptions) {
    if (!(Number.isFinite(speed) && speed > 0)) {
      throw new UsageError('TICKWRIGHT_E_SPEED', `speed must be a number above 0, received ${speed}`);
    }
    this.speed = speed;
    this.#clock = clock;
    this.#origin = Math.floor(origin ?? clock.wall());
    this.#start = clock.monotonic();
    this.#end = endTime;
  }

  /** Venue time, whole ms since the epoch. */
  now(): number {
    return Math.min(this.#origin + Math.floor(this.#elapsed), this.#end);
  }

  /** Sets the clock back to `time`, because the machine could not process what lies between that and `now()`. */
  goOnFrom(time: number): void {
    this.#lost += this.#origin + this.#elapsed - time;
  }

  /** Venue ms since the start. */
  get #elapsed(): number {
    return (this.#clock.monotonic() - this.#start) * this.speed - this.#lost;
  }

  /** Venue time stands still: the end of the tape was reached. */
  get stopped(): boolean {
    return this.now() >= this.#end;
  }
}
