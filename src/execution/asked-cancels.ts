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
 * Cancellations of many orders over many rounds. Each is asked for at once, and again more and more rarely while it has
 * no answer, or while the venue goes on to show the order; a venue that cannot be read is not flooded with them.
 */
export class AskedCancels {
  readonly #api: Pick<VenueApi, 'cancelMany'>;
  readonly #clock: Clock;
  readonly #asked = new Map<string, Asked>();

  constructor(api: Pick<VenueApi, 'cancelMany'>, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** For orders that we believe to live: an answer is enough until the venue shows one of them. */
  askKnown(ids: Iterable<string>): Promise<void> {
    return this.#ask([...ids].filter((id) => this.#asked.get(id)?.isAnswered !== true));
  }

  /** For orders that the venue shows, whatever it answered before. */
  askSeen(ids: Iterable<string>): Promise<void> {
    return this.#ask([...ids]);
  }

  /** Monotonic ms at which the next of these that has no answer may be asked for; infinity: none waits. */
  nextAt(ids: Iterable<string>): number {
    const waiting = [...ids].flatMap((id) => this.#asked.get(id) ?? []).filter((each) => !each.isAnswered);
    return Math.min(...waiting.map(({ again }) => again));
  }

  /** Without ids the venue would cancel every order of the account, so none is asked for. */
  async #ask(ids: readonly string[]): Promise<void> {
    const now = this.#clock.monotonic();
    const [first, ...rest] = ids.filter((id) => (this.#asked.get(id)?.again ?? now) <= now);
    if (first === undefined) return;
    let isAnswered = false;
    try {
      isAnswered = (await this.#api.cancelMany([first, ...rest])) === 'answered';
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
