import type { Clock } from '../ports/clock.js';
import type { VenueApi } from '../ports/venue-api.js';

interface Asked {
  readonly isAnswered: boolean;
  /** Monotonic ms from which it may be asked for again. */
  readonly again: number;
  readonly pauseMs: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Cancels many orders over many rounds. Each cancel is sent at once, and again after growing pauses while it has no answer
 * or the venue still shows the order, so that a venue in trouble is not flooded with cancels.
 */
export class AskedCancels {
  readonly #api: Pick<VenueApi, 'cancelMany'>;
  readonly #clock: Clock;
  readonly #asked = new Map<string, Asked>();

  constructor(api: Pick<VenueApi, 'cancelMany'>, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Cancels orders that the books hold as live. An order whose cancel was answered is left alone until a list shows it. */
  askKnown(ids: Iterable<string>): Promise<void> {
    return this.#ask([...ids].filter((id) => this.#asked.get(id)?.isAnswered !== true));
  }

  /** Cancels orders that a list of the venue shows, whatever the venue answered before. */
  askSeen(ids: Iterable<string>): Promise<void> {
    return this.#ask([...ids]);
  }

  /** The earliest monotonic ms at which an unanswered cancel of these may be sent again; Infinity: none waits. */
  nextAt(ids: Iterable<string>): number {
    const waiting = [...ids].flatMap((id) => this.#asked.get(id) ?? []).filter((each) => !each.isAnswered);
    return Math.min(...waiting.map(({ again }) => again));
  }

  /** Sends nothing for an empty list: a cancel without ids would cancel every order of the account. */
  async #ask(ids: readonly string[]): Promise<void> {
    const now = this.#clock.monotonic();
    const [first, ...rest] = ids.filter((id) => (this.#asked.get(id)?.again ?? now) <= now);
    if (first === undefined) return;
    let isAnswered = false;
    try {
      isAnswered = (await this.#api.cancelMany([first, ...rest])).kind === 'answered';
    } finally {
      for (const id of [first, ...rest]) this.#note(id, isAnswered);
    }
  }

  #note(id: string, isAnswered: boolean): void {
    const pauseMs = this.#asked.get(id)?.pauseMs ?? FIRST_PAUSE_MS;
    const again = this.#clock.monotonic() + pauseMs;
    this.#asked.set(id, { isAnswered, again, pauseMs: Math.min(LONGEST_PAUSE_MS, 2 * pauseMs) });
  }
}
