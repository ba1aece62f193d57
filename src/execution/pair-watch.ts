import type { PairState, Permission } from '../model/pair-state.js';
import type { OrderRecord } from '../model/venue-records.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { type OrderListState, type VenueApi, VenueError } from '../ports/venue-api.js';
import { readAlive } from './alive-orders.js';
import { type Cut, readCut } from './cut.js';
import { SKEW_MS } from './fingerprint.js';
import { stillGuards } from './left-stop.js';
import { OrderIntake, type OrderIntakeOptions } from './order-intake.js';
import { type AgreedCut, type ForeignActivity, PairEvidence } from './pair-evidence.js';
import { Rounds } from './rounds.js';
import type { TrackedOrder } from './tracked-order.js';
import { TriggerLooks } from './trigger-looks.js';

export interface PairWatchOptions extends OrderIntakeOptions {
  readonly api: Pick<VenueApi, 'orders' | 'order' | 'position' | 'fills'>;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** Start to start of two rounds while there is anything to look after, ms. */
  readonly everyMs: number;
  /** The most rows that one answer of the venue holds. */
  readonly limit: number;
  /** The order lists whose union holds every order of the account. */
  readonly lists: readonly OrderListState[];
  readonly visibilityMs: number;
  /** An agreement with the venue older than this, ms, permits no new risk. */
  readonly staleMs: number;
  readonly firstStart: 'adopt' | 'flat-only';
  readonly external: 'adopt' | 'quarantine';
  /** Estimate of the venue's time, ms. */
  readonly now: () => number;
  /** The venue's newest answer about its time, venue ms; −Infinity before the first. */
  readonly answered: () => number;
  /** The last venue ms at which the venue may take a request sent by now; `undefined`: the venue sets no end. */
  readonly validUntil: () => number | undefined;
  /** Asks the venue for its time. Never rejects. */
  readonly askTime: () => Promise<void>;
  /** Called with a live order of ours that has to be canceled: a stray, or any order under a halt above `pause`. */
  readonly onUnwanted: (order: TrackedOrder) => void;
  readonly onState: (report: PairReport) => void;
  /** Called with each round, so that a stop can wait for it. */
  readonly track: (round: Promise<void>) => void;
}

/** A pair's state with what it allows and why. */
export interface PairReport {
  readonly pair: string;
  readonly state: PairState;
  readonly permission: Permission;
  readonly reason: string;
  /** `glance` only: the state beneath a halt, why the last look failed, and which order could not be canceled. */
  readonly besides?: string | undefined;
}

/**
 * A larger change of wall minus monotonic time, ms, is a jump: the clock was set, or the machine was suspended, during which
 * the monotonic clock stands still.
 */
const CLOCK_TOLERANCE_MS = 2_000;
/** The longest pause between two reads of an order that bring no news, ms. */
const MAX_PAUSE_MS = 30_000;
/** How long the quantity of an order that was judged not placed still counts as exposure, ms, in case it shows up late. */
export const RESERVE_MS = 600_000;

/**
 * Compares one pair with the venue, round by round: follows our orders to their ends,
 * checks fills and position against the journal, and finds orders in doubt or proves
 * them absent. Without a recent agreement the pair is SUSPECT and no order may add risk.
 */
export class PairWatch {
  readonly #options: PairWatchOptions;
  readonly #evidence: PairEvidence;
  readonly #triggers: TriggerLooks;
  readonly #intake: OrderIntake;
  readonly #rounds: Rounds;
  #started = false;
  /** Wall minus monotonic clock, ms, at the last round. */
  #clockOffset: number | undefined;
  #reads = 0;
  #readFailures = 0;
  /** The report that was emitted last. */
  #reported: PairReport;

