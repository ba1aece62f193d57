import { type Observable, Subject } from 'rxjs';
import type { Approved, CancelCommand, PlaceCommand } from '../model/command.js';
import { InvariantError } from '../model/errors.js';
import type { Lots } from '../model/grid.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { PairState } from '../model/pair-state.js';
import type { ExecutionReport } from '../model/report.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { OrderGateway } from '../ports/order-gateway.js';
import { cancelUntilEnded } from './cancellation.js';
import { Chronicle, NO_BOT_JOURNAL } from './chronicle.js';
import type { ExecutionOptions, ExecutionStats } from './execution-options.js';
import { intentKey } from './intent-key.js';
import { IntentSet } from './intent-set.js';
import { guardsOn } from './left-stop.js';
import { OwnOrders } from './own-orders.js';
import type { AgreedCut, ForeignActivity } from './pair-evidence.js';
import { type PairReport, PairWatch } from './pair-watch.js';
import { PlaceQueue } from './place-queue.js';
import { Placing } from './placing.js';
import { cancelAllOwn, settledWithin } from './shutdown.js';
import { Strays } from './strays.js';
import { type OpenOrder, TrackedOrder } from './tracked-order.js';

/**
 * The refusal where the venue echoes no tag and no quantity within
 * reach would make the order unique (`reliability.md` b.5).
 */
const FINGERPRINT_BUSY =
  'FINGERPRINT_BUSY: an order that this venue would show alike is not over yet, and no lot fewer tells them apart';

/** An answered cancel has at least this long, ms, to show in reads before it is asked for again. */
const LEAST_SETTLE_MS = 2_000;

/**
 * Sends the approved commands of one pair to a real venue. Each place is journalled and then posted, at most once ever;
 * places leave one at a time and in order, and cancels overtake them. The venue's answers become reports, emitted
 * synchronously as they arrive: each intent ends as rejected, canceled or filled to the last lot, or stays visibly in doubt.
 * While the pair is not SYNCED no order leaves that could add risk.
 */
export class Execution implements OrderGateway {
  readonly reports$: Observable<ExecutionReport>;
  /** Every change of the pair's state or permission. */
  readonly states$: Observable<PairReport>;
  readonly #options: ExecutionOptions;
  readonly #reports = new Subject<ExecutionReport>();
  readonly #states = new Subject<PairReport>();
  readonly #chronicle: Chronicle;
  readonly #own: OwnOrders;
  readonly #watch: PairWatch;
  /** Every intent that was ever handed in. */
  readonly #claimed = new IntentSet();
  readonly #queue = new PlaceQueue((order) => this.#place(order));
  readonly #canceling = new Set<TrackedOrder>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #placing: Placing;
  readonly #strays: Strays;
  #cancels = 0;
  #started = false;
  #closed: string | undefined;

