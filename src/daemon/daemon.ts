import { UsageError } from '../model/errors.js';
import type { Halt } from '../model/halt-level.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { Market } from '../model/market.js';
import type { CancelTimer } from '../ports/clock.js';
import { bareText } from '../runner/stop/bare-position.js';
import { restingStopText } from '../runner/resting-stop.js';
import type { EndOfOrders, OpenOrderText } from '../runner/session-gateway.js';
import { accountMoney } from './account-money.js';
import { AccountShares } from './account-shares.js';
import {
  type CandleRow,
  type ChangeRequest,
  type ControlRequest,
  type DaemonControl,
  type DaemonEvent,
  type DaemonState,
  type DaemonStatus,
  type Halted,
  type HaltStatus,
  NO_MARK,
  type RecentKind,
  type StopLevel,
  type StopRequest,
  type StrategyCode,
} from './daemon-api.js';
import type { DaemonOptions } from './daemon-options.js';
import { DaemonPair } from './daemon-pair.js';
import type { DaemonSession } from './daemon-session.js';
import { KeptHalts } from './kept-halts.js';
import { haltStatusOf, latch, type LatchedSession, latchesOf } from './latches.js';
import { LoopLag } from './loop-lag.js';
import type { ManagedSession } from './managed-session.js';
import { pnlByAsset } from './pnl-by-asset.js';
import { problemTexts } from './problems.js';
import { RecentEvents } from './recent-events.js';
import { changeText, type StrategyChange } from './strategy-change.js';
import { VenueReach } from './venue-reach.js';

/** Why the daemon ends. */
export type DaemonEnd =
  | ({ readonly kind: 'stop'; readonly level: StopLevel } & StopRequest)
  | { readonly kind: 'recycle'; readonly reason: string };

const LOOK_MS = 1_000;
const EQUITY_EVERY = 10;
const LEFT =
  'was left at the venue, until the new session has one of its own or nothing is held that it could reduce';
const ANEW = 'on paper the position is gone and the account begins anew; what it has lost still counts';

/**
 * Runs several sessions in one process: it starts, watches, halts and stops them together, but a failure of one ends only
 * that one. Every answer is computed from the sessions when asked for, never from a cache.
 */