  constructor(options: PairWatchOptions) {
    this.#options = options;
    this.#evidence = new PairEvidence(options);
    this.#triggers = new TriggerLooks(options);
    this.#intake = new OrderIntake(options, {
      onForeign: (record) => this.#evidence.foreign(record),
      onUnwanted: options.onUnwanted,
      onGuard: () => this.review(),
    });
    this.#rounds = new Rounds({
      ...options,
      pair: options.market.pair,
      look: () => this.#look(),
      ended: () => this.#lookEnded(),
    });
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

  /** The last monotonic ms at which the newest agreement is recent enough to trade on; `undefined`: there is none. */
  get freshUntil(): number | undefined {
    return this.#evidence.freshUntil;
  }

  /** The pair's report as of now: the age of the newest agreement counts, and a jump of the clock voids it. */
  report(): PairReport {
    if (this.#started && this.#options.chronicle.books.halt === undefined) this.#watchClock();
    return this.#standing();
  }

  /** `report` for observers: without the check for a clock jump, which would change the session, and with `besides`. */
  glance(): PairReport {
    const { own } = this.#options;
    const report = this.#standing();
    const beneath = report.state === 'HALTED' && this.#started ? this.#evidence.assess() : report;
    const words: string[] = [];
    if (beneath !== report && beneath.state !== 'SYNCED') words.push(`${beneath.state}: ${beneath.reason}`);
    const isOpen = beneath.state === 'RECONCILING' || beneath.state === 'SUSPECT';
    const { unread } = this.#rounds;
    if (isOpen && unread !== undefined) words.push(`the last look failed: ${unread}`);
    // An order that is wanted again, because the halt has ended, is no longer to be canceled: its failed cancel is no news.
    const left = own.at('live').filter((order) => this.#isUnwanted(order));
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
      return { pair, state: 'HALTED', permission, reason: `${halt}: ${haltReason}` };
    }
    if (!this.#started) return this.#reported;
    const { state, reason } = this.#evidence.assess();
    return { pair, state, permission: state === 'SYNCED' ? 'all' : 'reduce-only', reason };
  }

  /** Starts the rounds, which go on until `stop`. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#triggers.start();
    this.review();
    this.#tell();
    this.#rounds.start();
  }

  /** Reports a change of state at once, and brings the next round forward to `everyMs` from now. */
  wake(): void {
    this.#tell();
    if (this.#started) this.#rounds.hasten();
  }

  /** Voids every agreement so far: no order adds risk until a look that begins from now on agrees. */
  distrust(): void {
    this.#evidence.distrust();
    this.wake();
  }

  stop(): void {
    this.#rounds.stop();
    this.#triggers.stop();
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

  /**
   * Reads all orders of the pair that are active or wait for a trigger of ours, and takes ours in. Rejects when a list may
   * be incomplete.
   */
  async list(): Promise<readonly OrderRecord[]> {
    const { api, clock, limit, market } = this.#options;
    const readAt = clock.monotonic();
    const { rows, lack } = await readAlive({
      api,
      market,
      limit,
      withTriggers: this.#triggers.isNeeded,
      signal: this.#rounds.signal,
    });
    this.#intake.take(rows, readAt);
    if (lack !== undefined) throw new VenueError('malformed', lack);
    return rows;
  }

  /**
   * Cancels what earlier lives left waiting as soon as it guards the position no longer. To be called when the position or
   * an order of ours has changed.
   */
  review(): void {
    const { own, chronicle, market, onUnwanted } = this.#options;
    for (const order of own.strays()) {
      if (!order.guards || order.stage !== 'live') continue;
      if (stillGuards(order, chronicle.books.position(market.pair), own)) continue;
      // For good: the position may come back, but this stop was not meant for it.
      order.guards = false;
      onUnwanted(order);
    }
  }

  /** Returns the pause until the next look, ms. */
  #lookEnded(): number {
    this.#tell();
    return this.#hasWork() ? this.#options.everyMs : this.#idleMs();
  }

  /**
   * A stray that guards nothing, or any order while the halt is above `pause`: also one that was under way when the halt
   * came. And one whose cancel seemed to have ended it, until the venue took that back.
   */
  #isUnwanted({ role, guards, cancelAsked, ended }: TrackedOrder): boolean {
    const { halt } = this.#options.chronicle.books;
    if (cancelAsked && !ended) return true;
    return (role !== undefined && !guards) || (halt !== undefined && halt !== 'pause');
  }

  /** Voids every agreement after a jump of the clock: the machine may have been suspended for any length of time. */
  #watchClock(): void {
    const { clock, log, market } = this.#options;
    const offset = clock.wall() - clock.monotonic();
    const jumped = Math.abs(offset - (this.#clockOffset ?? offset));
    this.#clockOffset = offset;
    if (jumped <= CLOCK_TOLERANCE_MS) return;
    log.warn('the clock jumped: nothing agreed before counts', { pair: market.pair, ms: Math.round(jumped) });
    this.#evidence.distrust();
  }

  /** Pause between rounds while nothing is open, ms: often enough that an agreement never grows stale. */
  #idleMs(): number {
    const { everyMs, staleMs } = this.#options;
    return Math.max(everyMs, staleMs / 4);
  }

  #hasWork(): boolean {
    const { own } = this.#options;
    const isQuiet = own.all().length === 0 && !this.#evidence.isContradicted;
    return !isQuiet || this.report().state !== 'SYNCED';
  }

  async #look(): Promise<void> {
    const { own, clock, lists, onUnwanted } = this.#options;
    const live = own.at('live');
    const doubts = own.at('in-doubt');
    const thorough = doubts.length > 0 || this.#evidence.asksForMore;
    if (doubts.some((order) => this.#evidence.waitsForVenueTime(order))) await this.#options.askTime();
    const named: readonly OrderListState[] = thorough ? lists : ['active'];
    const seesTriggers = this.#triggers.isNeeded;
    // The triggers first: an order that fires meanwhile is in a list that is still to be read.
    const cut = await this.#cut(seesTriggers ? ['triggers', ...named] : named, thorough, doubts);
    if (seesTriggers) this.#triggers.looked(cut);
    const read = new Set<TrackedOrder>();
    for (const order of live) {
      const record = order.orderId === undefined ? undefined : cut.orders.get(order.orderId);
      const isAsKnown = record !== undefined && order.isAsKnown(record);
      if (isAsKnown) {
        order.quietLooks = 0;
        order.nextLook = 0;
      }
      if (order.stage !== 'live' || isAsKnown || this.#rounds.isStopped) continue;
      if (order.nextLook > clock.monotonic()) continue;
      await this.read(order);
      read.add(order);
      this.#postpone(order);
    }
    this.#evidence.take(cut, { thorough, doubts });
    this.#judge(doubts);
    this.review();
    for (const order of own.at('live')) {
      if (order.isLost) this.#evidence.lost(order);
      // An order that the venue does not know is read more and more rarely, and is canceled only after such a read.
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
      signal: this.#rounds.signal,
      onOrders: (orders, readAt) => this.#intake.take(orders, readAt),
    });
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

  /** Doubles the pause before the next read of an order for each read that brought no news. */
  #postpone(order: TrackedOrder): void {
    const pause = Math.min(this.#options.everyMs * 2 ** Math.min(order.quietLooks++, 20), MAX_PAUSE_MS);
    // Half an interval early, so that the round at that moment does not skip the order for a few milliseconds.
    order.nextLook = this.#options.clock.monotonic() + pause - this.#options.everyMs / 2;
  }
}
