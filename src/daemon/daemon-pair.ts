import { counted } from '../model/counted.js';
import { textOf } from '../model/grid.js';
import { type Money, moneyText } from '../model/money.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { SessionWatch } from '../runner/live-session.js';
import type { AccountShares, Holding, Seat } from './account-shares.js';
import { type StartedWith, wayOut } from './attach-command.js';
import { CandleStore } from './candle-store.js';
import type { Halt } from '../model/halt-level.js';
import type { PairStatus } from './daemon-api.js';
import { DayPnl } from './day-pnl.js';
import type { DaemonSession } from './daemon-session.js';
import type { DaemonEntry } from './daemon-entry.js';
import { ManagedSession, type ManagedSessionOptions } from './managed-session.js';
import { latchesOf } from './latches.js';
import { BARE_TOO_LONG, goneText, leftText, quarantineText, SILENT_MS } from './problems.js';
import {
  type Before,
  beforeOf,
  isValued,
  NOTHING_LEFT,
  pairStatus,
  sessionPnl,
  standingOf,
} from './pair-status.js';
import { PairCounts } from './pair-counts.js';
import type { RecentEvents } from './recent-events.js';
import { longestSilence } from './silence.js';

export interface DaemonPairOptions {
  readonly entry: DaemonEntry;
  readonly startedWith: StartedWith;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly scrub: (text: string) => string;
  readonly events: RecentEvents;
  readonly shares: AccountShares;
  /** The account trades no other pair. */
  readonly isAlone: boolean;
  readonly halts: () => readonly Halt[];
  readonly onReplaced: ManagedSessionOptions['onReplaced'];
}

/** Largest number of foreign orders that a message names. */
const MOST_NAMED = 3;
/**
 * How often the venue is asked what a pair holds while no live session knows it, and how long an answer stays valid; ms.
 */
const HOLDING_MS = 10_000;
const HOLDING_FRESH_MS = 45_000;
/** How often the journal is read while there is no session, ms. */
const JOURNAL_MS = 10_000;
/**
 * How long a start may take before the venue is asked on its behalf, ms: a normal start is faster, and needs the request
 * budget.
 */
const BEGINS_WITHIN_MS = 5_000;

