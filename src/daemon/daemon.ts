import { UsageError } from '../model/errors.js';
import { textOf } from '../model/grid.js';
import type { HaltLevel } from '../model/journal-record.js';
import { type Money, moneyText } from '../model/money.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { EndOfOrders, OpenOrderText } from '../runner/session-gateway.js';
import type { SessionObserver } from '../session/session-core.js';
import { AccountShares } from './account-shares.js';
import { CandleStore } from './candle-store.js';
import type {
  CandleRow,
  ChangeRequest,
  ControlRequest,
  DaemonControl,
  DaemonEvent,
  DaemonState,
  DaemonStatus,
  HaltStatus,
  PairStatus,
  RecentKind,
  StopLevel,
  StrategyCode,
} from './daemon-api.js';
import type { DaemonSession } from './daemon-session.js';
import { DayPnl } from './day-pnl.js';
import { LoopLag } from './loop-lag.js';
import { type DaemonEntry, ManagedSession } from './managed-session.js';
import { changeText, type StrategyChange } from './strategy-change.js';
import { pairStatus, sessionPnl, standingOf } from './pair-status.js';
import { RecentEvents } from './recent-events.js';

/** What the process says of itself. */
export interface ProcessGauge {
  readonly rssBytes: number;
  readonly heapBytes: number;
}

export interface DaemonOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly mode: 'paper' | 'live';
  readonly venue: string;
  readonly version: string;
  readonly pid: number;
  readonly entries: readonly DaemonEntry[];
  readonly gauge: () => ProcessGauge;
  /** Resident bytes from which on the daemon ends in order, to be started anew; `undefined`: no bound. */
  readonly memoryCeilingBytes: number;
  /** The strategy of an entry with other parameters, or another one on its pair. @throws UsageError for what cannot be */
  readonly change?:
    | ((entry: DaemonEntry, change: StrategyChange, request: ChangeRequest) => Promise<DaemonEntry>)
    | undefined;
  readonly onReplaced?: ((entry: DaemonEntry) => void) | undefined;
  /** Each look, a second apart: the heart beats. */
  readonly onBeat?: (() => void) | undefined;
}

/** Why the daemon ends. */
export type DaemonEnd =
  | { readonly kind: 'stop'; readonly level: StopLevel; readonly by: string; readonly reason: string }
  | { readonly kind: 'recycle'; readonly reason: string };

const LOOK_MS = 1_000;
const EQUITY_EVERY = 10;
/** A feed that brings nothing for so many polls is a problem. */
const SILENT_MS = 30_000;
const LEVELS: readonly HaltLevel[] = ['pause', 'cancel', 'flatten', 'stop'];

interface Tracked {
  readonly managed: ManagedSession;
  readonly candles: CandleStore;
  readonly day: DayPnl;
  /** The session that ran last. */
  before: DaemonSession | undefined;
  heardAt: number | undefined;
  told: string;
  /** What was told last of somebody else on the pair. */
  toldForeign: string | undefined;
}

/**
 * Several sessions as one: started together, watched, halted and stopped together, and failing alone. What it knows it
 * tells when asked, never from a cache.
 */