  constructor(options: ExecutionOptions) {
    this.#options = options;
    this.reports$ = this.#reports.asObservable();
    this.states$ = this.#states.asObservable();
    this.#chronicle = options.chronicle ?? new Chronicle(NO_BOT_JOURNAL);
    this.#own = new OwnOrders(this.#reports, this.#chronicle, options.log, () => this.#watch.distrust());
    this.#placing = new Placing(options, {
      own: this.#own,
      chronicle: this.#chronicle,
      state: () => this.state(),
      closed: () => this.#closed,
      wake: () => this.#watch.wake(),
      now: () => this.#now(),
    });
    this.#strays = new Strays(options, this.#own, this.#chronicle, (order) => this.#cancelUnwanted(order));
    this.#watch = this.#newWatch();
    // Before anybody else hears of it: a new stop of ours, or a new position, may make one of an earlier life needless.
    this.#reports.subscribe(() => this.#watch.review());
  }

  get stats(): ExecutionStats {
    const { fills } = this.#own;
    const { surplus } = this.#strays;
    return { ...this.#placing.stats, fills, cancels: this.#cancels, surplus, ...this.#watch.stats };
  }

  /** Orders that are not done, in the order of their commands. */
  openOrders(): readonly OpenOrder[] {
    return this.#own.open();
  }

  /** Stops at the venue that guard the position; none under a halt above `pause`, which cancels them. */
  restingStops(): readonly TrackedOrder[] {
    return this.#own.at('live').filter((order) => this.#isKept(order));
  }

  /** Those of them that an earlier session left, and that no want of this one asks for. */
  leftStops(): readonly TrackedOrder[] {
    return this.restingStops().filter(({ role }) => role !== undefined);
  }

  /** The pair's state and what it permits, as of now. */
  state(): PairReport {
    return this.#watch.report();
  }

  /** `state` for observers outside of the session. It changes nothing, so what the session does next cannot depend on it. */
  glance(): PairReport {
    return this.#watch.glance();
  }

  /** The last monotonic ms at which the newest agreement is recent enough to trade on; `undefined`: there is none. */
  get freshUntil(): number | undefined {
    return this.#watch.freshUntil;
  }

  /** The newest cut at which orders, fills and position agreed with the venue; `undefined`: none did yet. */
  get agreed(): AgreedCut | undefined {
    return this.#watch.agreed;
  }

  /** What another bot or a person does on the pair, as of the newest cut. */
  get foreign(): ForeignActivity {
    return this.#watch.foreign;
  }

  /** Lots, signed, by the journal; `undefined` before the pair's first checkpoint or fill. */
  get position(): Lots | undefined {
    return this.#chronicle.books.position(this.#options.market.pair);
  }

  /**
   * Recovers what the journal says about earlier lives (their orders are found, canceled and booked) and then begins to
   * compare the pair with the venue. Before this call no order leaves that adds risk.
   */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#strays.recover();
    this.#watch.start();
  }

  /**
   * Resolves to the pair's report once its state is none of
   * `unsettled`, or `signal` aborts. Never rejects; may never resolve.
   */
  settled(
    unsettled: readonly PairState[] = ['BOOT', 'RECONCILING'],
    signal?: AbortSignal,
  ): Promise<PairReport> {
    return new Promise((resolve) => {
      const look = (report: PairReport) => {
        if (unsettled.includes(report.state) && signal?.aborted !== true) return;
        listening.unsubscribe();
        resolve(report);
      };
      const listening = this.#states.subscribe(look);
      signal?.addEventListener('abort', () => look(this.state()), { once: true });
      look(this.state());
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

  /**
   * Durable and latched: no order that adds risk leaves, in this life or a later one, until somebody resumes. Every level
   * above `pause` cancels our live orders, too.
   */
  halt(level: HaltLevel, reason: string, by: string): void {
    this.#chronicle.note({ kind: 'halt', level, reason, by, wall: this.#options.clock.wall() }, 'durable');
    this.#watch.wake();
    if (level === 'pause') return;
    for (const order of this.#own.at('live')) this.#cancelUnwanted(order);
  }

  resume(reason: string, by: string): void {
    this.#chronicle.note({ kind: 'resume', reason, by, wall: this.#options.clock.wall() }, 'durable');
    this.#watch.wake();
  }

  /**
   * Cancels every order of ours and lists the active and waiting orders until two rounds in a row show none of ours, or
   * `deadlineMs` is over. From this call on no place is sent. Resolves to what is left: orders still live, and those in doubt.
   * `keepsStops`: for a session that gives way to another one; `restingStops` stay.
   */
  async cancelAllOwn(
    deadlineMs: number,
    { keepsStops = false }: { readonly keepsStops?: boolean } = {},
  ): Promise<readonly OpenOrder[]> {
    this.#close('shutting down');
    const { api, timers, clock, log, visibilityMs } = this.#options;
    const isOurs = (record: OrderRecord) => this.#own.knows(record.id) || this.#isTagged(record);
    const isKept = (order: TrackedOrder) => keepsStops && this.#isKept(order);
    const how = { api, own: this.#own, watch: this.#watch, isOurs, isKept, timers, clock, log, visibilityMs };
    await cancelAllOwn({ ...how, deadlineMs, signal: this.#stop.signal });
    return this.openOrders();
  }

  /**
   * Waits for requests under way, at most `deadlineMs`, and
   * completes the reports. Resolves to the orders that are not done.
   */
  async stop(deadlineMs: number): Promise<readonly OpenOrder[]> {
    const { timers, clock } = this.#options;
    this.#close('stopped');
    this.#watch.stop();
    await settledWithin(deadlineMs, timers, clock, () => this.#underWay);
    for (const order of this.#own.at('sent')) this.#placing.doubt(order, 'stopped before the answer');
    this.#stop.abort(new Error('execution is stopped'));
    this.#reports.complete();
    this.#states.complete();
    return this.openOrders();
  }

  #take(command: Approved<PlaceCommand>): void {
    const { intentId, pair, terms } = command;
    const { market, echo, visibilityMs: confirmMs, clock, session } = this.#options;
    if (!this.#claimed.add(intentId)) {
      throw new InvariantError('an intent must be placed once, received it again', {
        facts: { intentId, pair },
      });
    }
    if (pair !== market.pair) {
      throw new InvariantError(`a command must be for ${market.pair}, received ${pair}`, {
        facts: { intentId, pair },
      });
    }
    const key = intentKey(session, intentId);
    const tag = echo === undefined ? undefined : key;
    const distinct = echo === undefined ? this.#placing.distinct(terms) : terms;
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
    if (refusal === undefined) this.#queue.add(order);
    else this.#placing.keep(order, refusal);
  }

  #place(order: TrackedOrder): Promise<void> {
    return this.#track(this.#placing.place(order));
  }

  #cancel({ intentId, pair, orderId }: CancelCommand): void {
    const order = this.#own.get(intentKey(this.#options.session, intentId));
    if (order?.stage === 'live') this.#cancelUnwanted(order);
    else if (order === undefined && this.#claimed.has(intentId)) {
      // The order has ended already, and its last report tells more than a rejected cancel would.
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
    this.#cancels++;
    order.cancelAsked = role === undefined;
    this.#chronicle.note({ kind: 'cancel', intent, orderId, why: role ?? 'asked for' }, 'lazy');
    const how = { api, watch: this.#watch, timers, clock, log, settleMs, signal };
    let alive: string | undefined;
    try {
      alive = await cancelUntilEnded(order, how);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      // Before the report: its receiver may ask for the cancel again within the call.
      this.#canceling.delete(order);
    }
    // If its end is refuted, the watch cancels it again.
    if (alive === undefined) return;
    order.cancelAsked = false;
    // No report tells of a stray that is not canceled, so the log does: once for each reason.
    if (order.uncanceled !== alive) {
      log.warn('an order is not canceled', { pair: order.market.pair, orderId, reason: alive });
    }
    order.uncanceled = alive;
    // A stray needs no report: the next round that sees it cancels it again.
    if (role === undefined && ownIntentId !== undefined) {
      this.#own.cancelRejected(ownIntentId, alive, this.#now());
    }
  }

  #newWatch(): PairWatch {
    const {
      echo,
      watchEveryMs: everyMs,
      listLimit: limit,
      firstStart = 'adopt',
      external = 'quarantine',
    } = this.#options;
    return new PairWatch({
      ...this.#options,
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
      strayOf: (claim, record) => this.#strays.found(claim, record),
      onState: (report) => this.#states.next(report),
      track: (round) => void this.#track(round),
    });
  }

  #isTagged({ oco }: OrderRecord): boolean {
    return (
      this.#options.echo !== undefined && oco !== undefined && this.#chronicle.books.intent(oco) !== undefined
    );
  }

  /** A stop that is on its way out, since the engine has moved it, is not kept besides the one in its place. */
  #isKept(order: TrackedOrder): boolean {
    const { books } = this.#chronicle;
    if (this.#canceling.has(order) || (books.halt !== undefined && books.halt !== 'pause')) return false;
    return guardsOn(order, this.position, this.#own);
  }

  /** From now on no place leaves: those that wait for their turn are rejected. */
  #close(reason: string): void {
    this.#closed ??= reason;
    for (const order of this.#queue.drain()) this.#placing.keep(order, reason);
  }

  #track(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    return tracked;
  }

  /** The last venue ms at which the venue may take a request sent by now; `undefined`: the venue sets no end. */
  #validUntil(): number | undefined {
    const { fenceMs, api } = this.#options;
    if (fenceMs === undefined) return undefined;
    // Observers ask for this as well. `now()` would bind what the clock says next, so a look would change the session.
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