/** One pair of a daemon: the session that runs there at the time, and what outlives single sessions. */
export class DaemonPair {
  readonly managed: ManagedSession;
  readonly candles = new CandleStore();
  readonly #options: DaemonPairOptions;
  readonly #day = new DayPnl();
  /** The newest session whose P&L counts, and the total of all sessions up to the last look. */
  #counted: DaemonSession | undefined;
  #total: Money = 0n;
  readonly #counts = new PairCounts();
  #heardAt: number | undefined;
  #timedAt: number | undefined;
  #told = '';
  /** The session whose hits of `limits.maxBareTime` were told last, and how many they were. */
  #bare: { readonly session: DaemonSession | undefined; readonly hits: number } = {
    session: undefined,
    hits: 0,
  };
  /** The last text that was told about foreign orders and fills. */
  #toldForeign: string | undefined;
  #holding: { readonly said: Holding; readonly at: number } | undefined;
  /** Mark by the venue after `session` ended with an open position. */
  #since: { readonly session: DaemonSession; readonly mark: number } | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Since when no live session says what the pair holds, and when one did last. */
  #untoldSince: number | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #before: Before | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: DaemonPairOptions) {
    this.#options = options;
    const { entry, clock, events, shares } = options;
    this.managed = new ManagedSession({
      ...options,
      watch: this.#watch(),
      onRunning: (session) => {
        this.#count(session);
        this.#counts.begin(session.core);
        // The session must know the position and P&L of the other pairs before its first decision.
        shares.refresh();
      },
      onFailed: (reason, orders) =>
        events.tell({
          kind: 'strategy-failed',
          time: clock.wall(),
          pair: entry.pair,
          reason,
          ...(orders === 'keep-stops' ? { keepsStops: true } : {}),
          ...(orders === 'unknown' ? { unsure: true } : {}),
        }),
      onLeft: (orders) => {
        const { pair } = entry;
        const text =
          orders.length === 0 ? goneText(pair) : `${leftText(pair, orders)}; their cancel is tried again`;
        const severity = orders.length === 0 ? 'warning' : 'critical';
        events.tell({ kind: 'problem', time: clock.wall(), severity, pair, text });
      },
    });
  }

  /** The pair as the limits of the account see it. */
  get seat(): Seat {
    const { entry, session, isRunning, leftOpen } = this.managed;
    const { said, at = 0 } = this.#holding ?? {};
    const now = this.#options.clock.monotonic();
    // A live session knows better than the venue's older answer, so only an answer after its last word counts.
    const isFresh = at > this.#toldAt && now - at <= HOLDING_FRESH_MS;
    return { entry, session, isRunning, holding: isFresh ? said : undefined, leftOpen };
  }

  /** Whether a live session knows what the pair holds. */
  get #tells(): boolean {
    const { session, isRunning } = this.managed;
    return isRunning && session?.core.isLive === true;
  }

  get status(): PairStatus {
    const { entry, failure, isBlocked, session, leftOpen, waiting, isReconciling, reason, keptStops } =
      this.managed;
    const now = this.#options.clock.monotonic();
    const heardAt = this.#noteHearing();
    const markSince = session && this.#markSince(session);
    const before = entry.journaled === undefined ? NOTHING_LEFT : this.#before;
    const left = { leftOpen, keptStops, before };
    const seen = { failure, isBlocked, session, ...left, waiting, isReconciling, reason };
    return pairStatus({
      ...entry,
      ...seen,
      counts: this.#counts.all,
      heardAt,
      timedAt: this.#timedAt,
      now,
      markSince,
    });
  }

  /**
   * Set while the session runs and no poll of the trades was answered for longer than their interval explains: the time
   * that was exceeded, ms.
   */
  get silentMs(): number | undefined {
    const heardAt = this.#noteHearing();
    const { entry, isRunning } = this.managed;
    if (!isRunning || heardAt === undefined) return undefined;
    const longest = longestSilence(SILENT_MS, entry.pollMs);
    return this.#options.clock.monotonic() - heardAt > longest ? longest : undefined;
  }

  /**
   * P&L over all sessions of this process, in units as of `sessionPnl`: `session` since the process began, `today` since
   * 00:00 UTC or since the beginning, whichever is later. `undefined` before the first session.
   */
  get pnl(): { readonly today: Money; readonly session: Money } | undefined {
    const { session } = this.managed;
    if (session === undefined) return undefined;
    this.#count(session);
    const total = this.#total;
    return { today: this.#day.today(this.#options.clock.wall(), total), session: total };
  }

  /**
   * Adds up P&L over sessions. A new session counts from the value of the position that it takes over, so the total so
   * far is carried.
   */
  #count(session: DaemonSession): void {
    const counted = this.#counted;
    if (counted !== undefined) this.#total = this.#day.inAll(sessionPnl(counted, this.#markSince(counted)));
    if (this.#counted === session || !isValued(session)) return;
    this.#day.carry(this.#total - this.#day.inAll(sessionPnl(session)));
    this.#counted = session;
  }

  #markSince(session: DaemonSession): number | undefined {
    return this.#since?.session === session ? this.#since.mark : undefined;
  }

  /**
   * When a poll of the trades was answered last, monotonic ms. A quiet market brings no event, so the feed says it. What
   * a session has heard counts until the next one hears something.
   */
  #noteHearing(): number | undefined {
    this.#heardAt = this.managed.session?.feed.tapeReadAt ?? this.#heardAt;
    return this.#heardAt;
  }

  #noteTelling(): void {
    if (this.#tells) this.#toldAt = this.#options.clock.monotonic();
  }

  /** Tells what has changed since the last call; each change once. */
  tellNews(): void {
    const { session } = this.managed;
    this.#noteHearing();
    this.#noteTelling();
    if (session !== undefined) this.#count(session);
    this.#tellState();
    this.#tellForeign();
    this.#tellBare();
    void this.#askHolding();
    void this.#readJournal();
  }

  /** Before there is a session, only the journal knows what an earlier life left. Never rejects. */
  async #readJournal(): Promise<void> {
    const { clock, log } = this.#options;
    const { entry, session } = this.managed;
    if (session !== undefined || entry.journaled === undefined) {
      // A session writes to the journal, so what was read before it is outdated afterwards.
      this.#before = undefined;
      this.#readAt = Number.NEGATIVE_INFINITY;
      return;
    }
    const now = clock.monotonic();
    if (now - this.#readAt < JOURNAL_MS) return;
    this.#readAt = now;
    try {
      const said = await entry.journaled();
      this.#before = said && beforeOf(said);
    } catch (error) {
      this.#before = undefined;
      log.warn('what an earlier life left is not known', { pair: entry.pair, error: String(error) });
    }
  }

  /**
   * Asks the venue what the pair holds, because the limits of the other pairs depend on it even without a session. Never
   * rejects.
   */
  async #askHolding(): Promise<void> {
    const { clock, log, shares, isAlone } = this.#options;
    const { entry } = this.managed;
    const now = clock.monotonic();
    this.#untoldSince = this.#tells ? undefined : (this.#untoldSince ?? now);
    if (this.#untoldSince === undefined || now - this.#untoldSince < BEGINS_WITHIN_MS) return;
    // A single pair has no others that count its position. Only the value of a position left open is then of interest.
    const { session, isRunning } = this.managed;
    const hasLeft = session !== undefined && !isRunning && session.core.engine.position.lots !== 0;
    if (
      (isAlone && !hasLeft) ||
      entry.held === undefined ||
      this.#isAsking ||
      now - this.#askedAt < HOLDING_MS
    )
      return;
    this.#isAsking = true;
    this.#askedAt = now;
    try {
      const said = await entry.held();
      this.#holding = { said, at: now };
      if (hasLeft && said.mark !== undefined) this.#since = { session, mark: said.mark };
      shares.refresh();
    } catch (error) {
      log.warn('the venue does not say what a pair holds', { pair: entry.pair, error: String(error) });
    } finally {
      this.#isAsking = false;
    }
  }

  /** A sentence about orders and fills of a person or another bot on the same account; `undefined`: there are none. */
  get foreignText(): string | undefined {
    const { session, entry } = this.managed;
    const { orders = [], fills = 0 } = session?.foreign() ?? {};
    if (orders.length === 0 && fills === 0) return undefined;
    const named = orders.slice(0, MOST_NAMED).join(', ') + (orders.length > MOST_NAMED ? ', …' : '');
    const parts = [
      ...(orders.length === 0 ? [] : [`${counted(orders.length, 'order')} (${named})`]),
      ...(fills === 0 ? [] : [counted(fills, 'fill')]),
    ];
    return `${entry.pair}: somebody else trades on the account: ${parts.join(' and ')}`;
  }

  #watch(): SessionWatch {
    const { clock, timers, events, shares, entry } = this.#options;
    const { pair } = entry;
    return {
      cashRead: (asOf) => shares.cashRead(pair, asOf),
      noted: (asset) => shares.noted(pair, asset),
      input: (_, event) => {
        if (event.kind === 'trade') this.candles.add(event.trade);
        if (event.kind === 'mark' || event.kind === 'trade') this.#timedAt = clock.monotonic();
        // Only after the event was handled does the session know its position; the other pairs may be blocked until it
        // does.
        if (event.kind === 'live') timers.after(0, () => shares.refresh());
        if (event.kind === 'position') shares.settles(pair, event.position.time);
        if (event.kind !== 'report') return;
        const { report } = event;
        if (report.kind !== 'filled' && report.kind !== 'late-fill') return;
        // A fill may come before the session is known here, so it is noted before the lookup below.
        shares.settles(pair, report.fill.time);
        const market = this.managed.session?.core.engine.market;
        if (market === undefined) return;
        const { side, ticks, lots, fee, time } = report.fill;
        events.tell({
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
          events.tell({ kind: 'refusal', time: clock.wall(), pair, rule, reason });
        }
        const { session } = this.managed;
        if (session !== undefined) this.#count(session);
        this.#noteTelling();
        shares.refresh();
      },
    };
  }

  #tellState(): void {
    const { session, entry, waiting, failure } = this.managed;
    const standing = session === undefined ? waiting : standingOf(session);
    if (standing === undefined) return;
    const { clock, events, log, startedWith, halts } = this.#options;
    const { pair } = entry;
    const { state, permission, reason } = standing;
    // A session that was stopped reads no more, so of itself it comes to doubt what it last knew. That is no news.
    if (failure !== undefined && state !== 'QUARANTINED') return;
    const told = `${state} ${permission} ${reason}`;
    if (told === this.#told) return;
    this.#told = told;
    const isQuarantined = state === 'QUARANTINED';
    const whole = halts();
    const isAlone = session !== undefined && latchesOf(whole, [{ pair, session }]).length > whole.length;
    if (isQuarantined) {
      log.error('a pair waits for a person', { what: quarantineText({ pair, reason }, startedWith) });
    }
    events.tell({
      kind: 'pair-state',
      time: clock.wall(),
      pair,
      state,
      permission,
      reason,
      ...(isAlone ? { isAlone } : {}),
      ...(isQuarantined ? { wayOut: wayOut(pair, startedWith) } : {}),
    });
  }

  /** The session itself says it in the log. */
  #tellBare(): void {
    const { session, entry } = this.managed;
    const hits = session?.core.engine.bareUse?.hits ?? 0;
    const before = this.#bare;
    if (session === before.session && hits === before.hits) return;
    this.#bare = { session, hits };
    if (hits === 0) return;
    const { clock, events } = this.#options;
    const { pair } = entry;
    const text = `${pair}: ${BARE_TOO_LONG}: it is closed`;
    events.tell({ kind: 'problem', time: clock.wall(), severity: 'critical', pair, text });
  }

  #tellForeign(): void {
    const { clock, events, log } = this.#options;
    const text = this.foreignText;
    if (text === this.#toldForeign) return;
    this.#toldForeign = text;
    if (text === undefined) return;
    log.warn('somebody else trades on the account', { what: text });
    const { pair } = this.managed.entry;
    events.tell({ kind: 'problem', time: clock.wall(), severity: 'warning', pair, text });
  }
}
