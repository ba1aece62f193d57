/**
 * For how long, and with how much, a position had no stop that covered it. On event time, from the first want with a stop
 * on, or from the start where that time is limited; the price is that of the newest trade when position or stop changed.
 */
export interface BareExposure {
  /** Time with a position, ms. */
  readonly heldMs: number;
  /** Time with a position that no stop at the venue covered whole, ms. */
  readonly bareMs: number;
  /** The longest such stretch, ms. */
  readonly longestBareMs: number;
  /** Seconds × |position × price| of these stretches, quote units. */
  readonly bareNotionalSeconds: number;
}

/** Adds up `BareExposure`. Statistics in doubles. */
export class ProtectionClock {
  #since = Number.NaN;
  #notional = 0;
  #isBare = false;
  #bareSince = 0;
  #heldMs = 0;
  #bareMs = 0;
  #longestMs = 0;
  #notionalMs = 0;

  /** Sets what is held from this time on. `notional`: |position × price|, quote units; `isBare` counts where it is above 0. */
  hold(now: number, notional: number, isBare: boolean): void {
    this.#count(now);
    const wasBare = this.#isBare;
    this.#notional = notional;
    this.#isBare = notional > 0 && isBare;
    if (this.#isBare && !wasBare) this.#bareSince = this.#since;
  }

  /** When the stretch without a stop that goes on began, venue ms; `undefined`: none does. */
  get bareSince(): number | undefined {
    return this.#isBare ? this.#bareSince : undefined;
  }

  /** As of `now`, venue ms. */
  at(now: number): BareExposure {
    this.#count(now);
    return {
      heldMs: this.#heldMs,
      bareMs: this.#bareMs,
      longestBareMs: this.#longestMs,
      bareNotionalSeconds: this.#notionalMs / 1_000,
    };
  }

  /** Event time may step back from one event to the next: then nothing has passed. */
  #count(now: number): void {
    const ms = now - this.#since;
    if (ms > 0 && this.#notional > 0) {
      this.#heldMs += ms;
      if (this.#isBare) {
        this.#bareMs += ms;
        this.#notionalMs += ms * this.#notional;
        this.#longestMs = Math.max(this.#longestMs, now - this.#bareSince);
      }
    }
    if (!(now < this.#since)) this.#since = now;
  }
}
