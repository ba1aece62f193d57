import type { IntentKey } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Clock } from '../ports/clock.js';
import { isSameKind, resembles } from './fingerprint.js';
import type { TrackedOrder } from './tracked-order.js';

/**
 * A venue's lists may show wrong fields of an order for a while, so that we do not recognise an order of ours. For this
 * long, ms, any unclaimed order may be the one in doubt. The pair stays SUSPECT meanwhile, and nothing adds risk.
 */
export const RECOGNITION_MS = 600_000;

export interface AbsenceOptions {
  readonly market: Market;
  readonly clock: Clock;
  /** The venue echoes our tags: the tag alone tells whose an order is, whatever else its record shows. */
  readonly echo: boolean;
  readonly visibilityMs: number;
  readonly lateMs: number;
  /** Venue ms. */
  readonly now: () => number;
  /**
   * The venue's newest answer about its time, venue ms; −Infinity before the first. No estimate, which would run on while
   * the venue's clock stands still.
   */
  readonly answered: () => number;
  /** The last venue ms at which the venue may take a request sent by now; `undefined`: the venue sets no end. */
  readonly validUntil: () => number | undefined;
}

/** A thorough look (all lists, read twice) at which books and venue agreed. */
export interface AgreedLook {
  /** Monotonic ms. */
  readonly startedAt: number;
  /** The venue's newest answer about its time when the look began, venue ms. */
  readonly venueTime: number;
  /** Orders that the look shows and no intent claims; `shownSince`: order id → monotonic ms since which every look has. */
  readonly foreign: readonly OrderRecord[];
  readonly shownSince: ReadonlyMap<string, number>;
}

/** An unclaimed order that may be the one in doubt. */
interface Lookalike {
  readonly id: string;
  /** Monotonic ms since which every look has shown it beside the order in doubt. */
  readonly since: number;
}

/**
 * Collects the proof that an order in doubt is not at the venue (`reliability.md` b.5): the looks that do not show it,
 * and the unclaimed order, if any, that keeps these looks from proving absence.
 *
 * Where the venue echoes tags, an unclaimed order is no obstacle: ours would carry its tag. Without tags any unclaimed
 * order is one for `RECOGNITION_MS` after the sending, and an order of the same side, type and quantity is one for ever.
 */
export class Absence {
  readonly #options: AbsenceOptions;
  /** Starts (monotonic ms) of the clean looks in a row that began after the order could be executed for the last time. */
  readonly #absentAt = new Map<IntentKey, readonly number[]>();
  readonly #lookalikes = new Map<IntentKey, Lookalike>();
  /** Order in doubt → id of the unclaimed order because of which the newest look proves nothing about it. */
  readonly #obstacles = new Map<IntentKey, string>();

  constructor(options: AbsenceOptions) {
    this.#options = options;
  }

  /** Voids the looks so far: absence has to be proven anew. */
  forget(): void {
    this.#absentAt.clear();
  }

  /** `look`: an agreed look that does not show the order. `undefined`: the look did not count, and the row begins anew. */
  take(order: TrackedOrder, look: AgreedLook | undefined): void {
    const { clock, echo, lateMs, now } = this.#options;
    const { key, stage, sentMono } = order;
    const validUntil = this.#validUntil(order);
    // An earlier life may have sent it without a record of its receive window. It gets the end of a request sent now,
    // which is later than its own.
    if (validUntil !== Number.POSITIVE_INFINITY) order.validUntil = validUntil;
    if (stage !== 'in-doubt') {
      this.#absentAt.delete(key);
      this.#lookalikes.delete(key);
      this.#obstacles.delete(key);
      return;
    }
    if (look === undefined) {
      this.#absentAt.delete(key);
      return;
    }
    const alike = this.#alike(order, look);
    if (alike === undefined) this.#lookalikes.delete(key);
    else if (this.#lookalikes.get(key)?.id !== alike.id) {
      this.#lookalikes.set(key, { id: alike.id, since: clock.monotonic() });
    }
    const obstacle = echo || now() - order.sentAt >= RECOGNITION_MS ? alike : look.foreign[0];
    if (obstacle !== undefined) {
      this.#obstacles.set(key, obstacle.id);
      this.#absentAt.delete(key);
      return;
    }
    this.#obstacles.delete(key);
    // Past the end of the receive window the venue itself refuses the request.
    const isRefused = validUntil === undefined || look.venueTime > validUntil;
    if (look.startedAt >= sentMono + lateMs && isRefused) {
      this.#absentAt.set(key, [...(this.#absentAt.get(key) ?? []), look.startedAt]);
    }
  }

  /** The proof, in words, that the order is not at the venue and will not come; `undefined`: it is not proven yet. */
  proofOf({ key, sentMono }: TrackedOrder): string | undefined {
    const { lateMs, visibilityMs } = this.#options;
    const scans = this.#absentAt.get(key) ?? [];
    const [first] = scans;
    const last = scans.at(-1);
    if (first === undefined || last === undefined || last - first < Math.max(1, visibilityMs)) {
      return undefined;
    }
    this.#absentAt.delete(key);
    const after = Math.round(first - sentMono);
    const apart = Math.round(last - first);
    return (
      `no order, no fill and no change of position in two scans ${apart} ms apart, ` +
      `the first ${after} ms after it was sent; it cannot be executed later than ${lateMs} ms`
    );
  }

  /** Id of the unclaimed order that may be the one in doubt, so that looks prove nothing; `undefined`: there is none. */
  obstacleTo({ key }: TrackedOrder): string | undefined {
    return this.#obstacles.get(key);
  }

  /** Id of a lookalike that looks have shown for `RECOGNITION_MS`: no later look will tell it from the order in doubt. */
  lookalikeOf({ key }: TrackedOrder): string | undefined {
    const alike = this.#lookalikes.get(key);
    if (alike === undefined) return undefined;
    return this.#options.clock.monotonic() - alike.since >= RECOGNITION_MS ? alike.id : undefined;
  }

  /**
   * The late bound is over, and looks do not count only because the venue has not told a time past the order's receive
   * window. Changes no state.
   */
  waitsForVenueTime(order: TrackedOrder): boolean {
    const { clock, answered, lateMs } = this.#options;
    if (order.stage !== 'in-doubt' || clock.monotonic() < order.sentMono + lateMs) return false;
    const validUntil = this.#validUntil(order);
    return validUntil !== undefined && !(answered() > validUntil);
  }

  /** End of the order's receive window, venue ms. Infinity: not known yet; `undefined`: the venue sets no end. */
  #validUntil(order: TrackedOrder): number | undefined {
    if (order.validUntil !== undefined) return order.validUntil;
    const validUntil = this.#options.validUntil();
    if (validUntil === undefined) return undefined;
    return this.#options.answered() === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : validUntil;
  }

  #alike(order: TrackedOrder, { foreign, shownSince }: AgreedLook): OrderRecord | undefined {
    const { market, echo } = this.#options;
    if (echo) return undefined;
    const { terms, sentMono, role } = order;
    // An active or waiting order that no look showed before the sending may be ours even if its time is too early: the
    // venue's clock may have been set. For an order of an earlier life nobody knows what looks before its sending showed.
    const isNew = ({ id, status }: OrderRecord) =>
      role === undefined &&
      (status === 'ACTIVE' || status === 'UNTRIGGERED') &&
      (shownSince.get(id) ?? sentMono) >= sentMono;
    return foreign.find(
      (record) => resembles(market, order, record) || (isNew(record) && isSameKind(market, terms, record)),
    );
  }
}
