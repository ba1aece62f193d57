import { type Observable, Subject } from 'rxjs';
import type { Approved, CancelCommand, PlaceCommand } from '../model/command.js';
import { InvariantError } from '../model/errors.js';
import type { Market } from '../model/market.js';
import type { ExecutionReport } from '../model/report.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { OrderGateway } from '../ports/order-gateway.js';
import type { PlaceOutcome, VenueApi } from '../ports/venue-api.js';
import { cancelUntilEnded } from './cancellation.js';
import { type DoubtResolver, PresenceByTag } from './doubt-resolver.js';
import { IntentSet } from './intent-set.js';
import { OrderWatch } from './order-watch.js';
import { OwnOrders } from './own-orders.js';
import { PlaceLanes } from './place-lanes.js';
import { cancelAllOwn, settledWithin } from './shutdown.js';
import { type OpenOrder, TrackedOrder } from './tracked-order.js';

export interface ExecutionOptions {
  readonly api: Pick<VenueApi, 'place' | 'cancel' | 'cancelMany' | 'order' | 'orders' | 'clock'>;
  readonly markets: ReadonlyMap<string, Market>;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** Unique among all sessions of the account: intents count from 1 in each, and tags must not meet again. */
  readonly session: string;
  /** The venue shows this order field again: orders are tagged, and doubt is resolved by the tag. */
  readonly echo: 'oco' | undefined;
  /** How long reads may show old news, ms. */
  readonly visibilityMs: number;
  /** Orders that a list may hold. */
  readonly listLimit: number;
  /** Start to start of the watch over live orders, ms. */
  readonly watchEveryMs: number;
  /** Default: presence by tag. */
  readonly resolver?: DoubtResolver;
}

export interface ExecutionStats {
  readonly placed: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Posts that proved nothing. */
  readonly doubts: number;
  readonly fills: number;
  readonly cancels: number;
  /** Orders with a tag of ours beyond the one its intent is bound to. */
  readonly surplus: number;
  readonly reads: number;
  readonly readFailures: number;
}

const LEAST_SETTLE_MS = 2_000;

/**
 * The way of approved commands to a real venue. Each place is posted at most once, one at a time a pair and in order;
 * cancels overtake. What the venue then shows becomes reports, given synchronously as its answers arrive: each intent
 * ends in one of rejected, canceled or filled to the last lot, or stays in doubt for all to see.
 */
export class Execution implements OrderGateway {
  readonly reports$: Observable<ExecutionReport>;
  readonly #options: ExecutionOptions;
  readonly #reports = new Subject<ExecutionReport>();
  readonly #own: OwnOrders;
  readonly #watch: OrderWatch;
  readonly #claimed = new IntentSet();
  readonly #lanes = new PlaceLanes((order) => this.#place(order));
  readonly #canceling = new Set<TrackedOrder>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #surplusIds = new Set<string>();
  readonly #stop = new AbortController();
  readonly #stats = { placed: 0, accepted: 0, rejected: 0, doubts: 0, cancels: 0, surplus: 0 };
  #closed: string | undefined;

