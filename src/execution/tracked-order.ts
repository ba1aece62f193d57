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
  /** What its reports are about; a stray of another life has none. */
  readonly intentId: IntentId | undefined;
  readonly market: Market;
  /** As it is sent. */
  readonly terms: OrderTerms;
  /** What the engine asked for; more than is sent when the quantity is a tag. */
  readonly asked?: Lots;
  readonly tag: string | undefined;
  /** How long the venue may show old news, ms; an end counts when it is still the same that much later. */
  readonly confirmMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Nobody wants it any more: left from another life, given up, or one too many. */
  readonly role?: StrayRole | undefined;
}

/** Why an order is one that nobody wants: `recovered` from another life, `late` after it was given up, or a twin. */
export type StrayRole = 'recovered' | 'late' | 'surplus';

/** An order that the venue does not know by its id for so long, ms, and so often, is one that it has forgotten. */
const LOST_MS = 600_000;
const LOST_LOOKS = 5;
/** An ended order whose fills still do not add up after this long is in doubt, ms. */
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
  /** Venue ms when its POST left, and our own monotonic clock's. */
  sentAt = 0;
  sentMono = 0;
  /** The last venue ms at which its request may still be taken; `undefined`: not known, or the venue sets no end. */
  validUntil: number | undefined;
  /** The venue showed a final status; the end may not be proven yet. */
  ended = false;
  /** Monotonic ms of the next read that is worth a request, and how many brought nothing. */
  nextLook = 0;
  quietLooks = 0;
  /** Since it was shown last the venue said that it does not know it: how often, and since which monotonic ms. */
  #unknown: { readonly since: number; readonly looks: number } | undefined;
  /** It must not leave now, and nothing but the moment is wrong. */
  isTooSoon = false;
  /** It must not leave while another one is there that it could not be told from. */
  isAlike = false;
  /** Why it lived on when its cancellation was tried last; `undefined`: it was not tried, or was broken off. */
  uncanceled: string | undefined;
  /** Fills of it were told as somebody else's, before it showed them. */
  toldElsewhere = false;
  readonly #intentId: IntentId | undefined;
  readonly #asked: Lots;
  readonly #confirmMs: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #fillIds = new Set<string>();
  #filled = 0;
  /** What the venue's newest record says was filled, lots. */
  #shown = 0;
  /** Monotonic ms by which the end, with this filled quantity, was first read: from then on the venue certainly shows it. */
  #endedAt = 0;
  #endedWith = -1;
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

  /** In reports. A stray of another life has none: its reports are about its fills only. */
  get intentId(): IntentId {
    return this.#intentId ?? 0;
  }

  /** `undefined`: it is of another session. */
  get ownIntentId(): IntentId | undefined {
    return this.#intentId;
  }

  get leaves(): Lots {
    return (this.terms.lots - this.#filled) as Lots;
  }

  get filled(): Lots {
    return this.#filled as Lots;
  }

  /** All that the venue says was filled is booked. */
  get isSettled(): boolean {
    return this.#shown <= this.#filled;
  }

  /** The venue says more was filled than it shows fills of. */
  get isDisputed(): boolean {
    return this.#doubted;
  }

  /** The venue does not know it. That proves nothing, since a read may be older than the order; for long it does. */
  notKnown(): void {
    const { since, looks } = this.#unknown ?? { since: this.#clock.monotonic(), looks: 0 };
    this.#unknown = { since, looks: looks + 1 };
  }

  /** Asked for so often in vain that it is worth few requests. */
  get isUnknown(): boolean {
    return (this.#unknown?.looks ?? 0) >= LOST_LOOKS;
  }

  /** The venue has forgotten it: nothing will ever show its end. */
  get isLost(): boolean {
    const { since = Number.POSITIVE_INFINITY } = this.#unknown ?? {};
    return this.isUnknown && this.#clock.monotonic() - since >= LOST_MS;
  }

  /** For those who look at it from outside. */
  get open(): OpenOrder | undefined {
    const { key, orderId, leaves, stage } = this;
    if (stage === 'done') return undefined;
    const shownAs = this.#doubted ? 'in-doubt' : stage;
    return { intent: key, pair: this.market.pair, orderId, stage: shownAs, leaves };
  }

  /** Nothing in the record is news: still active, and filled as far as is known. */
  isAsKnown(record: OrderRecord): boolean {
    return (
      record.status === 'ACTIVE' &&
      stepsNear(this.market.quantityGrid, record.filledQuantity) === this.#filled
    );
  }

  /** A fill that an earlier life has booked. */
  alreadyBooked(fillId: string, lots: number): void {
    this.#fillIds.add(fillId);
    this.#filled += lots;
  }

  /** The venue has it: by its answer to the POST, or found. */
  accept(record: OrderRecord, readAt: number): ExecutionReport[] {
    this.stage = 'live';
    this.orderId = record.id;
    const { intentId } = this;
    return [
      { kind: 'accepted', intentId, orderId: record.id, time: record.time },
      ...this.take(record, readAt),
    ];
  }

  reject(reason: string, time: number, reservedUntil?: number): ExecutionReport[] {
    this.stage = 'done';
    const { intentId } = this;
    const reserved = reservedUntil === undefined ? {} : { reservedUntil };
    const soon = this.isTooSoon ? ({ tooSoon: true } as const) : {};
    const alike = this.isAlike ? ({ alike: true } as const) : {};
    return [{ kind: 'rejected', intentId, reason, time, ...reserved, ...soon, ...alike }];
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
    // What cannot be read says nothing of what was filled: a later record may.
    if (Number.isNaN(venueFilled)) return this.#unbooked(record);
    if (venueFilled < this.#filled) return [];
    this.#shown = Math.max(this.#shown, venueFilled);
    const { reports, readable } = this.#newFills(record);
    if (this.#filled === this.terms.lots) {
      this.stage = 'done';
      return this.#filled === this.#asked ? reports : [...reports, this.#canceled(record, QUANTITY_TAG)];
    }
    const addsUp = venueFilled === this.#filled;
    // Completed with less than was ordered contradicts itself, however well its fills add up.
    if (addsUp && record.status !== 'COMPLETED') this.#doubted = false;
    const final = record.status === 'CANCELLED' || record.status === 'COMPLETED';
    if (final) {
      this.ended = true;
      if (this.#endedWith !== venueFilled) {
        this.#endedWith = venueFilled;
        // Not when the read began: it may have ended while the request was on its way.
        this.#endedAt = this.#clock.monotonic();
      }
    }
    const age = readAt - this.#endedAt;
    if (record.status === 'CANCELLED' && addsUp) {
      if (this.#confirmMs > 0 && age < this.#confirmMs) return reports;
      this.stage = 'done';
      return [...reports, this.#canceled(record, record.message ?? 'canceled')];
    }
    const hidden = !addsUp && (record.fills === undefined || !readable);
    return hidden || (final && age >= SETTLE_MS) ? [...reports, ...this.#unbooked(record)] : reports;
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

  /** Said once: quantities are never invented from averages. */
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
