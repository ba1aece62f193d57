import type { VenueProfile } from './profile.js';
import type { Stamp } from './stamp.js';
import type { VenueClockEstimate } from './venue-clock.js';

/** The part of the receive window that not knowing the venue's clock may use up. */
const CLOCK_SHARE = 0.25;

/** Says when a request was made, in the venue's time, so that the venue can refuse to execute it late. */
export class Stamper {
  readonly #profile: VenueProfile;
  readonly #clock: VenueClockEstimate;
  #doubted = false;

  constructor(profile: VenueProfile, clock: VenueClockEstimate) {
    this.#profile = profile;
    this.#clock = clock;
  }

  /** The earliest moment it can be: a timestamp from the future is refused, an old one has its window. */
  stamp(): Stamp {
    const windowMs = this.#windowMs();
    const clock = this.#clock;
    // Where too little is known for that, as old as it may be.
    const timestamp = clock.errorMs() <= windowMs ? clock.earliest() : clock.now() - windowMs;
    return { timestamp: Math.floor(timestamp), recvWindowMs: windowMs };
  }

  /** True when a stamp can be made at once. */
  get isReady(): boolean {
    return !this.#doubted && this.#isKnown();
  }

  /** Why no request that carries a timestamp may go; asks for the time first when it is not known well enough. */
  async trouble(): Promise<string | undefined> {
    if (this.isReady) return undefined;
    try {
      await this.#clock.sync();
      this.#doubted = false;
    } catch (error) {
      return `the venue's clock is not known: ${(error as Error).message}`;
    }
    if (this.#isKnown()) return undefined;
    return (
      `the venue's clock must be known within ${this.#windowMs() * CLOCK_SHARE} ms, ` +
      `received ± ${Math.ceil(this.#clock.errorMs())} ms`
    );
  }

  /** The venue found a stamp too old or too new: its clock is asked for before the next. */
  doubt(): void {
    this.#doubted = true;
  }

  #isKnown(): boolean {
    return this.#clock.errorMs() <= this.#windowMs() * CLOCK_SHARE;
  }

  /** A clock that runs ten times as fast uses the window up ten times as fast. */
  #windowMs(): number {
    return Math.ceil(this.#profile.recvWindowMs * Math.max(1, this.#clock.rate()));
  }
}
