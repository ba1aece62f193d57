import type { Lots } from '../model/grid.js';
import { optionsOf, type OrderTerms } from '../model/order.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { LeavingOrder, PlaceOutcome } from '../ports/venue-api.js';
import type { Chronicle } from './chronicle.js';
import type { ExecutionOptions, ExecutionStats } from './execution-options.js';
import { worstCase } from './exposure-check.js';
import { SKEW_MS, tellApart } from './fingerprint.js';
import { LeavingRecord } from './leaving-record.js';
import type { OwnOrders } from './own-orders.js';
import { type PairReport, RESERVE_MS } from './pair-watch.js';
import type { TrackedOrder } from './tracked-order.js';

export interface PlacingParts {
  readonly own: OwnOrders;
  readonly chronicle: Chronicle;
  /** The pair's state and what it permits, as of now. */
  readonly state: () => PairReport;
  /** Why no order leaves any more; `undefined`: orders may leave. */
  readonly closed: () => string | undefined;
  /** Asks for an early look at the pair: something has changed at the venue. */
  readonly wake: () => void;
  /** Venue ms. */
  readonly now: () => number;
}

/**
 * Sends one order and settles what the answer proves (`reliability.md` b.3, b.4). The preconditions are checked when the
 * order gets its turn and again at the socket. Its PREP record is on the disk before its first byte leaves, and it is
 * posted at most once.
 */
export class Placing {
  readonly #options: ExecutionOptions;
  readonly #parts: PlacingParts;
  readonly #own: OwnOrders;
  readonly #chronicle: Chronicle;
  readonly #stats = { placed: 0, accepted: 0, rejected: 0, doubts: 0 };

  constructor(options: ExecutionOptions, parts: PlacingParts) {
    this.#options = options;
    this.#parts = parts;
    this.#own = parts.own;
    this.#chronicle = parts.chronicle;
  }

  get stats(): Pick<ExecutionStats, 'placed' | 'accepted' | 'rejected' | 'doubts'> {
    return this.#stats;
  }

  /** Resolves when the answer is settled, or the order was refused here. Never rejects. */
  async place(order: TrackedOrder): Promise<void> {
    const { clock, api } = this.#options;
    const refusal = this.#refusalOf(order);
    if (refusal !== undefined) {
      this.keep(order, refusal);
      return;
    }
    order.stage = 'sent';
    order.sentAt = this.#parts.now();
    order.sentMono = clock.monotonic();
    const readAt = order.sentMono;
    let outcome: PlaceOutcome;
    try {
      const { market, terms, tag } = order;
      outcome = await api.place(market, terms, tag, optionsOf(terms), (request) => this.#vow(order, request));
    } catch (error) {
      // `place` promises never to reject. If it does, nobody knows whether the order left.
      this.#options.log.error('the client failed on a place', { intent: order.key, error: String(error) });
      outcome = { kind: 'in-doubt', reason: `the client failed: ${String(error)}` };
    }
    // Given up by a stop that could not wait.
    if (order.stage !== 'sent') return;
    this.#settle(order, outcome, readAt);
    this.#parts.wake();
  }

  /**
   * The terms, with some lots taken off if needed, so that the venue shows no other order of ours that is not over with the
   * same terms. `undefined`: no quantity within reach is unique.
   */
  distinct(terms: OrderTerms): OrderTerms | undefined {
    const { market, lateMs, visibilityMs } = this.#options;
    const { pair, filters } = market;
    const since = this.#parts.now() - lateMs - visibilityMs - SKEW_MS;
    const booked = this.#chronicle.books
      .intents(pair)
      .filter(({ orderId, stage, sentAt }) => sentAt >= since || (orderId === undefined && stage !== 'done'));
    const waiting = [...this.#own.at('queued'), ...this.#own.at('sent')];
    const taken = [...booked, ...waiting].map((other) => other.terms);
    const { step, min } = filters.quantity;
    return tellApart(terms, taken, { step, min });
  }

  /** The order never left. */
  keep(order: TrackedOrder, reason: string): void {
    order.isUnsent = true;
    this.reject(order, `not sent: ${reason}`);
  }

  reject(order: TrackedOrder, reason: string): void {
    this.#stats.rejected++;
    this.#own.reject(order, reason, this.#parts.now());
  }

  doubt(order: TrackedOrder, reason: string): void {
    this.#stats.doubts++;
    this.#out(order, 'in-doubt', reason);
    this.#own.doubt(order, reason, this.#parts.now());
  }

  #settle(order: TrackedOrder, outcome: PlaceOutcome, readAt: number): void {
    switch (outcome.kind) {
      case 'accepted':
        this.#accept(order, outcome.order, readAt);
        break;
      case 'refused':
        this.#out(order, 'refused', outcome.reason);
        this.reject(order, outcome.reason);
        break;
      case 'not-sent':
        this.#out(order, 'not-sent', outcome.reason);
        this.keep(order, outcome.reason);
        break;
      case 'in-doubt':
        this.doubt(order, outcome.reason);
        break;
    }
  }

  /** An answer that names an order of another intent is doubt: one of the two bindings is wrong, and nobody knows which. */
  #accept(order: TrackedOrder, record: OrderRecord, readAt: number): void {
    const holder = this.#own.intentOf(record.id);
    if (holder !== undefined) {
      const reason = `the answer must show an order of its own, received ${record.id}, which is that of ${holder}`;
      this.doubt(order, reason);
      return;
    }
    this.#stats.accepted++;
    this.#own.accept(order, record, readAt);
  }

