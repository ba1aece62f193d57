import { UsageError } from '../model/errors.js';
import type { Clock } from '../ports/clock.js';

export interface VenueClockOptions {
  readonly clock: Clock;
  /** Venue ms at which the clock starts: a tape's first print; default the system's time. */
  readonly origin?: number | undefined;
  /** Venue ms per ms of the system's monotonic clock, above 0; default 1. */
  readonly speed?: number | undefined;
  /** The clock stops here: a tape's last print. Default: never. */
  readonly endTime?: number | undefined;
}

/**
 * The one clock of a venue: origin + (monotonic − start) × speed, in whole ms, capped at the end of a tape, and less what
 * the market could not keep up with. `/time`, every `time`, `recv_window` and the `Date` header are read from it (`dialect.md` §8).
 */
export class VenueClock {
  readonly speed: number;
  readonly #clock: Clock;
  readonly #origin: number;
  readonly #start: number;
  readonly #end: number;
  /** Venue ms that were never lived through. */
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

  /** It goes on from this time, not after `now`: what lies between was too much for this machine. */
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
