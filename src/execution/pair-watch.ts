import type { Market } from '../model/market.js';
import type { PairState, Permission } from '../model/pair-state.js';
import { compareIds } from '../model/trade.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { type OrderListState, type VenueApi, VenueError } from '../ports/venue-api.js';
import type { Chronicle } from './chronicle.js';
import { claimOf, type Claim } from './claim.js';
import { type Cut, MOST_PAGES, readCut } from './cut.js';
import { isOrderOf, SKEW_MS } from './fingerprint.js';
import type { OwnOrders } from './own-orders.js';
import { type AgreedCut, type ForeignActivity, PairEvidence } from './pair-evidence.js';
import type { TrackedOrder } from './tracked-order.js';
import { readWhole } from './whole-list.js';

export interface PairWatchOptions {
  readonly api: Pick<VenueApi, 'orders' | 'order' | 'position' | 'fills'>;
  readonly market: Market;
  readonly own: OwnOrders;
  readonly chronicle: Chronicle;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** The venue echoes tags. */
  readonly echo: boolean;
  /** Start to start of two rounds while there is anything to look after, ms. */
  readonly everyMs: number;
  /** Rows that a list may hold. */
  readonly limit: number;
  /** The lists whose union holds every order. */
  readonly lists: readonly OrderListState[];
  readonly visibilityMs: number;
  /** Later than this after its sending no request is executed any more, ms. */
  readonly lateMs: number;
  /** What was agreed with the venue longer ago is no ground for risk, ms. */
  readonly staleMs: number;
  readonly firstStart: 'adopt' | 'flat-only';
  readonly external: 'adopt' | 'quarantine';
  /** Venue ms, for what no record dates. */
  readonly now: () => number;
  /** What the venue told last of its time, ms; −Infinity before it told any. */
  readonly answered: () => number;
  /** The last venue ms at which what was sent up to now may still be taken; `undefined`: the venue sets no end. */
  readonly validUntil: () => number | undefined;
  /** Asks the venue for its time. Never rejects. */
  readonly askTime: () => Promise<void>;
  /** An order of ours is live that nobody wants: late, a twin, left by another life, or any under a halt. */
  readonly onUnwanted: (order: TrackedOrder) => void;
  readonly strayOf: (claim: Claim, record: OrderRecord) => TrackedOrder;
  readonly onState: (report: PairReport) => void;
  /** Is told of each round, so that a stop can wait for it. */
  readonly track: (round: Promise<void>) => void;
}

/** A pair's state with what it allows and why. */
export interface PairReport {
  readonly pair: string;
  readonly state: PairState;
  readonly permission: Permission;
  readonly reason: string;
  /** For a look from outside: what a halt hides of the pair, and what the last read of the venue or a cancel failed at. */
  readonly besides?: string | undefined;
}

/** Wall and monotonic clock move alike but for this, ms; a suspended machine shows in their difference only. */
const CLOCK_TOLERANCE_MS = 2_000;
/** The longest pause after rounds that fail, ms. */
const MAX_PAUSE_MS = 30_000;
/** How long the quantity of an order that was given up stays reserved, ms. */
export const RESERVE_MS = 600_000;

/**
 * Holds one pair against the venue, round by round: own orders are followed to their ends, fills and position are
 * compared with what the journal says, what is in doubt is found or proven absent. What it has not proven lately it does
 * not claim: the pair is SUSPECT then, and no order may add risk.
 */
export class PairWatch {
  readonly #options: PairWatchOptions;
  readonly #evidence: PairEvidence;
  #cancelTimer: CancelTimer | undefined;
  /** Monotonic ms of the next round. */
  #due = Number.POSITIVE_INFINITY;
  #busy = false;
  #started = false;
  /** Wall minus monotonic clock, ms, at the last round. */
  #clockOffset: number | undefined;
  readonly #stop = new AbortController();
  #failures = 0;
  #unread: string | undefined;
  #reads = 0;
  #readFailures = 0;
  #reported: PairReport;

