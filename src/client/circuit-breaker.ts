import type { Random } from '../model/random.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { BreakerHealth } from '../ports/venue-api.js';

export interface CircuitBreakerOptions {
  /** Name of the guarded calls, for the log. */
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Default: pauses for a bot that runs for months. */
  readonly pauses?: BreakerPauses | undefined;
}

/** Upper bounds of the random pause before one call tries again, ms: of the first pause, and of the longest later ones. */
export interface BreakerPauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Why a call is not let through, and how long a new try is in vain, ms. */
export interface BreakerRefusal {
  readonly reason: string;
  readonly retryAfterMs: number;
}

/** One call that was let through. When it is over, the caller calls exactly one of the methods, once. */
export interface Pass {
  /** `share`: how long it took, as a share of its deadline. */
  answered(share: number): void;
  failed(why: string): void;
  /** The call never took place, or says nothing about the venue. */
  released(): void;
}

/** The breaker opens at `FAILURES` failures among the newest `CALLS` calls. */
const CALLS = 10;
const FAILURES = 5;
/** The 95th percentile is taken over the newest `LATENCIES` answers; with fewer than `LEAST_LATENCIES` there is none. */
const LATENCIES = 100;
const LEAST_LATENCIES = 20;
const PERCENTILE = 0.95;
const SLOW_SHARE = 0.5;
const PAUSES: BreakerPauses = { firstMs: 5_000, longestMs: 30_000 };
/** The `retryAfterMs` of calls that come while another call tests the connection, ms. */
const PROBE_MS = 1_000;

/**
 * Stops calls that would fail anyway. It opens after 5 failures in 10 calls, or when the slowest twentieth of the answers
 * takes more than half of the deadline. After a pause of random length, whose bound doubles each time (by default from 5
 * s to 30 s), one call tries: its answer closes the breaker, its failure begins the next pause.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  /** True for a failure; newest last. */
  readonly #calls: boolean[] = [];
  readonly #shares: number[] = [];
  #reason: string | undefined;
  #openUntil = 0;
  #probing = false;
  /** Pauses since there were ten answers in a row, and answers in a row so far. */
  #pauses = 0;
  #calm = 0;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
  }

  get health(): BreakerHealth {
    if (this.#reason === undefined) return { state: 'closed', reason: undefined };
    return { state: this.#waitMs() > 0 ? 'open' : 'half-open', reason: this.#reason };
  }

  /** Why no call would be let through now; `undefined`: one would. */
  refusal(): BreakerRefusal | undefined {
    if (this.#reason === undefined) return undefined;
    const wait = this.#waitMs();
    if (wait <= 0 && !this.#probing) return undefined;
    const until = wait > 0 ? `for ${(wait / 1_000).toFixed(1)} s more` : 'until one call was answered';
    return {
      reason: `the ${this.#options.name} breaker is open ${until}: ${this.#reason}`,
      retryAfterMs: wait > 0 ? Math.ceil(wait) : PROBE_MS,
    };
  }

  /** Lets one call through; `undefined`: none. */
  enter(): Pass | undefined {
    if (this.refusal() !== undefined) return undefined;
    const probe = this.#reason !== undefined;
    if (probe) this.#probing = true;
    return {
      answered: (share) => this.#answered(probe, share),
      failed: (why) => this.#failed(probe, why),
      released: () => {
        if (probe) this.#probing = false;
      },
    };
  }

  /** Opens the breaker, or keeps it open, for a reason of the caller's. `holdMs`: for exactly this long; default: random. */
  trip(reason: string, holdMs?: number): void {
    const { log, random, name, clock, pauses = PAUSES } = this.#options;
    const bound = Math.min(pauses.longestMs, pauses.firstMs * 2 ** Math.min(this.#pauses, 20));
    const pause = holdMs ?? random.next() * bound;
    if (this.#reason === undefined) log.warn('circuit breaker opens', { breaker: name, reason });
    this.#reason = reason;
    this.#openUntil = clock.monotonic() + pause;
    this.#pauses++;
    this.#calm = 0;
    this.#probing = false;
    this.#calls.length = 0;
    this.#shares.length = 0;
  }

  #answered(probe: boolean, share: number): void {
    if (probe) {
      // A very slow answer is no sign of recovery.
      if (share > SLOW_SHARE) this.trip(`answers take ${percent(share)} of their deadline`);
      else this.#close();
      return;
    }
    if (this.#reason !== undefined) return;
    remember(this.#calls, false, CALLS);
    remember(this.#shares, share, LATENCIES);
    if (++this.#calm >= CALLS) this.#pauses = 0;
    const slowest = share > SLOW_SHARE ? this.#percentile() : 0;
    if (slowest > SLOW_SHARE) {
      this.trip(`of the last ${this.#shares.length} answers 5 % took ${percent(slowest)} of their deadline`);
    }
  }

  #failed(probe: boolean, why: string): void {
    if (probe) {
      this.trip(why);
      return;
    }
    // Calls that were under way when it opened say nothing new.
    if (this.#reason !== undefined) return;
    this.#calm = 0;
    remember(this.#calls, true, CALLS);
    const failures = this.#calls.filter(Boolean).length;
    if (failures >= FAILURES) {
      this.trip(`${failures} of the last ${this.#calls.length} calls failed, the last with: ${why}`);
    }
  }

  #close(): void {
    this.#probing = false;
    this.#reason = undefined;
    this.#options.log.info('circuit breaker closes', { breaker: this.#options.name });
  }

  #waitMs(): number {
    return this.#openUntil - this.#options.clock.monotonic();
  }

  /** 95th percentile of the newest answers' times, as a fraction of their deadlines; 0 while there are too few answers. */
  #percentile(): number {
    if (this.#shares.length < LEAST_LATENCIES) return 0;
    const sorted = [...this.#shares].sort((a, b) => a - b);
    return sorted[Math.ceil(PERCENTILE * sorted.length) - 1] ?? 0;
  }
}

function remember<T>(list: T[], value: T, most: number): void {
  list.push(value);
  if (list.length > most) list.shift();
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
