import type { Fill } from '../model/fill.js';
import { type Lots, stepsNear } from '../model/grid.js';
import type { IntentKey } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { IntentId, OrderTerms } from '../model/order.js';
import { type ExecutionReport, QUANTITY_TAG } from '../model/report.js';
import { compareTrades } from '../model/trade.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Clock } from '../ports/clock.js';
import { readFill } from './read-fill.js';

/**
 * - `queued`: waits for its turn · `sent`: its one POST is under way · `in-doubt`: that POST proved nothing
 * - `live`: it has an order id · `done`: its last report was given
 */
export type Stage = 'queued' | 'sent' | 'in-doubt' | 'live' | 'done';

/** An order of ours that is not done, for status pages and for those who shut down. */
export interface OpenOrder {
  readonly intent: IntentKey;
  readonly pair: string;
  readonly orderId: string | undefined;
  readonly stage: Exclude<Stage, 'done'>;
  readonly leaves: Lots;
}

export interface TrackedOrderOptions {
  readonly key: IntentKey;
  /** The engine's intent, which the reports name; `undefined` for a stray of another session. */
  readonly intentId: IntentId | undefined;
  readonly market: Market;
  /** As they go on the wire. */
  readonly terms: OrderTerms;
  /**
   * Lots that the engine asked for: more than `terms.lots` where
   * lots were taken off to mark the order. Default: `terms.lots`.
   */
  readonly asked?: Lots;
  readonly tag: string | undefined;
  /** How far the venue's reads may lag behind, ms: an end counts once a read that starts this much later shows it again. */
  readonly confirmMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Why nobody wants the order any more; `undefined`: the engine wants it. */
  readonly role?: StrayRole | undefined;
}

/**
 * Why nobody wants an order. `recovered`: an earlier life sent it · `late`: it showed up after its intent was given up ·
 * `surplus`: its intent is bound to another order already
 */
export type StrayRole = 'recovered' | 'late' | 'surplus';

/** The venue has forgotten an order when it denied knowing the id in `LOST_LOOKS` reads or more, over `LOST_MS`. */
const LOST_MS = 600_000;
const LOST_LOOKS = 5;
/** An ended order whose fills do not add up to its filled quantity for this long, ms, is reported as in doubt. */
const SETTLE_MS = 10_000;

/**
 * One intent and what the venue has shown of it. It turns order records, in whatever order and however often they are
 * read, into reports that are given once: fills by their ids, the end only when the fills add up to what the venue says
 * was filled. Records that show less than what is known are old and say nothing.
 */
export class TrackedOrder {
  readonly key: IntentKey;
  readonly market: Market;
  readonly terms: OrderTerms;
  readonly tag: string | undefined;
  readonly role: StrayRole | undefined;
  stage: Stage = 'queued';
  orderId: string | undefined;
  /** When its POST left: venue ms, and monotonic ms. */
  sentAt = 0;
  sentMono = 0;
  /** The last venue ms at which the venue may take its request; `undefined`: not known, or the venue sets no end. */
  validUntil: number | undefined;
  /** The venue showed a final status; the end may not be proven yet. */
  ended = false;
  /** The engine has asked for its cancel, and has not heard that it failed. */
  cancelAsked = false;
  /** Monotonic ms before which another read is not worth a request, and how many reads in a row brought no news. */
  nextLook = 0;
  quietLooks = 0;
  /**
   * Answers, since a record last showed the order, that the venue
   * does not know it: the first (monotonic ms), and how many.
   */
  #unknown: { readonly since: number; readonly looks: number } | undefined;
  /** It never left; see the report. */
  isUnsent = false;
  /** It was refused only because it came too early: the same order may leave later. */
  isTooSoon = false;
  /** It was refused because the venue would show it exactly like another order of ours that is not over. */
  isAlike = false;
  /** Why the last finished attempt to cancel it failed; `undefined`: no attempt has failed. */
  uncanceled: string | undefined;
  /** An earlier life left it waiting for its trigger, and nothing yet has shown that the position needs it no more. */
  guards = false;
  /** Some of its fills were in the books before it showed them, so they were not reported as fills of this order. */
  toldElsewhere = false;
  readonly #intentId: IntentId | undefined;
  readonly #asked: Lots;
  readonly #confirmMs: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #fillIds = new Set<string>();
  #filled = 0;
  /** What the venue's newest record says was filled, lots. */
  #shown = 0;
  /** Monotonic ms at which a final status with `#endedWith` lots filled (−1: none yet) had first been read. */
  #endedAt = 0;
  #endedWith = -1;
  /** Doubt about its fills was reported, and no record has ended it. */
  #doubted = false;

