import { StrategyBlocked, TickwrightError, UsageError } from '../model/errors.js';
import type { Halt } from '../model/halt-level.js';
import { type CancelTimer, type Clock, sleep, type Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { JournaledPair } from '../runner/journaled-pair.js';
import type { SessionWatch, StartUnderWay } from '../runner/live-session.js';
import type { EndOfOrders, OpenOrderText } from '../runner/session-gateway.js';
import { StartAbandoned } from '../runner/start-abandoned.js';
import { JournalDamaged, JournalUnreadable } from '../storage/journal/journal-errors.js';
import type { Holding } from './account-shares.js';
import { type DaemonSession, type SessionStanding, standingReason } from './daemon-session.js';
import { cleanText } from './alerts/clean-text.js';
import { latch } from './latches.js';

/** One strategy on one pair, before it runs. */
export interface DaemonEntry {
  readonly pair: string;
  readonly strategy: string;
  /** As text, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Of the strategy's code. */
  readonly sha256: string;
  /** Start to start of the polls that its feed lives on, ms; default: they are not rare. */
  readonly pollMs?: number | undefined;
  /** On paper: none of its sessions takes over the position of the one before. */
  readonly beginsAnew?: boolean | undefined;
  /**
   * Starts its session, which `watch` watches from its first input on.
   *
   * @throws UsageError for what waiting does not mend.
   */
  open(watch: SessionWatch): Promise<DaemonSession>;
  /** What the venue says of its pair now. Rejects where it does not. */
  held?(): Promise<Holding>;
  /** What its journal says; `undefined`: nothing yet. Absent on paper, where nothing is left by an earlier life. */
  journaled?(): Promise<JournaledPair | undefined>;
}

export interface ManagedSessionOptions {
  readonly entry: DaemonEntry;
  readonly watch: SessionWatch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Takes secrets out of what a strategy or the venue says. */
  readonly scrub: (text: string) => string;
  /** What was halted before it ran; it starts with that. */
  readonly halts: () => readonly Halt[];
  /** This entry is to run from now on, in the place of another one. Nothing of it has run yet. */
  readonly onReplaced?: ((entry: DaemonEntry) => void) | undefined;
  readonly onRunning: (session: DaemonSession) => void;
  /** Its strategy threw: it is stopped, and its orders are canceled. */
  readonly onFailed: (reason: string) => void;
}

/** What begins in place of another one is waited for so long, and for a minute that other one comes back if it fails. */
const FIRST_LOOK_MS = 2_000;
const TRIAL_MS = 60_000;
const WAITING_LOOK_MS = 500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Keeps one session running, and apart: what goes wrong in it stops nothing else. */
export class ManagedSession {
  readonly #options: ManagedSessionOptions;
  #entry: DaemonEntry;
  /** What runs again when the entry fails soon. */
  #trial: { readonly before: DaemonEntry; readonly until: number } | undefined;
  #isReplacing = false;
  /** What was replaced begins again. */
  #isRestoring = false;
  /** A start that is under way makes room for another one, also before it can be told so. */
  #isAbandoning = false;
  /** The daemon ends, and this becomes of own orders. */
  #over: EndOfOrders | undefined;
  #session: DaemonSession | undefined;
  #starting: StartUnderWay | undefined;
  /** By the session before, or a start that was abandoned. */
  #leftOpen: readonly OpenOrderText[] = [];
  #hasLooked = false;
  #failure: string | undefined;
  /** It was not stopped for what it did in this life. */
  #isBlocked = false;
  #waitsFor = 'not started yet';
  #damage: JournalDamaged | JournalUnreadable | undefined;
  #cancelRetry: CancelTimer | undefined;
  #opening: Promise<void> = Promise.resolve();
  #ended: Promise<readonly OpenOrderText[]> | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: ManagedSessionOptions) {
    this.#entry = options.entry;
    this.#options = options;
  }

  get entry(): DaemonEntry {
    return this.#entry;
  }

  /** While it runs, and after its strategy failed: what it came to is still to be seen. */
  get session(): DaemonSession | undefined {
    return this.#session;
  }

  /** Why its strategy was stopped. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** It hung the daemon before, and is kept from running. */
  get isBlocked(): boolean {
    return this.#isBlocked && this.#failure !== undefined;
  }

  /** Where a start stands that does not go on before a person has looked. */
  get waiting(): SessionStanding | undefined {
    const standing = this.#starting?.standing();
    return standing?.state === 'QUARANTINED' ? standing : undefined;
  }

  /** Why it cannot start before somebody has restored its journal; `undefined` when that is not why. */
  get damage(): JournalDamaged | JournalUnreadable | undefined {
    return this.#damage;
  }

  /** A start is at the venue and goes on by itself, which may take minutes: whatever it waits for is to be seen. */
  get isReconciling(): boolean {
    return this.#reconciling !== undefined;
  }

  /** Why there is no session. */
  get reason(): string {
    const why = this.#reconciling;
    return this.#failure ?? (why === undefined ? this.#waitsFor : `${this.#waitsFor}: ${why}`);
  }

  get #reconciling(): string | undefined {
    const standing = this.#starting?.standing();
    return standing?.state === 'RECONCILING' ? this.#textOf(standingReason(standing)) : undefined;
  }

  /** No session of it was begun in this life, and no start came far enough to look at what the one before has left. */
  get isUnbegun(): boolean {
    return !this.#hasLooked;
  }

  /** Nothing of its start is left but for what a person has to do. */
  get hasStarted(): boolean {
    return (
      this.#session !== undefined ||
      this.#failure !== undefined ||
      this.waiting !== undefined ||
      this.#damage !== undefined
    );
  }

  get isRunning(): boolean {
    return this.#session !== undefined && this.#failure === undefined;
  }

  /** Resolves after the first attempt. @throws UsageError for what waiting does not mend */
  async start(): Promise<void> {
    const attempt = this.#open();
    this.#opening = attempt.catch(() => undefined);
    try {
      await attempt;
    } catch (error) {
      if (!this.#isReplacing) throw error;
    }
    // What was put in its place meanwhile is what starts, also where this one is refused.
    while (this.#isReplacing) await this.#opening;
  }

  /** Its start was refused, after the others began: it is as one that failed. */
  refused(error: unknown): void {
    const { log, onFailed } = this.#options;
    this.#failure = this.#textOf(error);
    this.#isBlocked = false;
    log.error('a session cannot start', { pair: this.#entry.pair, reason: this.#failure });
    onFailed(this.#failure);
  }

  /**
   * Cancels own orders until they are seen to be gone; the same end, however often it is asked for. A start that waits
   * for a person or the venue is abandoned. Resolves to what is left.
   */
  stop(orders?: EndOfOrders): Promise<readonly OpenOrderText[]> {
    this.#over ??= orders ?? 'cancel';
    this.#starting?.abandon(this.#over);
    return this.#stopOnce(orders);
  }

  /**
   * Another entry in the place of this one, also of one that failed: the session is stopped in order (own orders are
   * canceled, the position stays) and begun anew. Resolves when it runs; when it cannot, or fails soon after, the one
   * before runs again, or is as one that failed where its start is refused. The same one is begun anew: what it fails with
   * then is as at any other time.
   *
   * @throws UsageError with what is wrong with it, or where it cannot be replaced now
   */
  async replace(next: DaemonEntry): Promise<void> {
    this.demandReplaceable();
    this.#isReplacing = true;
    const work = this.#replace(next, this.#opening);
    this.#opening = work.catch(() => undefined);
    try {
      await work;
    } finally {
      this.#isReplacing = false;
    }
  }

  get isReplaceable(): boolean {
    return this.#over === undefined && !this.#isReplacing && this.waiting === undefined;
  }

  /** @throws UsageError while it ends or is replaced, or where a person has to look first */
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

  async #replace(next: DaemonEntry, opening: Promise<void>): Promise<void> {
    const { log, timers, clock } = this.#options;
    // Two starts at once would be two on one journal.
    this.#cancelRetry?.();
    this.#isAbandoning = true;
    this.#starting?.abandon('cancel');
    await opening;
    this.#isAbandoning = false;
    const before = this.#entry;
    await this.#clear('being replaced');
    if (this.#over !== undefined) throw endedMeanwhile(next.pair);
    this.#become(next);
    // There is nothing before it that could run in its place.
    const isAnew = next === before;
    this.#isRestoring = isAnew;
    try {
      const begun = this.#begin();
      if (await this.#waitsForPerson(begun)) {
        this.#opening = begun.then(() => undefined).catch((error: unknown) => this.#missedLate(error));
        return;
      }
      const session = await begun;
      if (isAnew) return;
      this.#trial = { before, until: clock.monotonic() + TRIAL_MS };
      await Promise.race([session.failed, sleep(timers, FIRST_LOOK_MS)]);
    } catch (error) {
      const reason = this.#textOf(error);
      if (this.#over === undefined)
        log.error('a replacement failed: the strategy before it is started again', {
          pair: next.pair,
          reason,
        });
      await this.#restore(before);
      // The end may have come while it was put back, too.
      if (this.#over !== undefined) throw endedMeanwhile(next.pair, reason);
      throw new UsageError('TICKWRIGHT_E_REPLACE', this.#insteadOf(reason));
    } finally {
      this.#isRestoring = false;
    }
  }

  /** What a replacement that failed has led to. */
  #insteadOf(reason: string): string {
    if (this.#failure !== undefined)
      return `nothing runs, because: ${reason}; and the one before cannot start again: ${this.#failure}`;
    const { waiting } = this;
    if (waiting !== undefined)
      return `the one before waits for a person (${waiting.reason}), because: ${reason}`;
    const does = this.isRunning ? 'runs again' : `is tried again (${this.#waitsFor})`;
    return `the one before ${does}, because: ${reason}`;
  }

  /** True as soon as its start waits for a person, who may take days; false when it runs or has failed. */
  async #waitsForPerson(begun: Promise<unknown>): Promise<boolean> {
    let isOver = false;
    const over = begun
      .catch(() => undefined)
      .then(() => {
        isOver = true;
      });
    while (!isOver) {
      if (this.waiting !== undefined) return true;
      await Promise.race([over, sleep(this.#options.timers, WAITING_LOOK_MS)]);
    }
    return false;
  }

  /** A start that is refused is told, as is one of every other time. */
  async #restore(before: DaemonEntry): Promise<void> {
    await this.#clear('the one before is started again');
    this.#become(before);
    if (this.#over !== undefined) return;
    this.#isRestoring = true;
    const opened = this.#open().catch((error: unknown) => this.refused(error));
    try {
      if (await this.#waitsForPerson(opened)) this.#opening = opened;
    } finally {
      this.#isRestoring = false;
    }
  }

  #become(entry: DaemonEntry): void {
    this.#entry = entry;
    this.#options.onReplaced?.(entry);
  }

  /** Own orders are canceled; then nothing runs here. */
  async #clear(why: string): Promise<void> {
    this.#trial = undefined;
    this.#cancelRetry?.();
    this.#waitsFor = why;
    const session = this.#session;
    // The daemon's own end waits for this one.
    const ended = this.#over === undefined ? this.#ended : undefined;
    try {
      if (session !== undefined) {
        this.#leftOpen = await (ended ?? session.stop('cancel').then(({ leftOpen }) => leftOpen));
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

  /** Nothing can run in its place: nobody knows what it left. */
  #unstopped(error: unknown): UsageError {
    const { log, onFailed } = this.#options;
    const { pair } = this.#entry;
    const reason = this.#textOf(error);
    this.#failure = `it cannot be stopped in order: ${reason}`;
    this.#leftOpen = [`${pair}: ${this.#failure}`];
    log.error('a session cannot be stopped in order, and nothing runs in its place', { pair, reason });
    onFailed(this.#failure);
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
    if (this.#session === undefined) return this.#leftOpen;
    return (await this.#session.stop(orders)).leftOpen;
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

  /** A start has failed, and is tried again where that can help. */
  #missed(error: unknown): void {
    const { log } = this.#options;
    if (error instanceof UsageError) throw error;
    if (error instanceof StartAbandoned) return;
    const isDamage = error instanceof JournalDamaged || error instanceof JournalUnreadable;
    this.#damage = isDamage ? error : undefined;
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
      else if (this.#isAbandoning) start.abandon('cancel');
    };
    let session: DaemonSession;
    try {
      session = await this.#entry.open({ ...watch, starting });
    } catch (error) {
      if (error instanceof StartAbandoned) {
        this.#leftOpen = error.leftOpen;
        this.#hasLooked = true;
      }
      throw error;
    } finally {
      this.#starting = undefined;
    }
    this.#session = session;
    this.#damage = undefined;
    this.#leftOpen = [];
    this.#hasLooked = true;
    for (const halt of halts()) latch(session, halt);
    session.failed.catch((error: unknown) => {
      if (this.#session === session) this.#fail(error);
    });
    onRunning(session);
    return session;
  }

  /** It is shown to people, and may be anything. */
  #textOf(error: unknown): string {
    return cleanText(error instanceof Error ? error.message : String(error), this.#options.scrub);
  }

  #retry(): void {
    if (this.#ended !== undefined) return;
    const { timers } = this.#options;
    this.#cancelRetry = timers.after(this.#pauseMs, () => {
      this.#opening = this.#open().catch((error: unknown) => {
        this.refused(error);
      });
    });
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined || this.#ended !== undefined) return;
    const { log, onFailed, clock } = this.#options;
    const entry = this.#entry;
    this.#failure = this.#textOf(error);
    this.#isBlocked = error instanceof StrategyBlocked;
    const trial = this.#trial;
    // In its first moments whoever replaced it waits, and puts back what was there; for that nobody does.
    if (this.#isReplacing && !this.#isRestoring) return;
    if (trial !== undefined && clock.monotonic() < trial.until) {
      onFailed(`${this.#failure}; the one before is started again`);
      this.#opening = this.#restore(trial.before).catch((reason: unknown) => {
        log.error('the strategy before cannot be started again', {
          pair: entry.pair,
          reason: String(reason),
        });
      });
      return;
    }
    log.error('a strategy failed and is stopped; its orders are canceled, its position stays', {
      pair: entry.pair,
      strategy: entry.strategy,
      error: this.#failure,
    });
    onFailed(this.#failure);
    void this.#stopOnce().catch((reason: unknown) => {
      log.error('a failed strategy cannot be stopped in order', {
        pair: entry.pair,
        reason: String(reason),
      });
    });
  }
}

function endedMeanwhile(pair: string, why?: string): UsageError {
  const message = `${pair} must not end meanwhile, received the end of the daemon`;
  return new UsageError('TICKWRIGHT_E_REPLACE', why === undefined ? message : `${message}: ${why}`);
}
