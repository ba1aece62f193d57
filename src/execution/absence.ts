import type { IntentKey } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Clock } from '../ports/clock.js';
import { isSameKind, resembles } from './fingerprint.js';
import type { TrackedOrder } from './tracked-order.js';

/**
 * A venue's lists may show wrong fields of an order for a while, so that an order of ours is not recognised. This long, ms,
 * an unclaimed order is taken for possibly ours and better reads are waited for; meanwhile nothing adds risk.
 */
export const RECOGNITION_MS = 600_000;

export interface AbsenceOptions {
  readonly market: Market;
  readonly clock: Clock;
  /** Tags tell whose an order is, whatever else its record shows. */
  readonly echo: boolean;
  readonly visibilityMs: number;
  readonly lateMs: number;
  /** Venue ms. */
  readonly now: () => number;
  /** What the venue told last of its time, ms: an estimate would run on while its clock stands still. −Infinity before. */
  readonly answered: () => number;
  /** The last venue ms at which what was sent up to now may still be taken; `undefined`: the venue sets no end. */
  readonly validUntil: () => number | undefined;
}

/** One thorough look at all lists at which books and venue agreed. */
export interface AgreedLook {
  /** Monotonic ms. */
  readonly startedAt: number;
  /** What the venue had told of its time by then, ms. */
  readonly venueTime: number;
  /** Orders that it shows and nobody claims, and since when (monotonic ms) looks do. */
  readonly foreign: readonly OrderRecord[];
  readonly shownSince: ReadonlyMap<string, number>;
}

/** An unclaimed order that may be the one in doubt. */
interface Lookalike {
  readonly id: string;
  /** Monotonic ms of the first of the looks in a row that show it. */
  readonly since: number;
}

/**
 * The proof that an order in doubt is not at the venue (`reliability.md` b.5): since when looks do not show it, and which
 * unclaimed order keeps them from proving that.
 *
 * Where the venue echoes tags an unclaimed order is in nobody's way, since ours would carry its tag. Without tags any
 * unclaimed order may be the one in doubt for `RECOGNITION_MS`; after that only one of the same side, type and
 * quantity, and that one for ever.
 */
export class Absence {
  readonly #options: AbsenceOptions;
  /** Starts (monotonic ms) of clean looks that began after the last moment at which the order could still be executed. */
  readonly #absentAt = new Map<IntentKey, readonly number[]>();
  readonly #lookalikes = new Map<IntentKey, Lookalike>();
  /** Ids of unclaimed orders for which the newest look proves nothing. */
  readonly #obstacles = new Map<IntentKey, string>();

  constructor(options: AbsenceOptions) {
    this.#options = options;
  }

  /** What was seen so far proves nothing any more. */
  forget(): void {
    this.#absentAt.clear();
  }

  /** A look that shows nothing of the order; `undefined`: one that does not count. */
  take(order: TrackedOrder, look: AgreedLook | undefined): void {
    const { clock, echo, lateMs, now } = this.#options;
    const { key, stage, sentMono } = order;
    const validUntil = this.#validUntil(order);
    // Another life sent it and did not write down until when: by what is known of the venue's clock now.
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
    const isRefused = validUntil === undefined || look.venueTime > validUntil;
    if (look.startedAt >= sentMono + lateMs && isRefused) {
      this.#absentAt.set(key, [...(this.#absentAt.get(key) ?? []), look.startedAt]);
    }
  }

  /** What proves that the order is not there and will not come; `undefined`: nothing does yet. */
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

  /** The id of an order that nobody claims, and beside which a look proves nothing. */
  obstacleTo({ key }: TrackedOrder): string | undefined {
    return this.#obstacles.get(key);
  }

  /** The id of an order that was shown beside the one in doubt for so long that nobody will tell the two apart. */
  lookalikeOf({ key }: TrackedOrder): string | undefined {
    const alike = this.#lookalikes.get(key);
    if (alike === undefined) return undefined;
    return this.#options.clock.monotonic() - alike.since >= RECOGNITION_MS ? alike.id : undefined;
  }

  /** Only the venue's clock, as far as it was told, keeps looks from counting. Who asks changes nothing. */
  waitsForVenueTime(order: TrackedOrder): boolean {
    const { clock, answered, lateMs } = this.#options;
    if (order.stage !== 'in-doubt' || clock.monotonic() < order.sentMono + lateMs) return false;
    const validUntil = this.#validUntil(order);
    return validUntil !== undefined && !(answered() > validUntil);
  }

  /** Infinite while it is not known; `undefined`: the venue sets no end. */
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
    // One that rests and was not there before the order was sent may be it by any clock; of another life nobody knows that.
    const isNew = ({ id, status }: OrderRecord) =>
      role === undefined && status === 'ACTIVE' && (shownSince.get(id) ?? sentMono) >= sentMono;
    return foreign.find(
      (record) => resembles(market, order, record) || (isNew(record) && isSameKind(market, terms, record)),
    );
  }
}