  constructor({ key, intentId, market, terms, asked, tag, confirmMs, clock, role }: TrackedOrderOptions) {
    this.key = key;
    this.market = market;
    this.terms = terms;
    this.tag = tag;
    this.role = role;
    this.#intentId = intentId;
    this.#asked = asked ?? terms.lots;
    this.#confirmMs = confirmMs;
    this.#clock = clock;
  }

  /** For reports. 0 for a stray of another session, of which only late fills are reported, by `ownIntentId`. */
  get intentId(): IntentId {
    return this.#intentId ?? 0;
  }

  /** `undefined` for an order of another session. */
  get ownIntentId(): IntentId | undefined {
    return this.#intentId;
  }

  get leaves(): Lots {
    return (this.terms.lots - this.#filled) as Lots;
  }

  get filled(): Lots {
    return this.#filled as Lots;
  }

  /** Every lot that the venue reports as filled is booked. */
  get isSettled(): boolean {
    return this.#shown <= this.#filled;
  }

  /** The venue reports a filled quantity that its fills do not show, or a completion with less than was ordered. */
  get isDisputed(): boolean {
    return this.#doubted;
  }

  /**
   * Notes an answer that the venue does not know the order. One such answer proves nothing, since the read may be older than
   * the order; many of them over a long time do (`isLost`).
   */
  notKnown(): void {
    const { since, looks } = this.#unknown ?? { since: this.#clock.monotonic(), looks: 0 };
    this.#unknown = { since, looks: looks + 1 };
  }

  /** So many reads did not find it that it is worth few further requests. */
  get isUnknown(): boolean {
    return (this.#unknown?.looks ?? 0) >= LOST_LOOKS;
  }

  /** The venue has forgotten it: nothing will ever show its end. */
  get isLost(): boolean {
    const { since = Number.POSITIVE_INFINITY } = this.#unknown ?? {};
    return this.isUnknown && this.#clock.monotonic() - since >= LOST_MS;
  }

  /** For status pages and shutdown; `undefined` when it is done. */
  get open(): OpenOrder | undefined {
    const { key, orderId, leaves, stage } = this;
    if (stage === 'done') return undefined;
    const shownAs = this.#doubted ? 'in-doubt' : stage;
    return { intent: key, pair: this.market.pair, orderId, stage: shownAs, leaves };
  }

  /** The record brings no news: the order is active or waits for its trigger, and is filled as far as is booked. */
  isAsKnown(record: OrderRecord): boolean {
    return (
      (record.status === 'ACTIVE' || this.isWaiting(record)) &&
      stepsNear(this.market.quantityGrid, record.filledQuantity) === this.#filled
    );
  }

  /** The record shows that the order has a trigger, as it was asked to, and that this has not fired. */
  isWaiting({ status }: OrderRecord): boolean {
    return status === 'UNTRIGGERED' && this.terms.trigger !== undefined;
  }

  /** Counts a fill that an earlier life has booked, so that it is not reported again. */
  alreadyBooked(fillId: string, lots: number): void {
    this.#fillIds.add(fillId);
    this.#filled += lots;
  }

  /** Binds the intent to the order that the venue shows, in its answer to the POST or in a list. */
  accept(record: OrderRecord, readAt: number): ExecutionReport[] {
    this.stage = 'live';
    this.orderId = record.id;
    return [this.#accepted(record), ...this.take(record, readAt)];
  }

  reject(reason: string, time: number, reservedUntil?: number): ExecutionReport[] {
    this.stage = 'done';
    const { intentId } = this;
    const reserved = reservedUntil === undefined ? {} : { reservedUntil };
    const unsent = this.isUnsent ? ({ unsent: true } as const) : {};
    const soon = this.isTooSoon ? ({ tooSoon: true } as const) : {};
    const alike = this.isAlike ? ({ alike: true } as const) : {};
    return [{ kind: 'rejected', intentId, reason, time, ...reserved, ...unsent, ...soon, ...alike }];
  }

  doubt(reason: string, time: number): ExecutionReport[] {
    this.stage = 'in-doubt';
    return [{ kind: 'in-doubt', intentId: this.intentId, reason, time }];
  }

  /** `readAt`: monotonic ms at which the request for this record started. */
  take(record: OrderRecord, readAt: number): ExecutionReport[] {
    if (this.stage !== 'live' || record.id !== this.orderId) return [];
    this.#unknown = undefined;
    const venueFilled = stepsNear(this.market.quantityGrid, record.filledQuantity);
    // A filled quantity off the grid proves nothing about what was filled; a later record may be readable.
    if (Number.isNaN(venueFilled)) return this.#unbooked(record);
    if (venueFilled < this.#filled) return [];
    this.#shown = Math.max(this.#shown, venueFilled);
    const { reports, readable } = this.#newFills(record);
    if (this.#filled === this.terms.lots) {
      this.stage = 'done';
      return this.#filled === this.#asked ? reports : [...reports, this.#canceled(record, QUANTITY_TAG)];
    }
    const addsUp = venueFilled === this.#filled;
    // A COMPLETED record with less filled than was ordered contradicts itself even when its fills add up.
    const endsDoubt = this.#doubted && addsUp && record.status !== 'COMPLETED';
    if (endsDoubt) this.#doubted = false;
    // Who heard of the doubt may wait for its end. A fill would tell it, but need not come, or may be told already.
    const news = endsDoubt ? [...reports, this.#accepted(record)] : reports;
    const final = record.status === 'CANCELLED' || record.status === 'COMPLETED';
    if (!final && this.ended && readAt - this.#endedAt >= this.#confirmMs) {
      // Just as a later read confirms an end, it refutes one: the order lives, and can still be canceled.
      this.ended = false;
      this.#endedWith = -1;
    }
    if (final) {
      this.ended = true;
      if (this.#endedWith !== venueFilled) {
        this.#endedWith = venueFilled;
        // The time of the answer, not of the request: the order may have ended while the request was under way.
        this.#endedAt = this.#clock.monotonic();
      }
    }
    const age = readAt - this.#endedAt;
    if (record.status === 'CANCELLED' && addsUp) {
      if (this.#confirmMs > 0 && age < this.#confirmMs) return news;
      this.stage = 'done';
      return [...reports, this.#canceled(record, record.message ?? 'canceled')];
    }
    const hidden = !addsUp && (record.fills === undefined || !readable);
    return hidden || (final && age >= SETTLE_MS) ? [...news, ...this.#unbooked(record)] : news;
  }

  #accepted({ id: orderId, time }: OrderRecord): ExecutionReport {
    return { kind: 'accepted', intentId: this.intentId, orderId, time };
  }

  #canceled({ id: orderId, time }: OrderRecord, reason: string): ExecutionReport {
    return { kind: 'canceled', intentId: this.intentId, orderId, reason, time };
  }

  /** `readable` is false when a shown fill cannot be booked: off the grid, or more than was ordered. */
  #newFills(record: OrderRecord): { reports: ExecutionReport[]; readable: boolean } {
    const { side, lots } = this.terms;
    const fills = new Map<string, Fill>();
    let readable = true;
    for (const shown of record.fills ?? []) {
      if (this.#fillIds.has(shown.id)) continue;
      const fill = readFill(this.market, record.id, side, shown);
      if (fill === undefined) readable = false;
      else fills.set(fill.id, fill);
    }
    const reports: ExecutionReport[] = [];
    for (const fill of [...fills.values()].sort(compareTrades)) {
      if (this.#filled + fill.lots > lots) return { reports, readable: false };
      this.#fillIds.add(fill.id);
      this.#filled += fill.lots;
      reports.push({ kind: 'filled', intentId: this.intentId, fill, time: fill.time });
    }
    return { reports, readable };
  }

  /** Reports doubt, once. Missing fills are never made up from the record's filled quantity and average price. */
  #unbooked(record: OrderRecord): ExecutionReport[] {
    if (this.#doubted) return [];
    this.#doubted = true;
    const isShort = record.status === 'COMPLETED' && this.isSettled;
    const reason = isShort
      ? `the venue says that it is completed, and only ${record.filledQuantity} was filled`
      : `the venue says that ${record.filledQuantity} was filled and its fills do not show it`;
    return [{ kind: 'in-doubt', intentId: this.intentId, reason, time: record.time }];
  }
}