export class Daemon implements DaemonControl {
  /** Resolves when it is to end; the process then calls `finish`. */
  readonly ending: Promise<DaemonEnd>;
  readonly #options: DaemonOptions;
  readonly #tracked: readonly Tracked[];
  readonly #events = new RecentEvents();
  readonly #lag: LoopLag;
  readonly #shares = new AccountShares(() => this.#sessions());
  readonly #startedAt: number;
  #end: (end: DaemonEnd) => void = () => undefined;
  #isEnding = false;
  #isStarted = false;
  #halt: HaltStatus | undefined;
  #cancelLook: CancelTimer | undefined;
  #looks = 0;
  #unreachable = false;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#lag = new LoopLag(options);
    this.ending = new Promise((resolve) => {
      this.#end = resolve;
    });
    const pairs = options.entries.map(({ pair }) => pair);
    const twice = pairs.find((pair, index) => pairs.indexOf(pair) !== index);
    if (twice !== undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_DAEMON_PAIRS',
        `each pair must have one strategy, since the fills of two could not be told apart, received two on ${twice}`,
      );
    }
    this.#tracked = options.entries.map((entry) => this.#track(entry));
  }

  /** Resolves once every session was tried; those that cannot start yet are tried again. @throws UsageError */
  async start(): Promise<void> {
    this.#lag.start();
    this.#lookLater();
    const attempts = await Promise.allSettled(this.#tracked.map(({ managed }) => managed.start()));
    for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason;
    this.#isStarted = true;
  }

  /** Ends every session: own orders are canceled until they are seen to be gone, or left. Resolves to what may be left. */
  async finish(orders?: EndOfOrders): Promise<readonly OpenOrderText[]> {
    this.#isEnding = true;
    const ends = await Promise.allSettled(this.#tracked.map(({ managed }) => managed.stop(orders)));
    this.#cancelLook?.();
    this.#lag.stop();
    return ends.flatMap((end, index) =>
      end.status === 'fulfilled'
        ? end.value
        : [`${this.#tracked[index]?.managed.entry.pair ?? ''}: ${String(end.reason)}`],
    );
  }

  status(): DaemonStatus {
    const { mode, pid, version, venue, clock, gauge, memoryCeilingBytes } = this.#options;
    const pairs = this.#tracked.map((tracked) => this.#pairStatus(tracked));
    const [first] = this.#sessions();
    const { rssBytes, heapBytes } = gauge();
    return {
      schemaVersion: 1,
      state: this.#state(),
      mode,
      pid,
      version,
      venue,
      uptimeMs: Math.round(clock.monotonic() - this.#startedAt),
      pairs,
      pnl: this.#pnl(),
      budget: { perSecond: this.#sessions().reduce((sum, each) => sum + each.way().requestsPerSecond, 0) },
      clock: first === undefined ? undefined : clockOf(first, clock.wall()),
      halted: this.halted,
      suspense: first?.ledger()?.suspense ?? [],
      memory: { rssBytes, heapBytes, ceilingBytes: memoryCeilingBytes },
      loopLag: { p99Ms: round(this.#lag.p99Ms), maxMs: round(this.#lag.maxMs) },
      problems: this.#problems(pairs),
    };
  }

  /** What moves while every loop runs, by name. */
  progress(): Readonly<Record<string, number>> {
    const polls = this.#tracked.flatMap(({ managed: { entry, session, isRunning } }) => {
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

  /** For the log's own lines, and for what others notice. */
  tell(event: DaemonEvent): void {
    this.#events.tell(event);
  }

  /** Latched in every session: what is stronger already stays. */
  halt(level: HaltLevel, { reason, by }: ControlRequest): void {
    if (this.#halt === undefined || LEVELS.indexOf(this.#halt.level) < LEVELS.indexOf(level)) {
      this.#halt = { level, reason, by };
    }
    this.#options.log.error('halted', { halt: level, reason, by });
    for (const session of this.#sessions()) {
      const held = session.halted();
      if (held === undefined || LEVELS.indexOf(held) < LEVELS.indexOf(level)) session.halt(level, reason, by);
    }
    this.#events.tell({ kind: 'halt', time: this.#options.clock.wall(), halt: { level, reason, by } });
  }

  pause(request: ControlRequest): Promise<void> {
    this.halt('pause', request);
    return Promise.resolve();
  }

  cancelAll(request: ControlRequest): Promise<void> {
    this.halt('cancel', request);
    return Promise.resolve();
  }

  /** Each session is ended and closed by whoever runs the process: it is an end, and the proof of it comes from there. */
  flatten(request: ControlRequest): Promise<void> {
    this.halt('flatten', request);
    this.stop('flat', request);
    return Promise.resolve();
  }

  resume({ level, reason, by }: ControlRequest & { readonly level: HaltLevel }): Promise<void> {
    const held = this.halted;
    if (held === undefined) return Promise.resolve();
    if (held.level !== level) {
      return Promise.reject(
        new UsageError(
          'TICKWRIGHT_E_RESUME',
          `the level must be the one that is latched, ${held.level} (${held.reason}, by ${held.by}), received ${level}`,
        ),
      );
    }
    this.#halt = undefined;
    for (const session of this.#sessions()) if (session.halted() !== undefined) session.resume(reason, by);
    this.#options.log.warn('resumed', { reason, by });
    this.#events.tell({ kind: 'resume', time: this.#options.clock.wall(), by });
    return Promise.resolve();
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

  stop(level: StopLevel, { by, reason }: ControlRequest): void {
    this.#isEnding = true;
    this.#end({ kind: 'stop', level, by, reason });
  }

  async #change(
    pair: string,
    change: StrategyChange,
    request: ChangeRequest,
  ): Promise<{ readonly done: string }> {
    const { by, reason } = request;
    const { managed } = this.#of(pair);
    const { change: changed, onReplaced, log } = this.#options;
    if (changed === undefined || this.#isEnding)
      throw new UsageError('TICKWRIGHT_E_SET', `the strategy on ${pair} cannot be changed now`);
    const before = managed.entry;
    const next = await changed(before, change, request);
    const done = changeText(before, next);
    log.warn('a strategy is replaced', { pair, change: done, by, reason });
    await managed.replace(next);
    onReplaced?.(next);
    return { done };
  }

  #track(entry: DaemonEntry): Tracked {
    const { clock, log, timers } = this.#options;
    const candles = new CandleStore();
    const managed: ManagedSession = new ManagedSession({
      entry,
      clock,
      timers,
      log,
      watch: this.#watch(entry, candles, () => tracked),
      halted: () => this.#halt,
      onRunning(session) {
        // A new session counts from anew: what the one before came to is kept.
        const { before, day } = tracked;
        if (before !== undefined) day.carry(sessionPnl(before) - sessionPnl(session));
        tracked.before = session;
      },
      onFailed: (reason) =>
        this.#events.tell({ kind: 'strategy-failed', time: clock.wall(), pair: entry.pair, reason }),
    });
    const tracked: Tracked = {
      managed,
      candles,
      day: new DayPnl(),
      before: undefined,
      heardAt: undefined,
      told: '',
      toldForeign: undefined,
    };
    return tracked;
  }

  #watch({ pair }: DaemonEntry, candles: CandleStore, tracked: () => Tracked): SessionObserver {
    const { clock } = this.#options;
    return {
      input: (_, event) => {
        if (event.kind === 'trade') candles.add(event.trade);
        if (event.kind === 'mark' || event.kind === 'trade') tracked().heardAt = clock.monotonic();
        if (event.kind !== 'report') return;
        const { report } = event;
        if (report.kind !== 'filled' && report.kind !== 'late-fill') return;
        const market = tracked().managed.session?.core.engine.market;
        if (market === undefined) return;
        const { side, ticks, lots, fee, time } = report.fill;
        this.#events.tell({
          kind: 'fill',
          time,
          pair,
          side,
          price: textOf(market.priceGrid, ticks),
          quantity: textOf(market.quantityGrid, lots),
          fee: moneyText(fee, market.quotePrecision),
        });
      },
      decision: (_, __, refusals) => {
        for (const { rule, reason } of refusals) {
          this.#events.tell({ kind: 'refusal', time: clock.wall(), pair, rule, reason });
        }
        this.#shares.refresh();
      },
    };
  }

  #lookLater(): void {
    this.#cancelLook = this.#options.timers.after(LOOK_MS, () => {
      this.#look();
      this.#lookLater();
    });
  }

  /** What nobody tells by itself. */
  #look(): void {
    const { clock, onBeat, gauge, memoryCeilingBytes, log } = this.#options;
    this.#looks++;
    onBeat?.();
    this.#shares.refresh();
    for (const tracked of this.#tracked) {
      this.#tellState(tracked);
      this.#tellForeign(tracked);
    }
    this.#tellReachable();
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

  #tellState(tracked: Tracked): void {
    const { session, entry } = tracked.managed;
    if (session === undefined) return;
    const { state, permission, reason } = standingOf(session);
    const told = `${state} ${permission} ${reason}`;
    if (told === tracked.told) return;
    tracked.told = told;
    this.#events.tell({
      kind: 'pair-state',
      time: this.#options.clock.wall(),
      pair: entry.pair,
      state,
      reason,
    });
  }

  /** Once for each change: a person or another bot trades on the same account. */
  #tellForeign(tracked: Tracked): void {
    const text = foreignText(tracked);
    if (text === tracked.toldForeign) return;
    tracked.toldForeign = text;
    if (text === undefined) return;
    this.#options.log.warn('somebody else trades on the account', { what: text });
    this.#events.tell({ kind: 'problem', time: this.#options.clock.wall(), severity: 'warning', text });
  }

  #tellReachable(): void {
    const silent = this.#tracked.filter(
      ({ heardAt, managed }) => managed.isRunning && heardAt !== undefined && this.#age(heardAt) > SILENT_MS,
    );
    const running = this.#tracked.filter(({ managed }) => managed.isRunning);
    const isUnreachable = running.length > 0 && silent.length === running.length;
    if (isUnreachable === this.#unreachable) return;
    this.#unreachable = isUnreachable;
    const reason = isUnreachable
      ? `no poll was answered for ${SILENT_MS / 1_000} s`
      : 'polls are answered again';
    this.#events.tell({ kind: 'venue', time: this.#options.clock.wall(), reachable: !isUnreachable, reason });
  }

  #tellEquity(): void {
    const time = this.#options.clock.wall();
    for (const [asset, { session }] of Object.entries(this.#pnl())) {
      this.#events.tell({ kind: 'equity', time, asset, equity: session });
    }
  }

  #pairStatus({ managed, heardAt }: Tracked): PairStatus {
    const { entry, failure, session, reason } = managed;
    const now = this.#options.clock.monotonic();
    return pairStatus({ ...entry, failure, session, reason, heardAt, now });
  }

  #pnl(): DaemonStatus['pnl'] {
    const sums = new Map<string, { today: Money; session: Money; precision: number }>();
    for (const { managed, day } of this.#tracked) {
      const { session } = managed;
      if (session === undefined) continue;
      const { quote, quotePrecision: precision } = session.core.engine.market;
      const total = day.inAll(sessionPnl(session));
      const sum = sums.get(quote) ?? { today: 0n, session: 0n, precision };
      sum.today += day.today(this.#options.clock.wall(), total);
      sum.session += total;
      sums.set(quote, sum);
    }
    return Object.fromEntries(
      [...sums].map(([asset, { today, session, precision }]) => [
        asset,
        { today: moneyText(today, precision), session: moneyText(session, precision) },
      ]),
    );
  }

  /** The strongest halt of all sessions. */
  get halted(): HaltStatus | undefined {
    if (this.#halt !== undefined) return this.#halt;
    const levels = this.#sessions().flatMap((session) => session.halted() ?? []);
    const level = levels.toSorted((a, b) => LEVELS.indexOf(b) - LEVELS.indexOf(a))[0];
    return level === undefined ? undefined : { level, reason: 'see the journal', by: 'an earlier life' };
  }

  #state(): DaemonState {
    if (this.#isEnding) return 'stopping';
    const halted = this.halted;
    if (halted !== undefined) return halted.level === 'pause' ? 'paused' : 'halted';
    return this.#isStarted && this.#tracked.every(({ managed }) => managed.session !== undefined)
      ? 'running'
      : 'starting';
  }

  #problems(pairs: readonly PairStatus[]): readonly string[] {
    const { memoryCeilingBytes, gauge } = this.#options;
    const halted = this.halted;
    return [
      ...(halted === undefined ? [] : [`halted (${halted.level}) by ${halted.by}: ${halted.reason}`]),
      ...pairs.flatMap(({ pair, failure, state, permission, reason, doubt, pollAgeMs, running }) => [
        ...(failure === undefined ? [] : [`${pair}: the strategy is stopped: ${failure}`]),
        ...(failure === undefined && !running ? [`${pair}: ${reason}`] : []),
        ...(running && state !== 'SYNCED' ? [`${pair} is ${state}: ${reason}`] : []),
        ...(running && state === 'SYNCED' && permission !== 'all'
          ? [`${pair}: no order adds risk: ${reason}`]
          : []),
        ...(doubt > 0 ? [`${pair}: ${doubt} orders in doubt`] : []),
        ...(running && pollAgeMs !== undefined && pollAgeMs > SILENT_MS
          ? [`${pair}: no poll was answered for ${Math.round(pollAgeMs / 1_000)} s`]
          : []),
      ]),
      ...this.#tracked.flatMap((tracked) => foreignText(tracked) ?? []),
      ...(gauge().rssBytes > 0.9 * memoryCeilingBytes ? ['memory is within a tenth of its ceiling'] : []),
    ];
  }

  #sessions(): readonly DaemonSession[] {
    return this.#tracked.flatMap(({ managed }) =>
      managed.session === undefined || !managed.isRunning ? [] : [managed.session],
    );
  }

  #of(pair: string): Tracked {
    const tracked = this.#tracked.find(({ managed }) => managed.entry.pair === pair);
    if (tracked !== undefined) return tracked;
    const known = this.#tracked.map(({ managed }) => managed.entry.pair).join(', ');
    throw new UsageError(
      'TICKWRIGHT_E_DAEMON_PAIRS',
      `the pair must be one of ${known}, received ${JSON.stringify(pair.slice(0, 64))}`,
    );
  }

  #age(since: number): number {
    return this.#options.clock.monotonic() - since;
  }
}

const MOST_NAMED = 3;

function foreignText({ managed }: Pick<Tracked, 'managed'>): string | undefined {
  const { orders = [], fills = 0 } = managed.session?.foreign() ?? {};
  if (orders.length === 0 && fills === 0) return undefined;
  const named = orders.slice(0, MOST_NAMED).join(', ') + (orders.length > MOST_NAMED ? ', …' : '');
  const parts = [
    ...(orders.length === 0 ? [] : [`${orders.length} orders (${named})`]),
    ...(fills === 0 ? [] : [`${fills} fills`]),
  ];
  return `${managed.entry.pair}: somebody else trades on the account: ${parts.join(' and ')}`;
}

/** What the venue's time certainly is not below is as far from the estimate as the estimate may be wrong. */
function clockOf(session: DaemonSession, wall: number): DaemonStatus['clock'] {
  const { clock } = session.way();
  if (clock.reached() <= 0) return undefined;
  const now = clock.now();
  return { offsetMs: Math.round(now - wall), uncertaintyMs: Math.round(Math.max(0, now - clock.reached())) };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
