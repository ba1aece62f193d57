import { UsageError } from '../../model/errors.js';
import type { Clock } from '../../ports/clock.js';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket per caller: `perSecond` requests per second, with a burst of as many (at least one). It protects the
 * server, so it uses the system's monotonic clock rather than venue time.
 */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perSecond: number, clock: Clock) {
    if (!(Number.isFinite(perSecond) && perSecond > 0)) {
      throw new UsageError('TICKWRIGHT_E_LIMIT', `rateLimit must be a number above 0, received ${perSecond}`);
    }
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, perSecond);
    this.#clock = clock;
  }

  /**
   * Seconds until the caller may ask again; 0 if this request may pass, which then counts. The set of callers must be
   * bounded, e.g. the known accounts, because each keeps a bucket for good.
   */
  wait(caller: string): number {
    const now = this.#clock.monotonic();
    let bucket = this.#buckets.get(caller);
    if (bucket === undefined) {
      bucket = { tokens: this.#burst, at: now };
      this.#buckets.set(caller, bucket);
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1_000) * this.#perSecond);
    bucket.at = now;
    if (bucket.tokens < 1) return (1 - bucket.tokens) / this.#perSecond;
    bucket.tokens -= 1;
    return 0;
  }
}