  constructor(options: ExecutionOptions) {
    this.#options = options;
    this.reports$ = this.#reports.asObservable();
    const { api, timers, clock, log, listLimit: limit } = options;
    this.#own = new OwnOrders(this.#reports, log);
    this.#watch = new OrderWatch({
      api,
      own: this.#own,
      resolver: options.resolver ?? new PresenceByTag(api, log, limit),
      timers,
      clock,
      log,
      everyMs: options.watchEveryMs,
      limit,
      now: () => this.#now(),
      onSurplus: (record) => this.#surplus(record),
      track: (round) => void this.#track(round),
    });
  }

  get stats(): ExecutionStats {
    return { ...this.#stats, fills: this.#own.fills, ...this.#watch.stats };
  }

  /** Orders that are not done, in the order of their commands. */
  openOrders(): readonly OpenOrder[] {
    return this.#own.open();
  }

  /**
   * Returns at once; what becomes of the command arrives as reports.
   *
   * @throws InvariantError when an intent is to be placed a second time: nothing on this wire would tell the two apart.
   */
  send(command: Approved): void {
    if (command.kind === 'cancel') this.#cancel(command);
    else this.#take(command);
  }

  /**
   * Cancels every order of this session and looks until two lists in a row are free of them, or until the deadline.
   * No place is sent any more. Resolves to what is left: orders still live, and those in doubt.
   */
  async cancelAllOwn(deadlineMs: number): Promise<readonly OpenOrder[]> {
    this.#close('shutting down');
    const { api, timers, clock, log, visibilityMs } = this.#options;
    const isOurs = (record: OrderRecord) => this.#own.knows(record.id) || this.#isTagged(record);
    const venue = { api, own: this.#own, watch: this.#watch, isOurs };
    await cancelAllOwn({ ...venue, timers, clock, log, visibilityMs, deadlineMs, signal: this.#stop.signal });
    return this.openOrders();
  }

  /** Lets what is under way finish, for at most `deadlineMs`, and ends the reports. Resolves to what is left. */
  async stop(deadlineMs: number): Promise<readonly OpenOrder[]> {
    const { timers, clock } = this.#options;
    this.#close('stopped');
    this.#watch.stop();
    await settledWithin(deadlineMs, timers, clock, () => this.#underWay);
    for (const order of this.#own.at('sent')) this.#doubt(order, 'stopped before the answer');
    this.#stop.abort(new Error('execution is stopped'));
    this.#reports.complete();
    return this.openOrders();
  }

  #take(command: Approved<PlaceCommand>): void {
    const { intentId, pair } = command;
    if (!this.#claimed.add(intentId)) {
      throw new InvariantError('an intent must be placed once, received it again', {
        facts: { intentId, pair },
      });
    }
    const market = this.#options.markets.get(pair);
    if (market === undefined) {
      throw new InvariantError('an approved command must name a known pair', { facts: { intentId, pair } });
    }
    const tag = this.#options.echo === undefined ? undefined : `${this.#options.session}-${intentId}`;
    const order = new TrackedOrder(command, market, tag, this.#options.visibilityMs);
    this.#own.add(order);
    if (this.#closed !== undefined) {
      this.#reject(order, `not sent: ${this.#closed}`);
      return;
    }
    this.#lanes.add(order);
  }

  #place(order: TrackedOrder): Promise<void> {
    return this.#track(this.#placeNow(order));
  }

  async #placeNow(order: TrackedOrder): Promise<void> {
    order.stage = 'sent';
    order.sentAt = this.#now();
    this.#stats.placed++;
    const readAt = this.#options.clock.monotonic();
    const outcome = await this.#post(order);
    // Given up by a stop that could not wait.
    if (order.stage !== 'sent') return;
    switch (outcome.kind) {
      case 'accepted':
        this.#stats.accepted++;
        this.#own.accept(order, outcome.order, readAt);
        break;
      case 'refused':
        this.#reject(order, outcome.reason);
        break;
      case 'not-sent':
        this.#reject(order, `not sent: ${outcome.reason}`);
        break;
      case 'in-doubt':
        this.#doubt(order, outcome.reason);
        break;
    }
    this.#watch.wake();
  }

  async #post({ market, command, tag, intentId }: TrackedOrder): Promise<PlaceOutcome> {
    try {
      return await this.#options.api.place(market, command.terms, tag);
    } catch (error) {
      // The port promises not to: whatever it is, it proves nothing about the order.
      this.#options.log.error('the client failed on a place', { intentId, error: String(error) });
      return { kind: 'in-doubt', reason: `the client failed: ${String(error)}` };
    }
  }

  #cancel({ intentId, pair, orderId }: CancelCommand): void {
    const order = this.#own.get(intentId);
    if (order?.stage === 'live') {
      if (this.#canceling.has(order)) return;
      this.#canceling.add(order);
      void this.#track(this.#cancelLive(order));
    } else if (order === undefined && this.#claimed.has(intentId)) {
      // It has ended, and the report of that says more than an answer to this could.
      this.#options.log.debug('a cancel came after the end of its order', { pair, orderId });
    } else {
      this.#own.cancelRejected(intentId, 'no such order of this session is live', this.#now());
    }
  }

  async #cancelLive(order: TrackedOrder): Promise<void> {
    const { api, timers, clock, log, visibilityMs } = this.#options;
    const { signal } = this.#stop;
    const settleMs = Math.max(LEAST_SETTLE_MS, 2 * visibilityMs);
    this.#stats.cancels++;
    const how = { api, watch: this.#watch, timers, clock, log, settleMs, signal };
    let alive: string | undefined;
    try {
      alive = await cancelUntilEnded(order, how);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      // Before the report: who hears it may ask again at once.
      this.#canceling.delete(order);
    }
    if (alive !== undefined) this.#own.cancelRejected(order.intentId, alive, this.#now());
  }

  /** Ours by its tag, and bound to no intent: a request was doubled on its way. Nobody wants it. */
  #surplus(record: OrderRecord): void {
    if (!this.#isTagged(record)) return;
    if (!this.#surplusIds.has(record.id)) {
      this.#surplusIds.add(record.id);
      this.#stats.surplus++;
      this.#options.log.error('the venue holds an order of ours that no intent asked for', {
        pair: record.pair,
        orderId: record.id,
        tag: record.oco,
      });
    }
    void this.#track(this.#options.api.cancel(record.id).then(() => undefined));
  }

  #isTagged({ oco = '' }: OrderRecord): boolean {
    const prefix = `${this.#options.session}-`;
    // Digits only: the name of another session may begin like ours.
    return (
      this.#options.echo !== undefined && oco.startsWith(prefix) && /^\d+$/.test(oco.slice(prefix.length))
    );
  }

  #reject(order: TrackedOrder, reason: string): void {
    this.#stats.rejected++;
    this.#own.reject(order, reason, this.#now());
  }

  #doubt(order: TrackedOrder, reason: string): void {
    this.#stats.doubts++;
    this.#own.doubt(order, reason, this.#now());
  }

  /** What waits is not sent any more. */
  #close(reason: string): void {
    this.#closed ??= reason;
    for (const order of this.#lanes.drain()) this.#reject(order, `not sent: ${reason}`);
  }

  #track(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    return tracked;
  }

  #now(): number {
    return Math.floor(this.#options.api.clock.now());
  }
}