  /**
   * The last check before the socket: returns why the order must not leave, or journals it as about to leave. Where a
   * connection had to be made first it runs a second time, once the connection stands. The order is in the journal by then
   * and counts as sent.
   */
  #vow(order: TrackedOrder, request: LeavingOrder): string | undefined {
    const isWritten = this.#chronicle.books.intent(order.key) !== undefined;
    const refusal = this.#refusalOf(order, isWritten);
    if (refusal !== undefined) return refusal;
    const { clock } = this.#options;
    order.sentAt = this.#parts.now();
    order.sentMono = clock.monotonic();
    if (this.#options.fenceMs !== undefined) order.validUntil = request.validUntil;
    if (isWritten) return undefined;
    const position = this.#chronicle.books.position(order.market.pair) ?? (0 as Lots);
    try {
      this.#chronicle.vow(new LeavingRecord(order, request, { position, wall: clock.wall() }));
    } catch (error) {
      return `the journal cannot be written: ${(error as Error).message}`;
    }
    this.#stats.placed++;
    return undefined;
  }

  /**
   * Why an order must not leave at this moment; `undefined`: it may. `isCounted`: the pace limits count the order
   * already, so they are not asked whether there is room for it.
   */
  #refusalOf(order: TrackedOrder, isCounted = false): string | undefined {
    const { market, terms, key } = order;
    const { pair } = market;
    const { failure, books } = this.#chronicle;
    const closed = this.#parts.closed();
    if (closed !== undefined) return closed;
    if (failure !== undefined) return `the journal cannot be written: ${failure}`;
    const { state, permission, reason } = this.#parts.state();
    const isAllowed = permission === 'all' || (permission === 'reduce-only' && terms.reduceOnly);
    // Under a halt above `pause` nothing rests: a stop would be canceled at once, and placed again, without end.
    const rests = terms.trigger !== undefined && books.halt !== undefined && books.halt !== 'pause';
    if (!isAllowed || rests) return `${pair} is ${state}: ${reason}`;
    // Without a known position the fills of the order could not be added to anything.
    if (books.position(pair) === undefined) return `what is held on ${pair} is not known yet`;
    const soon = isCounted ? undefined : this.#options.tooSoon?.(terms.reduceOnly);
    if (soon !== undefined) {
      order.isTooSoon = true;
      return soon;
    }
    const other = this.#options.mayPlace?.(terms.reduceOnly);
    if (other !== undefined) return other;
    const most = this.#options.maxPosition?.();
    if (most === undefined || terms.reduceOnly) return undefined;
    const reserved = books.tombstones(pair, this.#parts.now() - RESERVE_MS);
    const held = books.position(pair) ?? (0 as Lots);
    const open = this.#own.all().filter((each) => each.key !== key && each.stage !== 'queued');
    const worst = worstCase(held, terms, [...open.map(leavesOf), ...reserved]);
    // An order that does not enlarge the position may leave even while the position exceeds the bound.
    if (worst <= most || worst <= Math.abs(held)) return undefined;
    return `max-position: the position in the worst case must be at most ${most} lots, received ${worst}`;
  }

  /** Journals the outcome of an order that has a PREP record; any other order never left. */
  #out({ key: intent }: TrackedOrder, outcome: 'refused' | 'not-sent' | 'in-doubt', reason: string): void {
    if (this.#chronicle.books.intent(intent) === undefined) return;
    this.#chronicle.note({ kind: 'out', intent, outcome, reason }, 'durable');
  }
}

function leavesOf({ terms, leaves }: TrackedOrder) {
  return { terms: { ...terms, lots: leaves } };
}
