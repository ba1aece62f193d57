import type { Approved, PlaceCommand } from '../model/command.js';
import type { Fill } from '../model/fill.js';
import type { Lots } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { IntentId } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import { compareTrades } from '../model/trade.js';
import type { OrderRecord } from '../model/venue-records.js';
import { readFill, stepsNear } from './read-fill.js';

/**
 * - `queued`: waits for its turn · `sent`: its one POST is under way · `in-doubt`: that POST proved nothing
 * - `live`: it has an order id · `done`: its last report was given
 */
export type Stage = 'queued' | 'sent' | 'in-doubt' | 'live' | 'done';

/** An order of ours that is not done, for status pages and for those who shut down. */
export interface OpenOrder {
  readonly intentId: IntentId;
  readonly pair: string;
  readonly orderId: string | undefined;
  readonly stage: Exclude<Stage, 'done'>;
  readonly leaves: Lots;
}

/** An ended order whose fills still do not add up after this long is in doubt, ms. */
const SETTLE_MS = 10_000;

/**
 * One intent and what the venue has shown of it. It turns order records, in whatever order and however often they are
 * read, into reports that are given once: fills by their ids, the end only when the fills add up to what the venue says
 * was filled. Records that show less than what is known are old and say nothing.
 */
export class TrackedOrder {
  readonly command: Approved<PlaceCommand>;
  readonly market: Market;
  readonly tag: string | undefined;
  stage: Stage = 'queued';
  orderId: string | undefined;
  /** Venue ms when its POST left. */
  sentAt = 0;
  /** The venue showed a final status; the end may not be proven yet. */
  ended = false;
  /** Monotonic ms of the next read that is worth a request, and how many brought nothing. */
  nextLook = 0;
  quietLooks = 0;
  readonly #confirmMs: number;
  readonly #fillIds = new Set<string>();
  #filled = 0;
  /** Monotonic ms of the first read that showed the end as it stands. */
  #endedAt = 0;
  #endedWith = -1;
  #doubted = false;

  /** `confirmMs`: how long the venue may show old news; an end counts when it is still the same that much later. */
  constructor(command: Approved<PlaceCommand>, market: Market, tag: string | undefined, confirmMs: number) {
    this.command = command;
    this.market = market;
    this.tag = tag;
    this.#confirmMs = confirmMs;
  }

  get intentId(): IntentId {
    return this.command.intentId;
  }

  get leaves(): Lots {
    return (this.command.terms.lots - this.#filled) as Lots;
  }

  /** For those who look at it from outside. */
  get open(): OpenOrder | undefined {
    const { intentId, orderId, leaves, stage } = this;
    if (stage === 'done') return undefined;
    return { intentId, pair: this.market.pair, orderId, stage: this.#doubted ? 'in-doubt' : stage, leaves };
  }

  /** Nothing in the record is news: still active, and filled as far as is known. */
  isAsKnown(record: OrderRecord): boolean {
    return (
      record.status === 'ACTIVE' &&
      stepsNear(this.market.quantityGrid, record.filledQuantity) === this.#filled
    );
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

  reject(reason: string, time: number): ExecutionReport[] {
    this.stage = 'done';
    return [{ kind: 'rejected', intentId: this.intentId, reason, time }];
  }

  doubt(reason: string, time: number): ExecutionReport[] {
    this.stage = 'in-doubt';
    return [{ kind: 'in-doubt', intentId: this.intentId, reason, time }];
  }

  /** `readAt`: monotonic ms at which the request for this record started. */
  take(record: OrderRecord, readAt: number): ExecutionReport[] {
    if (this.stage !== 'live' || record.id !== this.orderId) return [];
    const venueFilled = stepsNear(this.market.quantityGrid, record.filledQuantity);
    if (venueFilled < this.#filled) return [];
    const { reports, readable } = this.#newFills(record);
    if (this.#filled === this.command.terms.lots) {
      this.stage = 'done';
      return reports;
    }
    const addsUp = venueFilled === this.#filled;
    if (addsUp) this.#doubted = false;
    const final = record.status === 'CANCELLED' || record.status === 'COMPLETED';
    if (final) {
      this.ended = true;
      if (this.#endedWith !== venueFilled) {
        this.#endedWith = venueFilled;
        this.#endedAt = readAt;
      }
    }
    const age = readAt - this.#endedAt;
    if (record.status === 'CANCELLED' && addsUp) {
      if (age < this.#confirmMs) return reports;
      this.stage = 'done';
      const { intentId } = this;
      const reason = record.message ?? 'canceled';
      return [...reports, { kind: 'canceled', intentId, orderId: record.id, reason, time: record.time }];
    }
    const hidden = !addsUp && (record.fills === undefined || !readable);
    return hidden || (final && age >= SETTLE_MS) ? [...reports, ...this.#unbooked(record)] : reports;
  }

  /** `readable` is false when a shown fill cannot be booked: off the grid, or more than was ordered. */
  #newFills(record: OrderRecord): { reports: ExecutionReport[]; readable: boolean } {
    const { side, lots } = this.command.terms;
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
    const reason = `the venue says that ${record.filledQuantity} was filled and its fills do not show it`;
    return [{ kind: 'in-doubt', intentId: this.intentId, reason, time: record.time }];
  }
}
