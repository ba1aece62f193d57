import { type Observable, Subject } from 'rxjs';
import type { Approved, CancelCommand, PlaceCommand } from '../model/command.js';
import { InvariantError } from '../model/errors.js';
import type { Lots } from '../model/grid.js';
import type { HaltLevel, IntentKey } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { IntentId } from '../model/order.js';
import type { PairState } from '../model/pair-state.js';
import type { ExecutionReport } from '../model/report.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { OrderGateway } from '../ports/order-gateway.js';
import type { LeavingOrder, OrderListState, PlaceOutcome, VenueApi } from '../ports/venue-api.js';
import type { BookedIntent } from './books-state.js';
import { cancelUntilEnded } from './cancellation.js';
import { Chronicle, NO_BOT_JOURNAL } from './chronicle.js';
import type { Claim } from './claim.js';
import { worstCase } from './exposure-check.js';
import { SKEW_MS, tellApart } from './fingerprint.js';
import { IntentSet } from './intent-set.js';
import { LeavingRecord } from './leaving-record.js';
import { OwnOrders } from './own-orders.js';
import type { AgreedCut, ForeignActivity } from './pair-evidence.js';
import { type PairReport, PairWatch, RESERVE_MS } from './pair-watch.js';
import { PlaceLanes } from './place-lanes.js';
import { cancelAllOwn, settledWithin } from './shutdown.js';
import { type OpenOrder, TrackedOrder } from './tracked-order.js';

/** `reliability.md` b.3: no tag, and no quantity left that would make it one of its kind. */
const FINGERPRINT_BUSY =
  'FINGERPRINT_BUSY: an order that this venue would show alike is not over yet, and no lot fewer tells them apart';

export interface ExecutionOptions {
  readonly api: Pick<
    VenueApi,
    'place' | 'cancel' | 'cancelMany' | 'order' | 'orders' | 'position' | 'fills' | 'clock'
  >;
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
  /** Later than this after its sending no request is executed any more (`reliability.md` A2), ms. */
  readonly lateMs: number;
  /**
   * The receive window, where keeping to it is what bounds late execution, venue ms: nothing is proven absent before the
   * venue's own clock, which may be slow or stand still, is past what the request was given.
   */
  readonly fenceMs?: number | undefined;
  /** What was agreed with the venue longer ago is no ground for risk, ms. */
  readonly staleMs: number;
  /** Rows that a list may hold. */
  readonly listLimit: number;
  /** Order lists whose union holds every order of the account. */
  readonly lists: readonly OrderListState[];
  /** Start to start of two looks at a pair, ms. */
  readonly watchEveryMs: number;
  /** What earlier lives wrote, and where this one writes; default: nothing is kept. */
  readonly chronicle?: Chronicle;
  /** A position without a journal that explains it: taken as it is, or left to an operator. Default `adopt`. */
  readonly firstStart?: 'adopt' | 'flat-only';
  /** Fills of no order of ours: they stop the pair, or are taken into the position. Default `quarantine`. */
  readonly external?: 'adopt' | 'quarantine';
  /** Largest |position| in any possible world, per pair; `undefined`: no bound here. */
  readonly maxPosition?: (pair: string) => Lots | undefined;
  /** What else must hold in the moment an order leaves; why it must not. */
  readonly mayPlace?: (pair: string, reduceOnly: boolean) => string | undefined;
  /** Why an order must wait for nothing but time; asked before what else must hold. */
  readonly tooSoon?: (pair: string, reduceOnly: boolean) => string | undefined;
}

export interface ExecutionStats {
  readonly placed: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Posts that proved nothing. */
  readonly doubts: number;
  readonly fills: number;
  readonly cancels: number;
  /** Orders beyond the one that their intent is bound to, and those of intents that were given up. */
  readonly surplus: number;
  readonly reads: number;
  readonly readFailures: number;
}

const LEAST_SETTLE_MS = 2_000;

