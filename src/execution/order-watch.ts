import type { OrderRecord } from '../model/venue-records.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { VenueApi } from '../ports/venue-api.js';
import type { DoubtResolver } from './doubt-resolver.js';
import type { OwnOrders } from './own-orders.js';
import type { TrackedOrder } from './tracked-order.js';

export interface OrderWatchOptions {
  readonly api: Pick<VenueApi, 'orders' | 'order'>;
  readonly own: OwnOrders;
  readonly resolver: DoubtResolver;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** Start to start of the reads of all live orders, ms. */
  readonly everyMs: number;
  /** Orders a list may hold. */
  readonly limit: number;
  /** Venue ms, for reports that no record dates. */
  readonly now: () => number;
  /** An order carries our tag, and is not the one that the tag's intent is bound to. */
  readonly onSurplus: (record: OrderRecord) => void;
  /** Is told of each round, so that a stop can wait for it. */
  readonly track: (round: Promise<void>) => void;
}

/** The longest pause between two looks that bring nothing, ms. */
const MAX_PAUSE_MS = 30_000;

/**
 * Looks after orders for as long as there are any: one list of the active ones for all, and a read of each that is not
 * as known. One round at a time; a slow or failing venue makes rounds rarer, never more.
 */
export class OrderWatch {
  readonly #options: OrderWatchOptions;
  #cancelTimer: CancelTimer | undefined;
  #busy = false;
  #stopped = false;
  #failures = 0;
  #reads = 0;
  #readFailures = 0;

  constructor(options: OrderWatchOptions) {
    this.#options = options;
  }

  get stats(): { readonly reads: number; readonly readFailures: number } {
    return { reads: this.#reads, readFailures: this.#readFailures };
  }

  /** There is something to look after. */
  wake(): void {
    if (this.#stopped || this.#busy || this.#cancelTimer !== undefined || !this.#hasWork()) return;
    this.#schedule(this.#options.everyMs);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Reads one order now; false when the read failed. */
  async read(order: TrackedOrder): Promise<boolean> {
    const { api, own, clock, log } = this.#options;
    if (order.stage !== 'live' || order.orderId === undefined) return true;
    const readAt = clock.monotonic();
    this.#reads++;
    let record: OrderRecord;
    try {
      record = await api.order(order.orderId);
    } catch (error) {
      // "Not found" proves nothing either: a read may be older than the order.
      this.#readFailures++;
      log.debug('an order could not be read', { orderId: order.orderId, error: String(error) });
      return false;
    }
    if (own.take(order, record, readAt)) order.quietLooks = 0;
    return true;
  }

  /** The active orders, ours among them taken in. Rejects when the venue does not answer. */
  async list(): Promise<readonly OrderRecord[]> {
    const { api, own, clock, limit, onSurplus } = this.#options;
    const readAt = clock.monotonic();
    const records = await api.orders('active', { limit });
    for (const record of records) {
      const order = own.tagged(record.oco);
      if (order?.stage === 'in-doubt') own.accept(order, record, readAt);
      else if (!own.knows(record.id) && order?.stage !== 'sent') onSurplus(record);
    }
    return records;
  }

  #hasWork(): boolean {
    const { own } = this.#options;
    return own.at('live').length > 0 || own.at('in-doubt').length > 0;
  }

  #schedule(ms: number): void {
    this.#cancelTimer = this.#options.timers.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#options.track(this.#round());
    });
  }

  async #round(): Promise<void> {
    const { everyMs, clock, log } = this.#options;
    const startedAt = clock.monotonic();
    this.#busy = true;
    try {
      await this.#watchLive();
      await this.#resolveDoubts();
      if (this.#failures > 0) log.info('orders can be watched again', { failures: this.#failures });
      this.#failures = 0;
    } catch (error) {
      if (this.#failures++ === 0) log.warn('orders cannot be watched', { error: String(error) });
    } finally {
      this.#busy = false;
    }
    if (this.#stopped || !this.#hasWork()) return;
    const pause = Math.min(everyMs * 2 ** Math.min(this.#failures, 20), Math.max(everyMs, MAX_PAUSE_MS));
    const now = clock.monotonic();
    this.#schedule(Math.max(startedAt + pause, now + everyMs / 10) - now);
  }

  async #watchLive(): Promise<void> {
    const { own, clock } = this.#options;
    // Those that come while the list is under way may rightly be absent from it.
    const live = own.at('live');
    if (live.length === 0) return;
    const readAt = clock.monotonic();
    const active = new Map((await this.list()).map((record) => [record.id, record]));
    for (const order of live) {
      const record = order.orderId === undefined ? undefined : active.get(order.orderId);
      if (record !== undefined) {
        // A list may carry the fills too, and then no read is needed.
        own.take(order, record, readAt);
        if (order.isAsKnown(record)) {
          order.quietLooks = 0;
          order.nextLook = 0;
        }
      }
      if (order.stage !== 'live' || (record !== undefined && order.isAsKnown(record))) continue;
      if (this.#stopped) return;
      if (order.nextLook > clock.monotonic()) continue;
      await this.read(order);
      this.#postpone(order);
    }
  }

  async #resolveDoubts(): Promise<void> {
    const { own, clock, resolver, now } = this.#options;
    for (const order of own.at('in-doubt')) {
      if (this.#stopped) return;
      if (order.nextLook > clock.monotonic()) continue;
      const readAt = clock.monotonic();
      const { intentId, tag, sentAt, market, command } = order;
      const verdict = await resolver.resolve({
        intentId,
        tag,
        sentAt,
        pair: market.pair,
        terms: command.terms,
      });
      this.#postpone(order);
      // Another look may have found it meanwhile.
      if (order.stage !== 'in-doubt') continue;
      if (verdict.kind === 'present') own.accept(order, verdict.order, readAt);
      else if (verdict.kind === 'absent') own.reject(order, verdict.reason, now());
    }
  }

  /** What brings nothing is looked at more and more rarely. */
  #postpone(order: TrackedOrder): void {
    const pause = Math.min(this.#options.everyMs * 2 ** Math.min(order.quietLooks++, 20), MAX_PAUSE_MS);
    // Half an interval early: the round that is due then must not miss it by a hair.
    order.nextLook = this.#options.clock.monotonic() + pause - this.#options.everyMs / 2;
  }
}
