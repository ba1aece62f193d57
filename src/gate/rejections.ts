import type { Approved } from '../model/command.js';
import type { IntentId } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import type { RejectPause } from './limits.js';

/**
 * Whether the venue takes what it is sent. Where it mostly does not, something is wrong that more orders only make
 * worse: `pausedUntil`.
 */
export class Rejections {
  readonly #limit: RejectPause | undefined;
  readonly #unanswered = new Set<IntentId>();
  /** Of the newest orders: whether each was rejected. */
  #outcomes: boolean[] = [];
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** Of the newest rejection, as the venue gave it. */
  reason: string | undefined;

  constructor(limit: RejectPause | undefined) {
    this.#limit = limit;
  }

  /** Venue ms; long past when there is no pause. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** How many of the newest orders were rejected; a pause starts the count anew. */
  get rejected(): number {
    return this.#outcomes.filter((rejected) => rejected).length;
  }

  approved(command: Approved): void {
    if (this.#limit !== undefined && command.kind === 'place') this.#unanswered.add(command.intentId);
  }

  /** The first word on an order counts, once; doubt is none. */
  report(report: ExecutionReport): void {
    if (this.#unanswered.size === 0 || report.kind === 'in-doubt' || report.kind === 'late-fill') return;
    if (!this.#unanswered.delete(report.intentId)) return;
    // Nobody rejected it.
    if (report.kind === 'rejected' && (report.tooSoon === true || report.alike === true)) return;
    if (report.kind === 'rejected') this.reason = report.reason;
    this.#count(report.kind === 'rejected', report.time);
  }

  #count(rejected: boolean, time: number): void {
    if (this.#limit === undefined) return;
    this.#outcomes = [...this.#outcomes, rejected].slice(-this.#limit.of);
    if (this.rejected < this.#limit.rejected) return;
    this.#pausedUntil = time + this.#limit.forMs;
    this.#outcomes = [];
  }
}