/**
 * The way of approved commands to a real venue. Each place is written down and then posted, at most once ever, one at a
 * time a pair and in order; cancels overtake. What the venue then shows becomes reports, given synchronously as its
 * answers arrive: each intent ends in one of rejected, canceled or filled to the last lot, or stays in doubt for all to
 * see. While a pair is not SYNCED nothing leaves that could add risk.
 */
export class Execution implements OrderGateway {
  readonly reports$: Observable<ExecutionReport>;
  /** Every change of a pair's state or permission. */
  readonly states$: Observable<PairReport>;
  readonly #options: ExecutionOptions;
  readonly #reports = new Subject<ExecutionReport>();
  readonly #states = new Subject<PairReport>();
  readonly #chronicle: Chronicle;
  readonly #own: OwnOrders;
  readonly #watches = new Map<string, PairWatch>();
  readonly #claimed = new IntentSet();
  readonly #lanes = new PlaceLanes((order) => this.#place(order));
  readonly #canceling = new Set<TrackedOrder>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #stats = { placed: 0, accepted: 0, rejected: 0, doubts: 0, cancels: 0, surplus: 0 };
  #started = false;
  #closed: string | undefined;

  constructor(options: ExecutionOptions) {
    this.#options = options;
    this.reports$ = this.#reports.asObservable();
    this.states$ = this.#states.asObservable();
    this.#chronicle = options.chronicle ?? new Chronicle(NO_BOT_JOURNAL);
    this.#own = new OwnOrders(this.#reports, this.#chronicle, options.log, (pair) =>
      this.#watch(pair).distrust(),
    );
    for (const market of options.markets.values()) this.#watches.set(market.pair, this.#watchOf(market));
  }

  get stats(): ExecutionStats {
    let reads = 0;
    let readFailures = 0;
    for (const { stats } of this.#watches.values()) {
      reads += stats.reads;
      readFailures += stats.readFailures;
    }
    return { ...this.#stats, fills: this.#own.fills, reads, readFailures };
  }

  /** Orders that are not done, in the order of their commands. */
  openOrders(): readonly OpenOrder[] {
    return this.#own.open();
  }

  /** Where a pair stands now. */
  state(pair: string): PairReport {
    return this.#watch(pair).report();
  }

  /** The same for whoever looks from outside of a session: what it does next must not depend on that. */
  glance(pair: string): PairReport {
    return this.#watch(pair).glance();
  }

  /** The last monotonic ms at which what was agreed on a pair is not too old; `undefined` when nothing was. */
  freshUntil(pair: string): number | undefined {
    return this.#watch(pair).freshUntil;
  }

  /** The newest look at which orders, fills and position of a pair agreed with the venue's. */
  agreed(pair: string): AgreedCut | undefined {
    return this.#watch(pair).agreed;
  }

  /** What somebody else does on a pair, as the newest look shows it. */
  foreign(pair: string): ForeignActivity {
    return this.#watch(pair).foreign;
  }

  /** Signed, by the journal; `undefined` before anything was agreed with the venue. */
  position(pair: string): Lots | undefined {
    return this.#chronicle.books.position(pair);
  }

  /**
   * Begins to hold the pairs against the venue, after what the journal says about earlier lives: their orders are looked
   * for, canceled and booked; boot is recovery. Before it no order that adds risk leaves.
   */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    for (const { pair } of this.#options.markets.values()) this.#recover(pair);
    for (const watch of this.#watches.values()) watch.start();
  }

  /** Resolves once the pair is none of `unsettled`, or nobody waits any more, with what it is. Never rejects; may never resolve. */
  settled(
    pair: string,
    unsettled: readonly PairState[] = ['BOOT', 'RECONCILING'],
    signal?: AbortSignal,
  ): Promise<PairReport> {
    return new Promise((resolve) => {
      const look = (report: PairReport) => {
        const waits = unsettled.includes(report.state) && signal?.aborted !== true;
        if (report.pair !== pair || waits) return;
        listening.unsubscribe();
        resolve(report);
      };
      const listening = this.#states.subscribe(look);
      signal?.addEventListener('abort', () => look(this.state(pair)), { once: true });
      look(this.state(pair));
    });
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

  /** Durable and latched: no order that adds risk leaves, in this life or a later one, until somebody resumes. */
  halt(level: HaltLevel, reason: string, by: string): void {
    this.#chronicle.note({ kind: 'halt', level, reason, by, wall: this.#options.clock.wall() }, 'durable');
    for (const watch of this.#watches.values()) watch.wake();
    if (level === 'pause') return;
    for (const order of this.#own.at('live')) this.#cancelUnwanted(order);
  }

  resume(reason: string, by: string): void {
    this.#chronicle.note({ kind: 'resume', reason, by, wall: this.#options.clock.wall() }, 'durable');
    for (const watch of this.#watches.values()) watch.wake();
  }

  /**
   * Cancels every order of ours and looks until two lists in a row are free of them, or until the deadline.
   * No place is sent any more. Resolves to what is left: orders still live, and those in doubt.
   */
  async cancelAllOwn(deadlineMs: number): Promise<readonly OpenOrder[]> {
    this.#close('shutting down');
    const { api, timers, clock, log, visibilityMs } = this.#options;
    const isOurs = (record: OrderRecord) => this.#own.knows(record.id) || this.#isTagged(record);
    const watches = [...this.#watches.values()];
    const how = { api, own: this.#own, watches, isOurs, timers, clock, log, visibilityMs };
    await cancelAllOwn({ ...how, deadlineMs, signal: this.#stop.signal });
    return this.openOrders();
  }

  /** Lets what is under way finish, for at most `deadlineMs`, and ends the reports. Resolves to what is left. */
  async stop(deadlineMs: number): Promise<readonly OpenOrder[]> {
    const { timers, clock } = this.#options;
    this.#close('stopped');
    for (const watch of this.#watches.values()) watch.stop();
    await settledWithin(deadlineMs, timers, clock, () => this.#underWay);
    for (const order of this.#own.at('sent')) this.#doubt(order, 'stopped before the answer');
    this.#stop.abort(new Error('execution is stopped'));
    this.#reports.complete();
    this.#states.complete();
    return this.openOrders();
  }

  #take(command: Approved<PlaceCommand>): void {
    const { intentId, pair, terms } = command;
    if (!this.#claimed.add(intentId)) {
      throw new InvariantError('an intent must be placed once, received it again', {
        facts: { intentId, pair },
      });
    }
    const market = this.#options.markets.get(pair);
    if (market === undefined) {
      throw new InvariantError('an approved command must name a known pair', { facts: { intentId, pair } });
    }
    const key = this.#keyOf(intentId);
    const { echo, visibilityMs: confirmMs, clock } = this.#options;
    const tag = echo === undefined ? undefined : key;
    const distinct = echo === undefined ? this.#tellApart(market, command) : terms;
    const order = new TrackedOrder({
      key,
      intentId,
      market,
      terms: distinct ?? terms,
      asked: terms.lots,
      tag,
      confirmMs,
      clock,
    });
    this.#own.add(order);
    order.isAlike = this.#closed === undefined && distinct === undefined;
    const refusal = this.#closed ?? (distinct === undefined ? FINGERPRINT_BUSY : undefined);
    if (refusal === undefined) this.#lanes.add(order);
    else this.#reject(order, `not sent: ${refusal}`);
  }

  #place(order: TrackedOrder): Promise<void> {
    return this.#track(this.#placeNow(order));
  }

  async #placeNow(order: TrackedOrder): Promise<void> {
    const { clock, api } = this.#options;
    const refusal = this.#refusalOf(order);
    if (refusal !== undefined) {
      this.#reject(order, `not sent: ${refusal}`);
      return;
    }
    order.stage = 'sent';
    order.sentAt = this.#now();
    order.sentMono = clock.monotonic();
    const readAt = order.sentMono;
    let outcome: PlaceOutcome;
    try {
      const { market, terms, tag } = order;
      outcome = await api.place(market, terms, tag, undefined, (request) => this.#vow(order, request));
    } catch (error) {
      // The port promises not to: whatever it is, it proves nothing about the order.
      this.#options.log.error('the client failed on a place', { intent: order.key, error: String(error) });
      outcome = { kind: 'in-doubt', reason: `the client failed: ${String(error)}` };
    }
    // Given up by a stop that could not wait.
    if (order.stage !== 'sent') return;
    this.#settle(order, outcome, readAt);
    this.#watch(order.market.pair).wake();
  }

  #settle(order: TrackedOrder, outcome: PlaceOutcome, readAt: number): void {
    switch (outcome.kind) {
      case 'accepted':
        this.#accept(order, outcome.order, readAt);
        break;
      case 'refused':
        this.#out(order, 'refused', outcome.reason);
        this.#reject(order, outcome.reason);
        break;
      case 'not-sent':
        this.#out(order, 'not-sent', outcome.reason);
        this.#reject(order, `not sent: ${outcome.reason}`);
        break;
      case 'in-doubt':
        this.#doubt(order, outcome.reason);
        break;
    }
  }

  /** An order is one intent's alone: whichever of the two is wrong, the answer proves nothing. */
  #accept(order: TrackedOrder, record: OrderRecord, readAt: number): void {
    const holder = this.#own.intentOf(record.id);
    if (holder !== undefined) {
      const reason = `the answer must show an order of its own, received ${record.id}, which is that of ${holder}`;
      this.#doubt(order, reason);
      return;
    }
    this.#stats.accepted++;
    this.#own.accept(order, record, readAt);
  }

  /**
   * The last look before the socket: what does not hold now stops the order, and what is sent is written down first.
   * Where a connection had to be made it is looked at again when it is there; it was written down, and counts as sent.
   */
  #vow(order: TrackedOrder, request: LeavingOrder): string | undefined {
    const isWritten = this.#chronicle.books.intent(order.key) !== undefined;
    const refusal = this.#refusalOf(order, isWritten);
    if (refusal !== undefined) return refusal;
    const { clock } = this.#options;
    order.sentAt = this.#now();
    order.sentMono = clock.monotonic();
    if (this.#options.fenceMs !== undefined) order.validUntil = request.validUntil;
    if (isWritten) return undefined;
    const position = this.position(order.market.pair) ?? (0 as Lots);
    try {
      this.#chronicle.vow(new LeavingRecord(order, request, { position, wall: clock.wall() }));
    } catch (error) {
      return `the journal cannot be written: ${(error as Error).message}`;
    }
    this.#stats.placed++;
    return undefined;
  }

  /** Why an order must not leave in this moment. `isCounted`: among those that left, it is not one too many itself. */
  #refusalOf(order: TrackedOrder, isCounted = false): string | undefined {
    const { market, terms, key } = order;
    const { pair } = market;
    const { failure, books } = this.#chronicle;
    if (this.#closed !== undefined) return this.#closed;
    if (failure !== undefined) return `the journal cannot be written: ${failure}`;
    const { state, permission, reason } = this.state(pair);
    const isAllowed = permission === 'all' || (permission === 'reduce-only' && terms.reduceOnly);
    if (!isAllowed) return `${pair} is ${state}: ${reason}`;
    // Its fills would be counted from nowhere.
    if (books.position(pair) === undefined) return `what is held on ${pair} is not known yet`;
    const soon = isCounted ? undefined : this.#options.tooSoon?.(pair, terms.reduceOnly);
    if (soon !== undefined) {
      order.isTooSoon = true;
      return soon;
    }
    const other = this.#options.mayPlace?.(pair, terms.reduceOnly);
    if (other !== undefined) return other;
    const most = this.#options.maxPosition?.(pair);
    if (most === undefined || terms.reduceOnly) return undefined;
    const reserved = books.tombstones(pair, this.#now() - RESERVE_MS);
    const held = books.position(pair) ?? (0 as Lots);
    const open = this.#own.of(pair).filter((each) => each.key !== key && each.stage !== 'queued');
    const worst = worstCase(held, terms, [...open.map(leavesOf), ...reserved]);
    // What makes a position smaller may leave even when it is above the bound.
    if (worst <= most || worst <= Math.abs(held)) return undefined;
    return `max-position: the position in the worst case must be at most ${most} lots, received ${worst}`;
  }

  #tellApart(market: Market, { terms }: PlaceCommand) {
    const { pair, filters } = market;
    const { lateMs, visibilityMs } = this.#options;
    const since = this.#now() - lateMs - visibilityMs - SKEW_MS;
    const booked = this.#chronicle.books
      .intents(pair)
      .filter(({ orderId, stage, sentAt }) => sentAt >= since || (orderId === undefined && stage !== 'done'));
    const waiting = [...this.#own.at('queued', pair), ...this.#own.at('sent', pair)];
    const taken = [...booked, ...waiting].map((other) => other.terms);
    const { step, min } = filters.quantity;
    return tellApart(terms, taken, { step, min });
  }

  #cancel({ intentId, pair, orderId }: CancelCommand): void {
    const order = this.#own.get(this.#keyOf(intentId));
    if (order?.stage === 'live') this.#cancelUnwanted(order);
    else if (order === undefined && this.#claimed.has(intentId)) {
      // It has ended, and the report of that says more than an answer to this could.
      this.#options.log.debug('a cancel came after the end of its order', { pair, orderId });
    } else {
      this.#own.cancelRejected(intentId, 'no such order of this session is live', this.#now());
    }
  }

  #cancelUnwanted(order: TrackedOrder): void {
    if (order.stage !== 'live' || this.#canceling.has(order)) return;
    this.#canceling.add(order);
    void this.#track(this.#cancelLive(order));
  }

  async #cancelLive(order: TrackedOrder): Promise<void> {
    const { api, timers, clock, log, visibilityMs } = this.#options;
    const { signal } = this.#stop;
    const settleMs = Math.max(LEAST_SETTLE_MS, 2 * visibilityMs);
    const { key: intent, orderId = '', role, ownIntentId } = order;
    this.#stats.cancels++;
    this.#chronicle.note({ kind: 'cancel', intent, orderId, why: role ?? 'asked for' }, 'lazy');
    const watch = this.#watch(order.market.pair);
    const how = { api, watch, timers, clock, log, settleMs, signal };
    let alive: string | undefined;
    try {
      alive = await cancelUntilEnded(order, how);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      // Before the report: who hears it may ask again at once.
      this.#canceling.delete(order);
    }
    if (alive === undefined) return;
    // A stray is canceled again by the next round that sees it.
    if (role === undefined && ownIntentId !== undefined) {
      this.#own.cancelRejected(ownIntentId, alive, this.#now());
    }
  }

  /** Orders and doubts of earlier lives become strays: nobody here asked for them, and they are accounted for. */
  #recover(pair: string): void {
    const market = this.#options.markets.get(pair) as Market;
    const { books } = this.#chronicle;
    for (const intent of books.intents(pair)) {
      if (intent.stage === 'sent') {
        const reason = 'the life that sent it ended before the answer';
        this.#chronicle.note({ kind: 'out', intent: intent.key, outcome: 'in-doubt', reason }, 'durable');
      }
      if (intent.stage !== 'sent' && intent.stage !== 'in-doubt') continue;
      const order = this.#stray(market, intent, 'recovered');
      order.stage = 'in-doubt';
      // The venue's clock may not be known yet, so the bound on its execution counts from now.
      order.sentMono = this.#options.clock.monotonic();
      this.#own.add(order);
    }
    for (const { orderId, intent: key, fills } of books.openOrders(pair)) {
      const intent = books.intent(key);
      if (intent === undefined) continue;
      const order = this.#stray(market, intent, 'recovered');
      order.stage = 'live';
      order.orderId = orderId;
      for (const { id, lots } of fills) order.alreadyBooked(id, lots);
      this.#own.add(order);
      this.#cancelUnwanted(order);
    }
  }

  #stray(market: Market, intent: BookedIntent, role: TrackedOrder['role']): TrackedOrder {
    const { key, terms, tag, sentAt, validUntil } = intent;
    const { visibilityMs: confirmMs, fenceMs, clock } = this.#options;
    const intentId = this.#idOf(key);
    const order = new TrackedOrder({ key, intentId, market, terms, tag, confirmMs, clock, role });
    order.sentAt = sentAt;
    if (fenceMs !== undefined) order.validUntil = validUntil;
    return order;
  }

  #found({ intent, as }: Claim, { id: orderId, pair }: OrderRecord): TrackedOrder {
    this.#stats.surplus++;
    const { key } = intent;
    this.#options.log.error('the venue holds an order of ours that nobody wants', {
      pair,
      orderId,
      intent: key,
      as,
    });
    const market = this.#options.markets.get(intent.pair) as Market;
    return this.#stray(market, intent, as === 'surplus' ? 'surplus' : 'late');
  }

  #watchOf(market: Market): PairWatch {
    const {
      echo,
      watchEveryMs: everyMs,
      listLimit: limit,
      firstStart = 'adopt',
      external = 'quarantine',
    } = this.#options;
    return new PairWatch({
      ...this.#options,
      market,
      own: this.#own,
      chronicle: this.#chronicle,
      echo: echo !== undefined,
      everyMs,
      limit,
      firstStart,
      external,
      now: () => this.#now(),
      answered: () => this.#options.api.clock.answered(),
      validUntil: () => this.#validUntil(),
      askTime: () => this.#askTime(),
      onUnwanted: (order) => this.#cancelUnwanted(order),
      strayOf: (claim, record) => this.#found(claim, record),
      onState: (report) => this.#states.next(report),
      track: (round) => void this.#track(round),
    });
  }

  #watch(pair: string): PairWatch {
    const watch = this.#watches.get(pair);
    if (watch === undefined) throw new InvariantError(`${pair} must be a pair of this execution`);
    return watch;
  }

  #isTagged({ oco }: OrderRecord): boolean {
    return (
      this.#options.echo !== undefined && oco !== undefined && this.#chronicle.books.intent(oco) !== undefined
    );
  }

  #reject(order: TrackedOrder, reason: string): void {
    this.#stats.rejected++;
    this.#own.reject(order, reason, this.#now());
  }

  #doubt(order: TrackedOrder, reason: string): void {
    this.#stats.doubts++;
    this.#out(order, 'in-doubt', reason);
    this.#own.doubt(order, reason, this.#now());
  }

  /** Of what was written down as about to be sent; anything else never left. */
  #out({ key: intent }: TrackedOrder, outcome: 'refused' | 'not-sent' | 'in-doubt', reason: string): void {
    if (this.#chronicle.books.intent(intent) === undefined) return;
    this.#chronicle.note({ kind: 'out', intent, outcome, reason }, 'durable');
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

  #keyOf(intentId: IntentId): IntentKey {
    return `${this.#options.session}-${intentId}`;
  }

  /** Which intent of this session; `undefined` for another's. */
  #idOf(key: IntentKey): IntentId | undefined {
    const prefix = `${this.#options.session}-`;
    const rest = key.startsWith(prefix) ? key.slice(prefix.length) : '';
    return /^\d+$/.test(rest) ? Number(rest) : undefined;
  }

  /** The last venue ms at which anything that was sent up to now may still be taken; `undefined`: the venue sets no end. */
  #validUntil(): number | undefined {
    const { fenceMs, api } = this.#options;
    if (fenceMs === undefined) return undefined;
    // Also who looks from outside asks for it: that must not bind what the clock says next.
    return Math.floor(api.clock.glance().now) + fenceMs * Math.max(1, api.clock.steadyRate());
  }

  async #askTime(): Promise<void> {
    const { api, log } = this.#options;
    try {
      await api.clock.sync();
    } catch (error) {
      log.debug('the venue does not tell its time', { error: String(error) });
    }
  }

  #now(): number {
    return Math.floor(this.#options.api.clock.now());
  }
}

function leavesOf({ terms, leaves }: TrackedOrder) {
  return { terms: { ...terms, lots: leaves } };
}
