import type { Approved } from '../model/command.js';
import type { IntentId } from '../model/order.js';
import type { ExecutionReport } from '../model/report.js';
import type { RejectPause } from './limits.js';

/**
 * Watches how many of the newest orders the venue rejects. Above the limit something is wrong that more orders would only
 * make worse, so no order may add risk before `pausedUntil`.
 */
export class Rejections {
  readonly #limit: RejectPause | undefined;
  readonly #unanswered = new Set<IntentId>();
  /** The newest orders, oldest first: true for each that was rejected. */
  #outcomes: boolean[] = [];
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** Reason of the newest rejection, in the venue's words; `undefined`: there was none. */
  reason: string | undefined;

  constructor(limit: RejectPause | undefined) {
    this.#limit = limit;
  }

  /** Venue ms; −Infinity: there was never a pause. */
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

  /** Counts the first report of each order, which says whether the venue took it. Doubt says nothing and does not count. */
  report(report: ExecutionReport): void {
    if (this.#unanswered.size === 0 || report.kind === 'in-doubt' || report.kind === 'late-fill') return;
    if (!this.#unanswered.delete(report.intentId)) return;
    // We kept such an order back ourselves; the venue did not reject it.
    if (report.kind === 'rejected' && isKept(report)) return;
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

/** Captures of earlier versions say `tooSoon` or `alike` alone. */
function isKept({ unsent, tooSoon, alike }: Extract<ExecutionReport, { kind: 'rejected' }>): boolean {
  return unsent === true || tooSoon === true || alike === true;
}
