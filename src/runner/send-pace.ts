import type { Limits } from '../gate/limits.js';
import { NewestTimes } from '../gate/newest-times.js';
import { HOUR_MS, MINUTE_MS } from '../gate/pace.js';
import type { Clock } from '../ports/clock.js';
import type { VenueClock } from '../ports/venue-api.js';

export interface SendPaceOptions {
  readonly limits: Pick<Limits, 'maxOrdersPerMinute' | 'maxOrdersPerHour'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly venueClock: Pick<VenueClock, 'steadyRate'>;
  /** Start to start of the polls that bring events, ms: events are up to so much older than the decisions on them. */
  readonly eventsEveryMs: number;
  /** For each order of earlier sessions, how long ago it was sent, venue ms. */
  readonly earlier: readonly number[];
}

/** One limit, and the monotonic ms at which the orders that it counts left. */
interface Bound {
  readonly rule: string;
  readonly most: number;
  readonly windowMs: number;
  readonly times: NewestTimes;
}

/** How much older than the poll interval an event may be when an order leaves, ms: prints show up late. */
const LAG_MS = 5_000;

/**
 * Limits how fast orders leave by our own clock. The gate counts them on event time, which a venue clock that is set ahead,
 * or a backlog, moves by minutes in a moment. These windows are the gate's less the usual lag of events, so that they hold
 * nothing back in normal operation. Reduce-only orders never wait for them.
 */
export class SendPace {
  readonly #options: SendPaceOptions;
  readonly #bounds: readonly Bound[];
  /** An order was held back, and since then there was no room. */
  #isOver = false;

  constructor(options: SendPaceOptions) {
    this.#options = options;
    const { maxOrdersPerMinute, maxOrdersPerHour } = options.limits;
    this.#bounds = [
      ...boundOf('max-orders-per-minute', maxOrdersPerMinute, MINUTE_MS),
      ...boundOf('max-orders-per-hour', maxOrdersPerHour, HOUR_MS),
    ];
    const now = options.clock.monotonic();
    for (const age of [...options.earlier].sort((a, b) => b - a))
      this.#add(now - Math.max(0, age) / this.#rate);
  }

  /** An order leaves. */
  sent(): void {
    this.#add(this.#options.clock.monotonic());
  }

  /** Why an order that may add risk must not leave now; `undefined`: it may. A refusal makes `reason` tell the same. */
  refusal(): string | undefined {
    const full = this.#full();
    this.#isOver = full !== undefined;
    return full;
  }

  /** Why no order that may add risk should be tried now; `undefined`: none was held back, or there is room again. */
  get reason(): string | undefined {
    return this.#isOver ? this.refusal() : undefined;
  }

  #add(monotonic: number): void {
    for (const { times } of this.#bounds) times.add(monotonic);
  }

  #full(): string | undefined {
    const now = this.#options.clock.monotonic();
    for (const { rule, most, windowMs, times } of this.#bounds) {
      const ownMs = this.#ownWindow(windowMs);
      if (times.freeAt(ownMs) <= now) continue;
      const seconds = Math.round(ownMs / 100) / 10;
      return `${rule}: orders in ${seconds} s by our own clock must be at most ${most}, received ${most + 1}`;
    }
    return undefined;
  }

  /**
   * A window in ms of our own clock; not above 0, and so without
   * effect, where the venue's window is shorter than the lag.
   */
  #ownWindow(windowMs: number): number {
    return windowMs / this.#rate - LAG_MS - this.#options.eventsEveryMs;
  }

  /** Venue ms per own ms, at least 1: for a slow or still venue clock the gate, on event time, waits anyway. */
  get #rate(): number {
    return Math.max(1, this.#options.venueClock.steadyRate());
  }
}

function boundOf(rule: string, most: number | undefined, windowMs: number): readonly Bound[] {
  return most === undefined ? [] : [{ rule, most, windowMs, times: new NewestTimes(most) }];
}
