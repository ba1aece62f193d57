import type { Limits } from '../gate/limits.js';
import { NewestTimes } from '../gate/newest-times.js';
import { HOUR_MS, MINUTE_MS } from '../gate/pace.js';
import type { Clock } from '../ports/clock.js';
import type { VenueClock } from '../ports/venue-api.js';

export interface SendPaceOptions {
  readonly limits: Pick<Limits, 'maxOrdersPerMinute' | 'maxOrdersPerHour'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly venueClock: Pick<VenueClock, 'now' | 'rate'>;
  /** Start to start of the polls that bring events, ms: what is decided on lies behind by as much. */
  readonly watchEveryMs: number;
}

/** One limit, and when what it counts left. */
interface Bound {
  readonly text: string;
  readonly windowMs: number;
  readonly times: NewestTimes;
}

/** How far events lie behind the moment at which an order leaves besides the polls, ms: what is printed shows up late. */
const LAG_MS = 5_000;

/**
 * How fast orders leave by our own clock: a second look at what the gate counts on event time, which a venue's clock that
 * is set ahead, or a backlog, moves by minutes in no time. Its windows are the gate's less the lag of events, so that it
 * has nothing to say while both clocks run alike. It holds back what may add risk; an exit never waits for it.
 */
export class SendPace {
  readonly #options: SendPaceOptions;
  readonly #bounds: readonly Bound[];
  /** Somebody wanted to send more than a limit allows; until there is room again. */
  #isOver = false;

  /** `sent`: venue ms at which earlier sessions sent. */
  constructor(options: SendPaceOptions, sent: readonly number[] = []) {
    this.#options = options;
    const { maxOrdersPerMinute, maxOrdersPerHour } = options.limits;
    this.#bounds = [
      ...boundOf('max-orders-per-minute', maxOrdersPerMinute, MINUTE_MS),
      ...boundOf('max-orders-per-hour', maxOrdersPerHour, HOUR_MS),
    ];
    const { clock, venueClock } = options;
    const now = venueClock.now();
    for (const time of [...sent].sort((a, b) => a - b))
      this.#add(clock.monotonic() - Math.max(0, now - time) / this.#rate);
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
    return this.#bounds.find(({ times, windowMs }) => times.freeAt(this.#ownWindow(windowMs)) > now)?.text;
  }

  /** Of our own clock, ms. */
  #ownWindow(windowMs: number): number {
    return windowMs / this.#rate - LAG_MS - this.#options.watchEveryMs;
  }

  /** A venue that stands still frees nothing; one that is slow is waited for by the gate. */
  get #rate(): number {
    return Math.max(1, this.#options.venueClock.rate());
  }
}

function boundOf(rule: string, most: number | undefined, windowMs: number): readonly Bound[] {
  if (most === undefined) return [];
  const text = `${rule} by our own clock: orders in ${windowMs / 1_000} s must be at most ${most}, received ${most + 1}`;
  return [{ text, windowMs, times: new NewestTimes(most) }];
}
