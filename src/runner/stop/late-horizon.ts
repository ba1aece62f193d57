import type { VenueProfile } from '../../client/profile.js';
import type { Clock } from '../../ports/clock.js';
import type { VenueClock } from '../../ports/venue-api.js';
import { fenceOf, lateBound } from '../live-gateway.js';

type HorizonClock = Pick<VenueClock, 'now' | 'answered' | 'steadyRate'>;

/**
 * Until when what was sent can still be executed and show: by our own clock, and where the receive window is what bounds
 * it, by the venue's own, which may be slow or stand still.
 */
export class LateHorizon {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #venueClock: HorizonClock;
  readonly #profile: VenueProfile;
  /** Monotonic ms. */
  #ownEnd = 0;
  /** Venue ms; −Infinity where the venue sets no end. */
  #venueEnd = Number.NEGATIVE_INFINITY;

  /** Also of what another life sent, just before. */
  constructor(profile: VenueProfile, clock: Pick<Clock, 'monotonic'>, venueClock: HorizonClock) {
    this.#profile = profile;
    this.#clock = clock;
    this.#venueClock = venueClock;
    this.sent();
  }

  /** Something is sent now. `validUntil`: the last venue ms at which it may be taken, where that is known. */
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

  /** Only its clock keeps it from being over: it is worth a question. */
  get waitsForVenue(): boolean {
    return this.#clock.monotonic() >= this.#ownEnd && !this.#isPastThere;
  }

  get #isPastThere(): boolean {
    return this.#venueEnd === Number.NEGATIVE_INFINITY || this.#venueClock.answered() > this.#venueEnd;
  }
}
