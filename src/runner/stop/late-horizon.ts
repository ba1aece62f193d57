import type { VenueProfile } from '../../client/profile.js';
import type { Clock } from '../../ports/clock.js';
import type { VenueClock } from '../../ports/venue-api.js';
import { fenceOf, lateBound } from '../live-gateway.js';

type HorizonClock = Pick<VenueClock, 'now' | 'answered' | 'steadyRate'>;

/**
 * The time until which a sent request can be executed and show up. It is over when both clocks say so: ours, and, where the
 * receive window bounds late execution, the venue's, which may be slow or stand still.
 */
export class LateHorizon {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #venueClock: HorizonClock;
  readonly #profile: VenueProfile;
  /** Monotonic ms. */
  #ownEnd = 0;
  /** Venue ms; −Infinity where the venue sets no end. */
  #venueEnd = Number.NEGATIVE_INFINITY;

  /** Begins with a full late bound, for requests that another life may have sent just before. */
  constructor(profile: VenueProfile, clock: Pick<Clock, 'monotonic'>, venueClock: HorizonClock) {
    this.#profile = profile;
    this.#clock = clock;
    this.#venueClock = venueClock;
    this.sent();
  }

  /** A request is sent now. `validUntil`: the last venue ms at which the venue may take it; `undefined`: estimated. */
  sent(validUntil?: number): void {
    const { visibilityLagMs } = this.#profile;
    const fenceMs = fenceOf(this.#profile);
    this.#ownEnd = this.#clock.monotonic() + lateBound(this.#profile) + visibilityLagMs;
    if (fenceMs === undefined) return;
    const rate = Math.max(1, this.#venueClock.steadyRate());
    const end = (validUntil ?? this.#venueClock.now() + fenceMs * rate) + visibilityLagMs * rate;
    this.#venueEnd = Math.max(this.#venueEnd, end);
  }

  get isPast(): boolean {
    return this.#clock.monotonic() >= this.#ownEnd && this.#isPastThere;
  }

  /** Only the venue's newest time answer keeps the horizon from being past: ask for its time. */
  get waitsForVenue(): boolean {
    return this.#clock.monotonic() >= this.#ownEnd && !this.#isPastThere;
  }

  get #isPastThere(): boolean {
    return this.#venueEnd === Number.NEGATIVE_INFINITY || this.#venueClock.answered() > this.#venueEnd;
  }
}