export class Daemon implements DaemonControl {
  /** Settles when the daemon has to end; the process then calls `finish`. Rejects at an error that nobody caught. */
  readonly ending: Promise<DaemonEnd>;
  readonly #options: DaemonOptions;
  readonly #pairs: readonly DaemonPair[];
  readonly #events = new RecentEvents();
  readonly #lag: LoopLag;
  readonly #shares = new AccountShares(() => this.#pairs.map(({ seat }) => seat));
  readonly #startedAt: number;
  #end: (end: DaemonEnd) => void = () => undefined;
  #failEnd: (error: unknown) => void = () => undefined;
  #isEnding = false;
  /** How it ends if somebody stopped it. */
  #endsAs: StopLevel | undefined;
  #isStarted = false;
  readonly #halts: KeptHalts;
  #cancelLook: CancelTimer | undefined;
  #looks = 0;
  #onLook: () => void = () => undefined;
  readonly #reach = new VenueReach();

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.#halts = new KeptHalts({
      halts: options.halts,
      keepHalts: options.keepHalts,
      onUnwritten: (text, error) => {
        options.log.error('what the daemon is halted with cannot be written down', { error: String(error) });
        this.#events.tell({ kind: 'problem', time: options.clock.wall(), severity: 'critical', text });
      },
    });
    this.#startedAt = options.clock.monotonic();
    this.#lag = new LoopLag(options);
    this.ending = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#failEnd = reject;
    });
    this.ending.catch(() => undefined);
    const pairs = options.entries.map(({ pair }) => pair);
    const twice = pairs.find((pair, index) => pairs.indexOf(pair) !== index);
    if (twice !== undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_DAEMON_PAIRS',
        `each pair must have one strategy, since the fills of two could not be told apart, received two on ${twice}`,
      );
    }
    const { clock, timers, log, scrub = (text) => text, startedWith = {}, onReplaced } = options;
    const common = {
      clock,
      timers,
      log,
      scrub,
      startedWith,
      onReplaced,
      events: this.#events,
      shares: this.#shares,
    };
    const isAlone = options.entries.length === 1;
    this.#pairs = options.entries.map(
      (entry) => new DaemonPair({ ...common, isAlone, entry, halts: () => this.#halts.all }),
    );
  }

  /**
   * Resolves once every session has either been tried or waits for a person. A person may take days, so the daemon does
   * not wait for one. Sessions whose start failed for a passing reason are tried again in the background.
   *
   * @throws UsageError when an entry can never start as it is; JournalDamaged or JournalUnreadable when the journal of
   * every pair is unusable
   */
  async start(): Promise<void> {
    this.#lag.start();
    this.#lookLater();
    const tried = new Set<ManagedSession>();
    const refusals: unknown[] = [];
    const attempts = this.#pairs.map(async ({ managed }) => {
      try {
        await managed.start();
      } catch (error) {
        // This start waited for a person while the other pairs began to trade: its refusal must not end the daemon.
        if (this.#isStarted) managed.refused(error);
        else refusals.push(error);
      }
      tried.add(managed);
    });
    const waiting = new Promise<void>((resolve) => {
      this.#onLook = () => {
        const isSettled = ({ managed }: DaemonPair) => tried.has(managed) || managed.waiting !== undefined;
        if (this.#pairs.every(isSettled)) resolve();
      };
    });
    await Promise.race([Promise.all(attempts), waiting]);
    this.#onLook = () => undefined;
    if (refusals.length > 0) throw refusals[0];
    const [damage, ...others] = this.#pairs.map(({ managed }) => managed.damage);
    if (damage !== undefined && !others.includes(undefined)) throw damage;
    this.#isStarted = true;
  }

  /**
   * Ends every session, which cancels or leaves its own orders. Resolves to the orders that may still be open, without
   * those that then are `keptStops`.
   */
  async finish(orders?: EndOfOrders): Promise<readonly OpenOrderText[]> {
    this.#isEnding = true;
    const ends = await Promise.allSettled(this.#pairs.map(({ managed }) => managed.stop(orders)));
    await this.#halts.written;
    this.#cancelLook?.();
    this.#lag.stop();
    return ends.flatMap((end, index) =>
      end.status === 'fulfilled'
        ? end.value
        : [`${this.#pairs[index]?.managed.entry.pair ?? ''}: ${String(end.reason)}`],
    );
  }

  /** Stops that are at the venue on purpose, since `finish` was to keep them. In words, each with its pair. */
  get keptStops(): readonly string[] {
    return this.#pairs.flatMap(({ managed: { entry, keptStops } }) =>
      keptStops.map((stop) => `${entry.pair}: ${restingStopText(stop)}`),
    );
  }

  /** Positions that `finish` left without the stop that guarded them. In words, each with its pair. */
  get barePositions(): readonly string[] {
    return this.#pairs.flatMap(({ managed: { entry, canceledStops } }) =>
      canceledStops.length === 0 ? [] : [`${entry.pair}: ${bareText(canceledStops)}`],
    );
  }

  /** Pairs on which no start of this life reached the venue: nobody has checked what the life before left there. */
  get unbegun(): readonly string[] {
    return this.#pairs.flatMap(({ managed }) => (managed.isUnbegun ? [managed.entry.pair] : []));
  }

  status(): DaemonStatus {
    const {
      mode,
      pid,
      process,
      version,
      venue,
      clock,
      gauge,
      memoryCeilingBytes,
      startedWith = {},
    } = this.#options;
    const pairs = this.#pairs.map(({ status }) => status);
    const [first] = this.#sessions();
    const { rssBytes, heapBytes } = gauge();
    const { halted } = this;
    const money = accountMoney(this.#sessions().flatMap((session) => session.ledger() ?? []));
    const isBounded = Number.isFinite(memoryCeilingBytes);
    const memory = { rssBytes, heapBytes, ...(isBounded ? { ceilingBytes: memoryCeilingBytes } : {}) };
    const foreign = this.#pairs.flatMap(({ foreignText }) => foreignText ?? []);
    return {
      schemaVersion: 1,
      state: this.#state(),
      mode,
      pid,
      ...(process === undefined ? {} : { process }),
      version,
      venue,
      uptimeMs: Math.round(clock.monotonic() - this.#startedAt),
      pairs,
      pnl: pnlByAsset(this.#pairs, mode),
      budget: { perSecond: this.#sessions().reduce((sum, each) => sum + each.way().requestsPerSecond, 0) },
      clock: first === undefined ? undefined : clockOf(first, clock.wall()),
      halted,
      suspense: money.suspense,
      memory,
      loopLag: { p99Ms: round(this.#lag.p99Ms), maxMs: round(this.#lag.maxMs) },
      problems: [
        ...problemTexts({
          halted,
          unhalted: this.#unhalted(),
          unwritten: this.#halts.unwritten,
          pairs,
          foreign,
          memory,
          startedWith,
        }),
        ...money.problems,
        ...(this.#options.moreProblems?.() ?? []),
      ],
    };
  }

  /** One counter for each loop that must move on; a counter that stands still shows a stuck loop. */
  progress(): Readonly<Record<string, number>> {
    const polls = this.#pairs.flatMap(({ managed: { entry, session, isRunning } }) => {
      if (session === undefined || !isRunning) return [];
      const { polls: answered, failures } = session.feed.stats;
      return [[`polls ${entry.pair}`, answered + failures] as const];
    });
    return { looks: this.#looks, ...Object.fromEntries(polls) };
  }

  listen(listener: (event: DaemonEvent) => void): () => void {
    return this.#events.listen(listener);
  }

  recent(kind: RecentKind, most: number): readonly DaemonEvent[] {
    return this.#events.recent(kind, most);
  }

  candles(pair: string, most: number): readonly CandleRow[] {
    return this.#of(pair).candles.newest(most);
  }

  /** Tells an event that arises outside of the daemon, such as a line of the log. */
  tell(event: DaemonEvent): void {
    this.#events.tell(event);
  }

  /** Latches the halt in every session, in addition to halts that are latched there already. */
  halt(level: HaltLevel, { reason, by }: ControlRequest): void {
    const halt: Halt = { level, reason, by };
    this.#halts.add(halt);
    this.#options.log.error('halted', { halt: level, reason, by });
    for (const session of this.#sessions()) latch(session, halt);
    this.#events.tell({ kind: 'halt', time: this.#options.clock.wall(), halt });
  }

  pause(request: ControlRequest): Promise<Halted> {
    return this.#halted('pause', request);
  }

  cancelAll(request: ControlRequest): Promise<Halted> {
    return this.#halted('cancel', request);
  }

  async #halted(level: HaltLevel, request: ControlRequest): Promise<Halted> {
    this.halt(level, request);
    await this.#halts.written;
    return { unwritten: this.#halts.unwritten };
  }

  /**
   * Closes all positions. The process that runs the daemon does this after `ending`, because it also proves the result.
   */
  async flatten(request: ControlRequest): Promise<void> {
    this.stop('flat', request);
    await this.ending;
  }

  /** Ends all halts, and starts again the strategies that were blocked because they had ended the daemon. */
  async resume({ mark, reason, by }: ControlRequest & { readonly mark: string }): Promise<void> {
    const keptHalted = await this.#options.keptHalted?.();
    if (keptHalted !== undefined) throw new UsageError('TICKWRIGHT_E_HALT_FILE', keptHalted);
    const held = this.halted;
    if ((held?.mark ?? NO_MARK) !== mark) {
      const now = held === undefined ? 'nothing' : `${held.level} (${held.reason}, by ${held.by})`;
      throw new UsageError(
        'TICKWRIGHT_E_RESUME',
        `what is to be resumed must be what is latched, ${now}, received the mark of something else: look again`,
      );
    }
    this.#shares.resumed();
    if (held !== undefined) {
      const halts = this.#halts.all;
      this.#halts.clear();
      const failures = this.#resumeSessions(halts, { reason, by });
      this.#options.log.warn('resumed', { reason, by });
      this.#events.tell({ kind: 'resume', time: this.#options.clock.wall(), by });
      await this.#halts.written;
      if (failures.length > 0) throw failures[0];
    }
    await this.#unblock({ by, reason });
  }

  /** `own`: halts of the daemon. A session that cannot write its resume down stays latched, and keeps no other one from being resumed. */
  #resumeSessions(own: readonly Halt[], { reason, by }: ControlRequest): readonly unknown[] {
    const failures: unknown[] = [];
    for (const { managed } of this.#pairs) {
      const session = managed.isRunning ? managed.session : undefined;
      const latched = session?.halts() ?? [];
      managed.resumed({ halts: [...own, ...latched], reason, by });
      if (session === undefined || latched.length === 0) continue;
      try {
        session.resume(reason, by);
      } catch (error) {
        failures.push(error);
        const { pair } = managed.entry;
        this.#options.log.error('a session cannot be resumed', { pair, error: String(error) });
      }
    }
    return failures;
  }

  set(
    pair: string,
    params: Readonly<Record<string, string>>,
    request: ChangeRequest,
  ): Promise<{ readonly done: string }> {
    return this.#change(pair, { params }, request);
  }

  swap(pair: string, code: StrategyCode, request: ChangeRequest): Promise<{ readonly done: string }> {
    return this.#change(pair, { code }, request);
  }

  /** Ends the daemon by an error that nobody caught: `ending` rejects with it, unless the daemon is ending already. */
  fail(error: unknown): void {
    this.#isEnding = true;
    this.#failEnd(error);
  }

  /**
   * Only the first stop takes effect. An end that is flat is a halt, too: whatever starts the daemon again, also because the
   * closing was not proven, finds it.
   *
   * @throws UsageError when `flat` or `leave` is asked for during another end
   */
  stop(level: StopLevel, { by, reason, thenFlat }: StopRequest): void {
    if (this.#isEnding && this.#endsAs !== level && level !== 'cancel') throw ending(level);
    if (level === 'flat') this.halt('flatten', { by, reason });
    if (!this.#isEnding) this.#endsAs = level;
    this.#isEnding = true;
    this.#end({ kind: 'stop', level, by, reason, ...(thenFlat === true ? { thenFlat } : {}) });
  }

  async #change(
    pair: string,
    change: StrategyChange,
    request: ChangeRequest,
  ): Promise<{ readonly done: string }> {
    const { by, reason } = request;
    const { managed } = this.#of(pair);
    const { change: changed, log, mode } = this.#options;
    if (changed === undefined || this.#isEnding)
      throw new UsageError('TICKWRIGHT_E_SET', `the strategy on ${pair} cannot be changed now`);
    managed.demandReplaceable();
    const before = managed.entry;
    const next = await changed(before, change, request);
    managed.demandReplaceable();
    // The entry may have been replaced during `changed`, which checked the old one: then the check does not hold.
    if (managed.entry !== before)
      throw new UsageError(
        'TICKWRIGHT_E_SET',
        `the strategy on ${pair} must stay the same until it is changed, received ${changeText(before, managed.entry)} meanwhile`,
      );
    const done = changeText(before, next);
    log.warn('a strategy is replaced', { pair, change: done, by, reason });
    const stops = await managed.replace(next);
    const left = stops.map((stop) => `\n${pair}: its ${restingStopText(stop)} ${LEFT}`).join('');
    return { done: mode === 'paper' ? `${done}\n${ANEW}` : `${done}${left}` };
  }

  /** The markets that the running sessions use. */
  get markets(): readonly Market[] {
    return this.#sessions().map(({ core }) => core.engine.market);
  }

  /**
   * Restarts the session of a pair: its own orders are canceled, its position and the stops that guard it stay. Returns
   * false when that is not possible at present: the session is stopping, being replaced, waiting for a person, or not
   * SYNCED.
   */
  renew(pair: string, why: string): boolean {
    const { managed } = this.#of(pair);
    const { session, isRunning, entry } = managed;
    if (this.#isEnding || !isRunning || session?.standing().state !== 'SYNCED') return false;
    if (!managed.isReplaceable) return false;
    const { clock, log } = this.#options;
    const text = `${pair}: ${why}; its session begins anew`;
    this.#events.tell({ kind: 'problem', time: clock.wall(), severity: 'warning', pair, text });
    managed.replace(entry).catch((error: unknown) => {
      // At the daemon's end no session begins anew, and what is wrong with one that cannot be stopped is told by itself.
      if (this.#isEnding) return;
      log.error('a session cannot begin anew', { pair, error: String(error) });
    });
    return true;
  }

  async #unblock({ by, reason }: ControlRequest): Promise<void> {
    const { unblock, log } = this.#options;
    for (const { managed } of this.#pairs) {
      const { pair } = managed.entry;
      if (!managed.isBlocked || (await unblock?.(pair)) !== true) continue;
      log.warn('a strategy that ended the daemon runs again', { pair, by, reason });
      // The state of the pair shows whether the strategy runs; a caller of `resume` must not wait for a whole start.
      managed.replace(managed.entry).catch((error: unknown) => {
        if (this.#isEnding) return;
        log.error('a strategy that ended the daemon cannot run again', { pair, error: String(error) });
      });
    }
  }

  #lookLater(): void {
    this.#cancelLook = this.#options.timers.after(LOOK_MS, () => {
      this.#look();
      this.#lookLater();
    });
  }

  /** Looks each second for changes that send no event of their own. */
  #look(): void {
    const { clock, onBeat, gauge, memoryCeilingBytes, log } = this.#options;
    this.#looks++;
    onBeat?.();
    this.#shares.refresh();
    for (const pair of this.#pairs) pair.tellNews();
    this.#onLook();
    const turned = this.#reach.look(this.#pairs);
    if (turned !== undefined) this.#events.tell({ kind: 'venue', time: clock.wall(), ...turned });
    if (this.#looks % EQUITY_EVERY === 0) this.#tellEquity();
    const { rssBytes } = gauge();
    if (rssBytes > memoryCeilingBytes && !this.#isEnding) {
      const reason = `resident memory must be at most ${memoryCeilingBytes} bytes, received ${rssBytes}`;
      log.error('the daemon ends in order, to be started anew', { reason });
      this.#events.tell({ kind: 'problem', time: clock.wall(), severity: 'critical', text: reason });
      this.#isEnding = true;
      this.#end({ kind: 'recycle', reason });
    }
  }

  #tellEquity(): void {
    const time = this.#options.clock.wall();
    for (const [asset, { session }] of Object.entries(pnlByAsset(this.#pairs, this.#options.mode))) {
      this.#events.tell({ kind: 'equity', time, asset, equity: session });
    }
  }

  /** Strongest halt of the daemon as a whole. It applies to each pair, in addition to halts of single pairs. */
  get ownHalt(): HaltLevel | undefined {
    return this.#halts.level;
  }

  /** The strongest halt of the daemon and its sessions, with the reasons of all of them. */
  get halted(): HaltStatus | undefined {
    return haltStatusOf(latchesOf(this.#halts.all, this.#latched()));
  }

  /** Pairs without any halt whose strategy has not failed: they trade, or are about to. */
  #unhalted(): readonly string[] {
    if (this.ownHalt !== undefined) return [];
    const halted = this.#latched().filter((each) => latchesOf([], [each]).length > 0);
    return this.#pairs
      .filter(({ managed }) => managed.failure === undefined)
      .map(({ managed }) => managed.entry.pair)
      .filter((pair) => !halted.some((each) => each.pair === pair));
  }

  #latched(): readonly LatchedSession[] {
    return this.#pairs.flatMap(({ managed: { entry, session, isRunning } }) =>
      session === undefined || !isRunning ? [] : [{ pair: entry.pair, session }],
    );
  }

  /** The daemon counts as halted only when no pair goes on. A halt of a single pair shows in that pair's own state. */
  #state(): DaemonState {
    if (this.#isEnding) return 'stopping';
    const halted = this.halted;
    if (halted !== undefined && this.#unhalted().length === 0)
      return halted.level === 'pause' ? 'paused' : 'halted';
    return this.#isStarted && this.#pairs.every(({ managed }) => managed.hasStarted) ? 'running' : 'starting';
  }

  #sessions(): readonly DaemonSession[] {
    return this.#pairs.flatMap(({ managed }) =>
      managed.session === undefined || !managed.isRunning ? [] : [managed.session],
    );
  }

  #of(pair: string): DaemonPair {
    const found = this.#pairs.find(({ managed }) => managed.entry.pair === pair);
    if (found !== undefined) return found;
    const known = this.#pairs.map(({ managed }) => managed.entry.pair).join(', ');
    throw new UsageError(
      'TICKWRIGHT_E_DAEMON_PAIRS',
      `the pair must be one of ${known}, received ${JSON.stringify(pair.slice(0, 64))}`,
    );
  }
}

/** `reached` is the earliest that the venue's time can be; its distance from the estimate `now` is the uncertainty. */
function clockOf(session: DaemonSession, wall: number): DaemonStatus['clock'] {
  const { now, reached } = session.way().clock.glance();
  if (reached <= 0) return undefined;
  return { offsetMs: Math.round(now - wall), uncertaintyMs: Math.round(Math.max(0, now - reached)) };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function ending(asked: 'flat' | 'leave'): UsageError {
  return new UsageError(
    'TICKWRIGHT_E_ENDING',
    asked === 'flat'
      ? 'a daemon that is to end flat must not be ending already; what it holds then is closed by tickwright stop --flat'
      : 'a daemon that is to leave its orders at the venue must not be ending otherwise already; tickwright orders shows what is left',
  );
}
