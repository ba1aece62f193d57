import type { AccountShare } from '../model/event.js';
import type { DaemonSession } from './daemon-session.js';

type Tripping = Pick<DaemonSession, 'core'>;

/** What a session is told of limits that others have reached. */
export type Trips = Pick<AccountShare, 'lostUntil' | 'fell'>;

/** What the sessions of a pair have reached; it outlives them. */
interface Trip {
  quote: string;
  /** End of the newest day on which the loss reached its bound, venue ms. */
  lostUntil: number | undefined;
  fell: boolean;
}

/**
 * Remembers which sessions have reached a limit on the losses of their account. Each counts from what it has seen itself, so
 * that one that begins later, or sees another price, does not know of it.
 */
export class AccountTrips {
  readonly #trips = new Map<string, Trip>();
  /** Sessions whose fall from the highest is noted: it is noted once, and thus not again between a resume and its effect. */
  readonly #fallen = new WeakSet<Tripping>();
  readonly #seen = new WeakSet<Tripping>();
  #isResumed = false;

  look(pair: string, session: Tripping): void {
    const { day, drawdown, market } = session.core.risk;
    const trip = this.#of(pair, market.quote);
    if (day?.tripped === true) trip.lostUntil = Math.max(trip.lostUntil ?? 0, day.endsAt);
    const isNew = !this.#seen.has(session);
    this.#seen.add(session);
    if (drawdown?.tripped !== true) this.#fallen.delete(session);
    else if (!this.#fallen.has(session)) {
      this.#fallen.add(session);
      // A session that could not be resumed, since it had ended, hands on its fall to the next one of the pair, and to no other.
      if (!isNew || !this.#isResumed) trip.fell = true;
    }
  }

  /** A person has resumed since the daemon began. */
  get isResumed(): boolean {
    return this.#isResumed;
  }

  /** A person resumes: falls until now are over. A day with too large a loss is not. */
  resumed(): void {
    this.#isResumed = true;
    for (const trip of this.#trips.values()) trip.fell = false;
  }

  /** What the other pairs of this asset have reached. */
  besides(pair: string, asset: string): Trips {
    const others = [...this.#trips].flatMap(([name, trip]) =>
      name === pair || trip.quote !== asset ? [] : [trip],
    );
    const days = others.flatMap(({ lostUntil }) => lostUntil ?? []);
    return {
      ...(days.length > 0 && { lostUntil: Math.max(...days) }),
      ...(others.some(({ fell }) => fell) && { fell: true }),
    };
  }

  #of(pair: string, quote: string): Trip {
    let trip = this.#trips.get(pair);
    if (trip === undefined) {
      trip = { quote, lostUntil: undefined, fell: false };
      this.#trips.set(pair, trip);
    }
    return trip;
  }
}
