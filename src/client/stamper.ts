import type { VenueProfile } from './profile.js';
import type { Stamp } from './stamp.js';
import type { VenueClockEstimate } from './venue-clock.js';

/** The fraction of the receive window that our error about the venue's clock may use up. */
const CLOCK_SHARE = 0.25;

/** Stamps requests with the venue's time, so that the venue can refuse to execute them late. */
export class Stamper {
  readonly #profile: VenueProfile;
  readonly #clock: VenueClockEstimate;
  #doubted = false;

  constructor(profile: VenueProfile, clock: VenueClockEstimate) {
    this.#profile = profile;
    this.#clock = clock;
  }

  /**
   * Stamps with the earliest time it can be at the venue: it refuses a timestamp from the future, but accepts an old one.
   */
  stamp(): Stamp {
    const windowMs = this.#windowMs();
    const clock = this.#clock;
    // If our error exceeds the window, the oldest timestamp that may still be accepted.
    const timestamp = clock.errorMs() <= windowMs ? clock.earliest() : clock.now() - windowMs;
    return { timestamp: Math.floor(timestamp), recvWindowMs: windowMs };
  }

  /** The venue's clock is known well enough to stamp at once. */
  get isReady(): boolean {
    return !this.#doubted && this.#isKnown();
  }

  /**
   * Asks for the venue's time if it is not known well enough. Returns why no stamped request may go; `undefined`: it may.
   */
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

  /** The venue refused a stamp as too old or too new: ask for its time before the next one. */
  doubt(): void {
    this.#doubted = true;
  }

  #isKnown(): boolean {
    return this.#clock.errorMs() <= this.#windowMs() * CLOCK_SHARE;
  }

  /** The receive window in venue ms: a venue clock of ten times the rate uses it up ten times as fast. */
  #windowMs(): number {
    return Math.ceil(this.#profile.recvWindowMs * Math.max(1, this.#clock.rate()));
  }
}
