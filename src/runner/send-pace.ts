import type { Limits } from '../gate/limits.js';
import { NewestTimes } from '../gate/newest-times.js';
import { HOUR_MS, MINUTE_MS } from '../gate/pace.js';
import type { Clock } from '../ports/clock.js';
import type { VenueClock } from '../ports/venue-api.js';

export interface SendPaceOptions {
  readonly limits: Pick<Limits, 'maxOrdersPerMinute' | 'maxOrdersPerHour'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly venueClock: Pick<VenueClock, 'steadyRate'>;
  /** Start to start of the polls that bring events, ms: what is decided on lies behind by as much. */
  readonly eventsEveryMs: number;
  /** How long ago earlier sessions sent orders, venue ms. */
  readonly earlier: readonly number[];
}

/** One limit, and when what it counts left. */
interface Bound {
  readonly rule: string;
  readonly most: number;
  readonly windowMs: number;
  readonly times: NewestTimes;
}

/** How far events lie behind the moment at which an order leaves besides the polls, ms: what is printed shows up late. */
const LAG_MS = 5_000;

/**
 * How fast orders leave by our own clock: a second look at what the gate counts on event time, which a venue's clock that
 * is set ahead, or a backlog, moves by minutes in no time. Its windows are the gate's less the usual lag of events, so that
 * it has nothing to say while all goes well. It holds back what may add risk; an exit never waits for it.
 */
export class SendPace {
  readonly #options: SendPaceOptions;
  readonly #bounds: readonly Bound[];
  /** Somebody wanted to send more than a limit allows; until there is room again. */
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

  /** An order that may add risk is about to leave: why it must not, which `reason` says from then on. */
  refusal(): string | undefined {
    const full = this.#full();
    this.#isOver = full !== undefined;
    return full;
  }

  /** Why none that may add risk should be tried now. */
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

  /** Of our own clock, ms; nothing is left of it at a venue whose minutes are shorter than the lag. */
  #ownWindow(windowMs: number): number {
    return windowMs / this.#rate - LAG_MS - this.#options.eventsEveryMs;
  }

  /** A venue that stands still frees nothing; one that is slow is waited for by the gate. */
  get #rate(): number {
    return Math.max(1, this.#options.venueClock.steadyRate());
  }
}

function boundOf(rule: string, most: number | undefined, windowMs: number): readonly Bound[] {
  return most === undefined ? [] : [{ rule, most, windowMs, times: new NewestTimes(most) }];
}
