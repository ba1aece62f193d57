import { StrategyBlocked, TickwrightError, UsageError } from '../model/errors.js';
import { type Halt, sameHalt, withHalt } from '../model/halt-level.js';
import { type CancelTimer, type Clock, sleep, type Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { SessionWatch, StartUnderWay } from '../runner/live-session.js';
import { type RestingStop, restingStopText } from '../runner/resting-stop.js';
import type { EndOfOrders, OpenOrderText } from '../runner/session-gateway.js';
import { StartAbandoned } from '../runner/start-abandoned.js';
import { JournalDamaged, JournalUnreadable } from '../storage/journal/journal-errors.js';
import type { DaemonEntry } from './daemon-entry.js';
import { type DaemonSession, type SessionStanding, standingReason } from './daemon-session.js';
import { PairUnlisted } from './pair-unlisted.js';
import { cleanText } from './alerts/clean-text.js';
import { latch } from './latches.js';

export interface ManagedSessionOptions {
  readonly entry: DaemonEntry;
  readonly watch: SessionWatch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Removes secrets from texts of a strategy or of the venue. */
  readonly scrub: (text: string) => string;
  /** The daemon's own halts: a session that starts while they stand starts halted. */
  readonly halts: () => readonly Halt[];
  /** Called when `entry` takes the place of another entry, before any code of it has run. */
  readonly onReplaced?: ((entry: DaemonEntry) => void) | undefined;
  readonly onRunning: (session: DaemonSession) => void;
  /** The strategy is stopped, and what is being done with its orders; called before that is over. */
  readonly onFailed: (reason: string, orders: OrdersOfFailed) => void;
  /** Orders that a strategy that threw has left, whose cancel is tried again; or none, once they are gone. */
  readonly onLeft: (orders: readonly OpenOrderText[]) => void;
}

/** `keep-stops`: all but the stops are canceled · `unknown`: nobody can say which are left */
export type OrdersOfFailed = 'cancel' | 'keep-stops' | 'unknown';

interface Resumed {
  readonly halts: readonly Halt[];
  readonly reason: string;
  readonly by: string;
}

/**
 * How long `replace` waits for an early failure of the new session, ms. A failure within `TRIAL_MS` brings the old entry
 * back.
 */
const FIRST_LOOK_MS = 2_000;
const TRIAL_MS = 60_000;
const WAITING_LOOK_MS = 500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Keeps one session running, and isolates it: an error in it stops no other session. */
export class ManagedSession {
  readonly #options: ManagedSessionOptions;
  #entry: DaemonEntry;
  /** The entry that is restored if the present one fails before `until` (monotonic ms). */
  #trial: { readonly before: DaemonEntry; readonly until: number } | undefined;
  #isReplacing = false;
  /** A start under way must be abandoned for a replacement, even if it has not yet registered its `abandon`. */
  #isAbandoning = false;
  /** Set once the daemon ends: what happens to own orders. */
  #over: EndOfOrders | undefined;
  #session: DaemonSession | undefined;
  /** The session whose end is over, though it is shown still: it cannot be asked a second time. */
  #stopped: DaemonSession | undefined;
  #starting: StartUnderWay | undefined;
  /** Orders that the session before, or an abandoned start, left open. */
  #leftOpen: readonly OpenOrderText[] = [];
  /** Stops that the session before, or an abandoned start, left at the venue on purpose. */
  #keptStops: readonly RestingStop[] = [];
  #canceledStops: readonly string[] = [];
  #hasLooked = false;
  #failure: string | undefined;
  /** The strategy ended the daemon in an earlier life, so its code was not run in this one. */
  #isBlocked = false;
  #waitsFor = 'not started yet';
  /** The venue has answered that it does not list the pair. */
  #isUnlisted = false;
  #damage: JournalDamaged | JournalUnreadable | undefined;
  #cancelRetry: CancelTimer | undefined;
  #opening: Promise<void> = Promise.resolve();
  #ended: Promise<readonly OpenOrderText[]> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** What a person has resumed since a session began here last. */
  #resumed: Resumed | undefined;

  constructor(options: ManagedSessionOptions) {
    this.#entry = options.entry;
    this.#options = options;
  }

  get entry(): DaemonEntry {
    return this.#entry;
  }

  /** The session while it runs, and after its strategy failed, so that its result stays visible. */
  get session(): DaemonSession | undefined {
    return this.#session;
  }

  /** Why the strategy was stopped; `undefined` while it is not. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** The strategy ended the daemon in an earlier life, and is kept from running until `resume`. */
  get isBlocked(): boolean {
    return this.#isBlocked && this.#failure !== undefined;
  }

  /** Orders of a failed session that could not be canceled; `undefined` before its end is over. */
  get leftOpen(): readonly OpenOrderText[] | undefined {
    return this.#failure !== undefined && this.#hasLeft ? this.#leftOpen : undefined;
  }

  /** The end of the session is over, and no other session has taken its place. */
  get #hasLeft(): boolean {
    return this.#session !== undefined && this.#session === this.#stopped;
  }

  /** The standing of a start that cannot go on before a person has looked; `undefined` when no start waits so. */
  get waiting(): SessionStanding | undefined {
    const standing = this.#starting?.standing();
    return standing?.state === 'QUARANTINED' ? standing : undefined;
  }

  /**
   * Why the pair's journal has to be restored by a person before a start; `undefined` when the journal is not the cause.
   */
  get damage(): JournalDamaged | JournalUnreadable | undefined {
    return this.#damage;
  }

  /** A start is comparing the journal with the venue. That may take minutes, so its reason is shown. */
  get isReconciling(): boolean {
    return this.#reconciling !== undefined;
  }

  /** Why there is no session, and what is left at the venue without one. */
  get reason(): string {
    const why = this.#reconciling;
    return this.#failure ?? this.#withStops(why === undefined ? this.#waitsFor : `${this.#waitsFor}: ${why}`);
  }

  /** Stops that the session before, or the end of this one, left at the venue on purpose; none while a session runs. */
  get keptStops(): readonly RestingStop[] {
    return this.#starting?.leftStops() ?? this.#keptStops;
  }

  /** Ids of stops that the end canceled although the position that they guarded is left. */
  get canceledStops(): readonly string[] {
    return this.#canceledStops;
  }

  /** The reason why there is no session, with the stops that rest without one. */
  #withStops(reason: string): string {
    const stops = this.keptStops.map(restingStopText);
    return stops.length === 0 ? reason : `${reason}; kept at the venue: ${stops.join(', ')}`;
  }

  get #reconciling(): string | undefined {
    const standing = this.#starting?.standing();
    return standing?.state === 'RECONCILING' ? this.#textOf(standingReason(standing)) : undefined;
  }

  /** No start of this life came far enough to check what the life before left at the venue. */
  get isUnbegun(): boolean {
    return !this.#hasLooked;
  }

  /** The start needs no more time: the session runs, has failed, or waits for a person or for the venue to list its pair. */
  get hasStarted(): boolean {
    return (
      this.#session !== undefined ||
      this.#failure !== undefined ||
      this.waiting !== undefined ||
      this.#damage !== undefined ||
      this.#isUnlisted
    );
  }

  get isRunning(): boolean {
    return this.#session !== undefined && this.#failure === undefined;
  }

  /** Resolves after the first attempt. @throws UsageError for an error that trying again cannot cure */
  async start(): Promise<void> {
    const attempt = this.#open();
    this.#opening = attempt.catch(() => undefined);
    try {
      await attempt;
    } catch (error) {
      if (!this.#isReplacing) throw error;
    }
    // If the entry was replaced meanwhile, its replacement is what starts, even where the start of the entry was refused.
    while (this.#isReplacing) await this.#opening;
  }

  /** Marks a start that was refused after the other sessions began: from then on it counts as a failed strategy. */
  refused(error: unknown): void {
    const { log, onFailed } = this.#options;
    this.#failure = this.#withStops(this.#textOf(error));
    this.#isBlocked = false;
    log.error('a session cannot start', { pair: this.#entry.pair, reason: this.#failure });
    const isUnknown = (this.isUnbegun && this.#entry.journaled !== undefined) || this.#leftOpen.length > 0;
    onFailed(this.#failure, this.#keptStops.length > 0 ? 'keep-stops' : isUnknown ? 'unknown' : 'cancel');
  }

  /**
   * Ends the session, and by default cancels own orders until the venue no longer shows them. Further calls join the same
   * end. Abandons a start that waits for a person or for the venue. Resolves to the orders that are left, without those
   * that then are `keptStops`.
   */
  stop(orders?: EndOfOrders): Promise<readonly OpenOrderText[]> {
    this.#over ??= orders ?? 'cancel';
    this.#starting?.abandon(this.#over);
    return this.#stopOnce(orders);
  }

  /**
   * Puts another entry in the place of this one, also where this one has failed. Stops the session in order (own orders
   * are canceled, the position and the stops that guard it stay) and starts a new one. Resolves when the new session runs,
   * to the stops that it found. If it cannot start or fails soon after, the old entry is started again; if that start is
   * refused too, the pair counts as failed. When `next` is this very entry, there is nothing to fall back to: a failure of
   * the new session is treated as at any other time.
   *
   * @throws UsageError with what is wrong with `next`, or when nothing can be replaced at present
   */
  async replace(next: DaemonEntry): Promise<readonly RestingStop[]> {
    this.demandReplaceable();
    this.#isReplacing = true;
    const work = this.#replace(next, this.#opening);
    this.#opening = work.then(() => undefined).catch(() => undefined);
    try {
      return await work;
    } finally {
      this.#isReplacing = false;
      if (this.isRunning) this.#resumed = undefined;
    }
  }

  /** A person has ended these halts. A session that is yet to begin finds them in its journal, and resumes from them then. */
  resumed({ halts, reason, by }: Resumed): void {
    if (this.isRunning && !this.#isReplacing) return;
    this.#resumed = { halts: halts.reduce(withHalt, this.#resumed?.halts ?? []), reason, by };
  }

  get isReplaceable(): boolean {
    return this.#over === undefined && !this.#isReplacing && this.waiting === undefined;
  }

  /** @throws UsageError while the session ends or is being replaced, and while a person has to look first */
  demandReplaceable(): void {
    const { pair } = this.#entry;
    if (this.#over !== undefined || this.#isReplacing)
      throw new UsageError('TICKWRIGHT_E_REPLACE', `${pair} must not be stopping or being replaced already`);
    const { waiting } = this;
    if (waiting !== undefined)
      throw new UsageError(
        'TICKWRIGHT_E_REPLACE',
        `${pair} must not wait for a person, received ${waiting.state}: ${waiting.reason}`,
      );
  }

  async #replace(next: DaemonEntry, opening: Promise<void>): Promise<readonly RestingStop[]> {
    const { log, timers, clock } = this.#options;
    // A second start beside one that is under way would write to the same journal.
    this.#cancelRetry?.();
    this.#isAbandoning = true;
    this.#starting?.abandon('keep-stops');
    await opening;
    this.#isAbandoning = false;
    const before = this.#entry;
    await this.#clear('being replaced');
    if (this.#over !== undefined) throw endedMeanwhile(next.pair);
    const kept = this.#keptStops;
    this.#become(next);
    try {
      const begun = this.#begin();
      if (await this.#waitsForPerson(begun)) {
        this.#opening = begun.then(() => undefined).catch((error: unknown) => this.#missedLate(error));
        return kept;
      }
      const session = await begun;
      // There is nothing before it that could run in its place.
      if (next === before) return kept;
      this.#trial = { before, until: clock.monotonic() + TRIAL_MS };
      await Promise.race([session.failed, sleep(timers, FIRST_LOOK_MS)]);
      return kept;
    } catch (error) {
      const reason = this.#textOf(error);
      if (this.#over === undefined)
        log.error('a replacement failed: the strategy before it is started again', {
          pair: next.pair,
          reason,
        });
      await this.#restore(before);
      // The daemon may have begun to end while the old entry was restored.
      if (this.#over !== undefined) throw endedMeanwhile(next.pair, reason);
      throw new UsageError('TICKWRIGHT_E_REPLACE', this.#insteadOf(reason));
    }
  }

  /** What the failed replacement led to, for the person who asked for it. */
  #insteadOf(reason: string): string {
    if (this.#failure !== undefined)
      return `nothing runs, because: ${reason}; and the one before cannot start again: ${this.#failure}`;
    const { waiting } = this;
    if (waiting !== undefined)
      return this.#withStops(`the one before waits for a person (${waiting.reason}), because: ${reason}`);
    const does = this.isRunning ? 'runs again' : `is tried again (${this.#waitsFor})`;
    return this.#withStops(`the one before ${does}, because: ${reason}`);
  }

  /**
   * Resolves to true as soon as the start waits for a person, who may take days; to false when it has succeeded or
   * failed.
   */
  async #waitsForPerson(begun: Promise<unknown>): Promise<boolean> {
    let isOver = false;
    const over = begun
      .catch(() => undefined)
      .then(() => {
        isOver = true;
      });
    while (!isOver) {
      // A start that is to be abandoned waits for its orders to be gone, and so must whatever comes after it.
      const isAbandoned = this.#over !== undefined || this.#isAbandoning;
      if (this.waiting !== undefined && !isAbandoned) return true;
      await Promise.race([over, sleep(this.#options.timers, WAITING_LOOK_MS)]);
    }
    return false;
  }

  /** Starts the old entry again. A refusal of this start is reported like that of any other, and does not throw. */
  async #restore(before: DaemonEntry): Promise<void> {
    await this.#clear('the one before is started again');
    this.#become(before);
    if (this.#over !== undefined) return;
    const opened = this.#open().catch((error: unknown) => this.refused(error));
    if (await this.#waitsForPerson(opened)) this.#opening = opened;
  }

  #become(entry: DaemonEntry): void {
    this.#entry = entry;
    this.#options.onReplaced?.(entry);
  }

  /** Stops the present session and cancels its orders but its stops, so that another can take its place. */
  async #clear(why: string): Promise<void> {
    this.#trial = undefined;
    this.#cancelRetry?.();
    this.#waitsFor = why;
    const session = this.#session;
    // An end of the whole daemon waits for `#opening` and thereby for this call: waiting for it here would be a deadlock.
    const ended = this.#over === undefined ? this.#ended : undefined;
    try {
      if (ended !== undefined) this.#leftOpen = await ended;
      else if (session !== undefined && !this.#hasLeft) {
        const { leftOpen, keptStops } = await session.stop('keep-stops');
        this.#leftOpen = leftOpen;
        this.#keptStops = keptStops;
      }
      this.#failure = undefined;
    } catch (error) {
      throw this.#unstopped(error);
    } finally {
      this.#session = undefined;
      if (this.#over === undefined) this.#ended = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
    }
  }

  /** No other session may run in the place of one that cannot be stopped: nobody knows which orders it left. */
  #unstopped(error: unknown): UsageError {
    const { log, onFailed } = this.#options;
    const { pair } = this.#entry;
    const reason = this.#textOf(error);
    this.#failure = `it cannot be stopped in order: ${reason}`;
    this.#leftOpen = [`${pair}: ${this.#failure}`];
    log.error('a session cannot be stopped in order, and nothing runs in its place', { pair, reason });
    onFailed(this.#failure, 'unknown');
    return new UsageError('TICKWRIGHT_E_REPLACE', `${pair} stands still: ${this.#failure}`);
  }

  #stopOnce(orders?: EndOfOrders): Promise<readonly OpenOrderText[]> {
    this.#ended ??= this.#end(orders);
    return this.#ended;
  }

  async #end(orders: EndOfOrders | undefined): Promise<readonly OpenOrderText[]> {
    this.#cancelRetry?.();
    this.#waitsFor = 'stopped';
    await this.#opening;
    if (this.#hasLeft && this.#leftOpen.length > 0 && this.#over !== 'leave') await this.#cancelLeft();
    else if (this.#keptStops.length > 0 && this.#over === 'cancel')
      await this.#cancelByStart('a stop that was kept for another session cannot be canceled');
    if (this.#session === undefined || this.#hasLeft) {
      const unwanted = this.#over === 'keep-stops' ? [] : this.#keptStops.map(restingStopText);
      return [...this.#leftOpen, ...unwanted];
    }
    await this.#stopSession(this.#session, orders);
    return this.#leftOpen;
  }

  async #stopSession(session: DaemonSession, orders: EndOfOrders | undefined): Promise<void> {
    const { leftOpen, keptStops, canceledStops } = await session.stop(orders);
    this.#stopped = session;
    this.#leftOpen = leftOpen;
    this.#keptStops = keptStops;
    this.#canceledStops = canceledStops;
  }

  /**
   * No session comes that would cancel what an earlier one left: a start that is abandoned at once does. Never rejects.
   */
  async #cancelByStart(failing: string): Promise<void> {
    try {
      await this.#begin();
    } catch (error) {
      if (error instanceof StartAbandoned) return;
      const { pair } = this.#entry;
      this.#options.log.error(failing, { pair, reason: this.#textOf(error) });
    }
  }

  /** Cancels what a failed session left, or tries again later. Never rejects. */
  async #cancelLeft(): Promise<void> {
    const { log, onLeft } = this.#options;
    const { pair } = this.#entry;
    const canceledStops = this.#canceledStops;
    const leftOpen = this.#leftOpen;
    await this.#cancelByStart('orders of a stopped strategy cannot be canceled');
    // It has gone on, since it could not be abandoned any more.
    const begun = this.#hasLeft ? undefined : this.#session;
    if (begun !== undefined) {
      await this.#stopSession(begun, this.#over).catch((reason: unknown) => {
        this.#stopped = begun;
        this.#leftOpen = leftOpen;
        log.error('a start that was to cancel orders cannot be stopped', { pair, reason: String(reason) });
      });
    }
    if (begun !== undefined || this.#leftOpen !== leftOpen)
      this.#canceledStops = [...canceledStops, ...this.#canceledStops];
    if (this.#leftOpen.length === 0) onLeft([]);
    else this.#cancelLater();
  }

  #cancelLater(): void {
    if (this.#over !== undefined) return;
    this.#after(() => this.#cancelLeft());
  }

  async #open(): Promise<void> {
    this.#waitsFor = 'starting';
    try {
      await this.#begin();
    } catch (error) {
      this.#missed(error);
    }
  }

  #missedLate(error: unknown): void {
    try {
      this.#missed(error);
    } catch (refusal) {
      this.refused(refusal);
    }
  }

  /** Handles a failed start: tries again later, or throws a UsageError, which trying again cannot cure. */
  #missed(error: unknown): void {
    const { log } = this.#options;
    if (error instanceof UsageError) throw error;
    if (error instanceof StartAbandoned) return;
    const isDamage = error instanceof JournalDamaged || error instanceof JournalUnreadable;
    this.#damage = isDamage ? error : undefined;
    this.#isUnlisted = error instanceof PairUnlisted;
    const reason = this.#textOf(error instanceof TickwrightError ? error : String(error));
    this.#waitsFor = `cannot start: ${reason}`;
    log.warn('a session cannot start; it is tried again', {
      pair: this.#entry.pair,
      reason,
      afterMs: this.#pauseMs,
    });
    this.#retry();
  }

  async #begin(): Promise<DaemonSession> {
    const { watch, halts, onRunning } = this.#options;
    const starting: SessionWatch['starting'] = (start) => {
      this.#starting = start;
      if (this.#over !== undefined) start.abandon(this.#over);
      else if (this.#isAbandoning) start.abandon('keep-stops');
      // Of a failed strategy, a start is there only to cancel what is left.
      else if (this.#failure !== undefined) start.abandon('cancel');
    };
    let session: DaemonSession;
    try {
      session = await this.#entry.open({ ...watch, starting });
    } catch (error) {
      if (error instanceof StartAbandoned) {
        this.#leftOpen = error.leftOpen;
        this.#keptStops = error.keptStops;
        this.#canceledStops = error.canceledStops;
        this.#hasLooked = true;
      }
      throw error;
    } finally {
      this.#starting = undefined;
    }
    this.#session = session;
    this.#damage = undefined;
    this.#leftOpen = [];
    this.#keptStops = [];
    this.#canceledStops = [];
    this.#hasLooked = true;
    this.#resume(session);
    for (const halt of halts()) latch(session, halt);
    session.failed.catch((error: unknown) => {
      if (this.#session === session) this.#fail(session, error);
    });
    onRunning(session);
    return session;
  }

  /** Not from a halt that nobody has seen: the resume of one ends all. */
  #resume(session: DaemonSession): void {
    const { halts = [], reason = '', by = '' } = this.#resumed ?? {};
    this.#resumed = undefined;
    const latched = session.halts();
    if (latched.length === 0 || !latched.every((halt) => halts.some((each) => sameHalt(each, halt)))) return;
    try {
      session.resume(reason, by);
    } catch (error) {
      const { pair } = this.#entry;
      this.#options.log.error('a session cannot be resumed', { pair, error: String(error) });
    }
  }

  /** The message of an error, fit to be shown: it may hold secrets or control characters. */
  #textOf(error: unknown): string {
    return cleanText(error instanceof Error ? error.message : String(error), this.#options.scrub);
  }

  #retry(): void {
    if (this.#ended !== undefined) return;
    this.#after(() => this.#open().catch((error: unknown) => this.refused(error)));
  }

  /** Does it after a pause, which is longer each time. */
  #after(open: () => Promise<void>): void {
    const { timers } = this.#options;
    this.#cancelRetry = timers.after(this.#pauseMs, () => {
      this.#opening = open();
    });
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #fail(session: DaemonSession, error: unknown): void {
    if (this.#failure !== undefined || this.#ended !== undefined) return;
    this.#failure = this.#textOf(error);
    this.#isBlocked = error instanceof StrategyBlocked;
    void this.#afterFailure(session, this.#failure);
  }

  /** Never rejects. */
  async #afterFailure(session: DaemonSession, failure: string): Promise<void> {
    // A replacement that is under way stops this session itself, and would wait for ever for a stop that waits for it.
    let awaited: Promise<void> | undefined;
    while (awaited !== this.#opening) {
      awaited = this.#opening;
      await awaited;
    }
    if (this.#session !== session || this.#ended !== undefined) return;
    const { log, onFailed, clock } = this.#options;
    const { pair, strategy } = this.#entry;
    const trial = this.#trial;
    if (trial !== undefined && clock.monotonic() < trial.until) {
      log.error('a replacement failed: the strategy before it is started again', { pair, reason: failure });
      onFailed(`${failure}; the one before is started again`, 'keep-stops');
      this.#opening = this.#restore(trial.before).catch((reason: unknown) => {
        log.error('the strategy before cannot be started again', { pair, reason: String(reason) });
      });
      return;
    }
    log.error('a strategy failed and is stopped; its orders are being canceled, its position stays', {
      pair,
      strategy,
      error: failure,
    });
    // Told at once and not when its orders are gone: while the venue does not answer, that may take long.
    onFailed(failure, 'cancel');
    try {
      this.#lookAtLeft(await this.#stopOnce());
    } catch (error) {
      const reason = this.#textOf(error);
      log.error('a failed strategy cannot be stopped in order', { pair, reason });
      this.#failure = `${failure}; it cannot be stopped in order: ${reason}`;
      onFailed(this.#failure, 'unknown');
    }
  }

  /** Orders that a failed session has left stay in its care: nobody else looks after them. */
  #lookAtLeft(orders: readonly OpenOrderText[]): void {
    // A session that takes its place looks after them.
    if (orders.length === 0 || this.#over !== undefined || this.#isReplacing) return;
    const { log, onLeft } = this.#options;
    log.error('a stopped strategy has left orders; their cancel is tried again', {
      pair: this.#entry.pair,
      orders: orders.join(', '),
    });
    onLeft(orders);
    // Whoever ends the pair later is not to join this end, but to try once more.
    this.#ended = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#cancelLater();
  }
}

function endedMeanwhile(pair: string, why?: string): UsageError {
  const message = `${pair} must not end meanwhile, received the end of the daemon`;
  return new UsageError('TICKWRIGHT_E_REPLACE', why === undefined ? message : `${message}: ${why}`);
}