  constructor(options: PairWatchOptions) {
    this.#options = options;
    this.#evidence = new PairEvidence(options);
    this.#reported = {
      pair: options.market.pair,
      state: 'BOOT',
      permission: 'reduce-only',
      reason: 'not started',
    };
  }

  get stats(): { readonly reads: number; readonly readFailures: number } {
    return { reads: this.#reads, readFailures: this.#readFailures };
  }

  get agreed(): AgreedCut | undefined {
    return this.#evidence.agreed;
  }

  get foreign(): ForeignActivity {
    return this.#evidence.strangers;
  }

  /** The last monotonic ms at which what was agreed is not too old; `undefined` when nothing was. */
  get freshUntil(): number | undefined {
    return this.#evidence.freshUntil;
  }

  /** As of now: also the age of what was agreed counts. */
  report(): PairReport {
    if (this.#started && this.#options.chronicle.books.halt === undefined) this.#watchClock();
    return this.#standing();
  }

  /** What `report` says, but for a clock that has just been set: a look from outside of the session, which changes nothing. */
  glance(): PairReport {
    const { own, market } = this.#options;
    const report = this.#standing();
    const beneath = report.state === 'HALTED' && this.#started ? this.#evidence.assess() : report;
    const words: string[] = [];
    if (beneath !== report && beneath.state !== 'SYNCED') words.push(`${beneath.state}: ${beneath.reason}`);
    const isOpen = beneath.state === 'RECONCILING' || beneath.state === 'SUSPECT';
    if (isOpen && this.#unread !== undefined) words.push(`the last look failed: ${this.#unread}`);
    // One that somebody wants again is canceled no more.
    const left = own.at('live', market.pair).filter((order) => this.#isUnwanted(order));
    const alive = left.find(({ uncanceled }) => uncanceled !== undefined);
    if (alive !== undefined) words.push(`order ${alive.orderId} is not canceled: ${alive.uncanceled}`);
    return words.length === 0 ? report : { ...report, besides: words.join('; ') };
  }

  #standing(): PairReport {
    const { market, chronicle } = this.#options;
    const { pair } = market;
    const { halt } = chronicle.books;
    if (halt !== undefined) {
      const { haltReason = 'no reason is known' } = chronicle.books;
      const permission = halt === 'pause' || halt === 'flatten' ? 'reduce-only' : 'cancel-only';
      return { pair, state: 'HALTED', permission, reason: `halted: ${halt} (${haltReason})` };
    }
    if (!this.#started) return this.#reported;
    const { state, reason } = this.#evidence.assess();
    return { pair, state, permission: state === 'SYNCED' ? 'all' : 'reduce-only', reason };
  }

  /** Begins, and goes on until `stop`. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#tell();
    this.#schedule(0);
  }

  /** There is something to look after. */
  wake(): void {
    this.#tell();
    const { everyMs, clock } = this.#options;
    if (!this.#started || this.#busy || this.#isStopped) return;
    // Never put off: who wakes it often would keep it asleep.
    if (this.#due <= clock.monotonic() + everyMs) return;
    this.#cancelTimer?.();
    this.#schedule(everyMs);
  }

  /** What was agreed so far may be wrong: nothing adds risk until looks from now on agree. */
  distrust(): void {
    this.#evidence.distrust();
    this.wake();
  }

  stop(): void {
    this.#stop.abort(new Error('stopped'));
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
      this.#readFailures++;
      if (error instanceof VenueError && error.kind === 'refused') order.notKnown();
      log.debug('an order could not be read', { orderId: order.orderId, error: String(error) });
      return false;
    }
    if (own.take(order, record, readAt)) order.quietLooks = 0;
    return true;
  }

  /** All active orders of the pair, ours among them taken in. Rejects when the venue does not show them all. */
  async list(): Promise<readonly OrderRecord[]> {
    const { api, clock, limit, market } = this.#options;
    const { pair } = market;
    const readAt = clock.monotonic();
    const { rows, lack } = await readWhole({
      read: (query) => api.orders('active', { pair, ...query }),
      name: 'orders (active)',
      limit,
      from: undefined,
      budget: { left: MOST_PAGES },
      signal: this.#stop.signal,
    });
    this.#takeIn(rows, readAt);
    if (lack !== undefined) throw new VenueError('malformed', lack);
    return rows;
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return;
    this.#due = this.#options.clock.monotonic() + ms;
    this.#cancelTimer = this.#options.timers.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#options.track(this.#round());
    });
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #round(): Promise<void> {
    const { everyMs, clock, log, market } = this.#options;
    const startedAt = clock.monotonic();
    this.#busy = true;
    try {
      await this.#look();
      if (this.#failures > 0) log.info('the venue can be read again', { pair: market.pair });
      this.#failures = 0;
      this.#unread = undefined;
    } catch (error) {
      // What is broken off has not failed.
      if (!this.#isStopped) this.#unread = error instanceof Error ? error.message : String(error);
      if (this.#failures++ === 0 && !this.#isStopped) {
        log.warn('the venue cannot be read', { pair: market.pair, error: String(error) });
      }
    } finally {
      this.#busy = false;
    }
    if (this.#isStopped) return;
    this.#tell();
    const wanted = this.#hasWork() ? everyMs : this.#idleMs();
    const pause = Math.min(wanted * 2 ** Math.min(this.#failures, 20), Math.max(wanted, MAX_PAUSE_MS));
    const now = clock.monotonic();
    this.#schedule(Math.max(startedAt + pause, now + everyMs / 10) - now);
  }

  /** Left over; or halted so far that nothing may rest, also what was on its way then, and whose cancellation failed. */
  #isUnwanted({ role }: TrackedOrder): boolean {
    const { halt } = this.#options.chronicle.books;
    return role !== undefined || (halt !== undefined && halt !== 'pause');
  }

  /** Nobody knows how long the machine stood still, or what time it is: everything is looked at anew. */
  #watchClock(): void {
    const { clock, log, market } = this.#options;
    const offset = clock.wall() - clock.monotonic();
    const jumped = Math.abs(offset - (this.#clockOffset ?? offset));
    this.#clockOffset = offset;
    if (jumped <= CLOCK_TOLERANCE_MS) return;
    log.warn('the clock jumped: nothing agreed before counts', { pair: market.pair, ms: Math.round(jumped) });
    this.#evidence.distrust();
  }

  /** With nothing in work a cut must only never grow stale. */
  #idleMs(): number {
    const { everyMs, staleMs } = this.#options;
    return Math.max(everyMs, staleMs / 4);
  }

  #hasWork(): boolean {
    const { own, market } = this.#options;
    const isQuiet = own.of(market.pair).length === 0 && !this.#evidence.isContradicted;
    return !isQuiet || this.report().state !== 'SYNCED';
  }

  async #look(): Promise<void> {
    const { own, market, clock, lists, onUnwanted } = this.#options;
    const live = own.at('live', market.pair);
    const doubts = own.at('in-doubt', market.pair);
    const thorough = doubts.length > 0 || this.#evidence.asksForMore;
    if (doubts.some((order) => this.#evidence.waitsForVenueTime(order))) await this.#options.askTime();
    const cut = await this.#cut(thorough ? lists : ['active'], thorough, doubts);
    const read = new Set<TrackedOrder>();
    for (const order of live) {
      const record = order.orderId === undefined ? undefined : cut.orders.get(order.orderId);
      const isAsKnown = record !== undefined && order.isAsKnown(record);
      if (isAsKnown) {
        order.quietLooks = 0;
        order.nextLook = 0;
      }
      if (order.stage !== 'live' || isAsKnown || this.#isStopped) continue;
      if (order.nextLook > clock.monotonic()) continue;
      await this.read(order);
      read.add(order);
      this.#postpone(order);
    }
    this.#evidence.take(cut, { thorough, doubts });
    this.#judge(doubts);
    for (const order of own.at('live', market.pair)) {
      if (order.isLost) this.#evidence.lost(order);
      // What the venue does not know is asked for more and more rarely, and canceled as rarely.
      if (order.isUnknown && !read.has(order)) continue;
      if (this.#isUnwanted(order)) onUnwanted(order);
    }
  }

  #cut(lists: readonly OrderListState[], twice: boolean, doubts: readonly TrackedOrder[]): Promise<Cut> {
    const oldest = doubts.reduce((time, { sentAt }) => Math.min(time, sentAt), this.#options.now());
    const ordersFrom = Math.min(oldest, this.#evidence.unexplainedSince ?? oldest) - SKEW_MS;
    this.#evidence.lookBegins();
    return readCut({
      ...this.#options,
      lists,
      twice,
      ordersFrom,
      fillsFrom: this.#evidence.fillsFrom(ordersFrom),
      signal: this.#stop.signal,
      onOrders: (orders, readAt) => this.#takeIn(orders, readAt),
    });
  }

  /** Orders as the venue shows them: known ones move on, unknown ones are claimed or somebody else's. */
  #takeIn(records: readonly OrderRecord[], readAt: number): void {
    const { own, chronicle, market, echo, lateMs, onUnwanted, strayOf } = this.#options;
    // Of two that one intent could have, the older is its own: their times are those of their last updates.
    for (const record of [...records].sort((a, b) => compareIds(a.id, b.id))) {
      const known = own.withOrderId(record.id);
      if (known !== undefined) {
        own.take(known, record, readAt);
        continue;
      }
      if (chronicle.books.order(record.id) !== undefined) continue;
      const claim = claimOf(chronicle.books, market, { echo, lateMs }, record);
      if (claim === undefined) {
        this.#evidence.foreign(record);
        continue;
      }
      const order = own.get(claim.intent.key);
      // Its own answer is still under way, and will say.
      if (order?.stage === 'sent' || order?.stage === 'queued') continue;
      // So will that of another one which asked for the same: until then the order proves nothing about either.
      if (!echo && this.#mayBeUnderWay(record)) {
        this.#evidence.foreign(record);
        continue;
      }
      // Also one that the evidence contradicted when it was judged: it still waits for its order.
      if (claim.as !== 'surplus' && order?.stage === 'in-doubt')
        own.accept(order, record, readAt, claim.evidence);
      else {
        const recovered = own
          .strays(market.pair)
          .find(({ key, stage }) => key === claim.intent.key && stage === 'in-doubt');
        const stray = recovered ?? strayOf(claim, record);
        if (recovered === undefined) own.add(stray);
        own.accept(stray, record, readAt, claim.evidence);
        onUnwanted(stray);
      }
    }
  }

  /** Whenever it was: what is known of the venue's clock may be wrong. */
  #mayBeUnderWay(record: OrderRecord): boolean {
    const { own, market } = this.#options;
    const sentAt = Number.NEGATIVE_INFINITY;
    return own
      .at('sent', market.pair)
      .some(({ terms }) => isOrderOf(market, { terms, tag: undefined, sentAt }, record));
  }

  #judge(doubts: readonly TrackedOrder[]): void {
    const { own, chronicle, now, log, market } = this.#options;
    for (const order of doubts) {
      // Another look may have found it meanwhile.
      if (order.stage !== 'in-doubt') continue;
      const verdict = this.#evidence.verdictOn(order);
      if (verdict === undefined) continue;
      const time = now();
      const { key: intent } = order;
      chronicle.note({ kind: 'verdict', intent, time, ...verdict }, 'durable');
      log.warn('an order in doubt is judged', { pair: market.pair, intent, ...verdict });
      if (verdict.verdict === 'not-placed') {
        own.reject(order, `not placed: ${verdict.evidence}`, time, time + RESERVE_MS);
      }
    }
  }

  #tell(): void {
    const report = this.report();
    const { state, permission, reason } = this.#reported;
    if (report.state === state && report.permission === permission && report.reason === reason) return;
    const { chronicle, now, onState } = this.#options;
    if (report.state !== state) {
      chronicle.note(
        { kind: 'state', pair: report.pair, state: report.state, reason: report.reason, time: now() },
        'lazy',
      );
    }
    this.#reported = report;
    onState(report);
  }

  /** What brings nothing is looked at more and more rarely. */
  #postpone(order: TrackedOrder): void {
    const pause = Math.min(this.#options.everyMs * 2 ** Math.min(order.quietLooks++, 20), MAX_PAUSE_MS);
    // Half an interval early: the round that is due then must not miss it by a hair.
    order.nextLook = this.#options.clock.monotonic() + pause - this.#options.everyMs / 2;
  }
}
