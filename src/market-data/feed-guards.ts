import { Observable, Subject } from 'rxjs';
import type { Market } from '../model/market.js';
import type { Ticker } from '../model/ticker.js';
import type { Trade } from '../model/trade.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';
import type { DataGuard } from '../ports/feed.js';
import type { Log } from '../ports/log.js';
import { ClockJump } from './clock-jump.js';
import { FrozenTape } from './frozen-tape.js';
import { PollAge } from './poll-age.js';
import { PrintGuard } from './print-guard.js';

export interface FeedGuardOptions {
  /** Data older than this is stale, ms; default 20 s, raised to four poll intervals where that is more. */
  readonly staleMs?: number;
  /** How far a print may lie from the mark and the print before it, as a fraction; default 0.1. */
  readonly collar?: number;
}

export interface FeedGuardParts extends FeedGuardOptions {
  readonly market: Market;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Start to start of the polls, ms. */
  readonly every: { readonly trades: number; readonly ticker?: number | undefined };
}

const STALE_MS = 20_000;
const STALE_INTERVALS = 4;
/** The longest time between two checks of the clocks, ms (`reliability.md`, row 57). Every query checks them, too. */
const LOOK_EVERY_MS = 1_000;
/** `freshUntil` is inclusive: data is stale from this much later on, ms. */
const STEP_MS = 1;

/**
 * Decides whether the market data of a pair may be traded on: fresh, believable, from a tape
 * that moves, and judged by clocks that run. A query is answered as of now, ages and clocks
 * included. `changes$` emits when the answer changes. A timer is set for the moment when data
 * grows stale; a jump of the clock is found by each query, by each poll and every second.
 */
export class FeedGuards {
  /** Emits when the reason changes. */
  readonly changes$: Observable<DataGuard>;
  /** While it is subscribed to, `changes$` also emits changes that only time brings. Emits nothing itself. */
  readonly watch$: Observable<never> = new Observable(() => this.#watch());
  readonly #parts: FeedGuardParts;
  readonly #changes = new Subject<DataGuard>();
  readonly #tape: PollAge;
  readonly #tickers: PollAge | undefined;
  readonly #frozen: FrozenTape;
  readonly #prints: PrintGuard;
  readonly #jump: ClockJump;
  /**
   * Monotonic ms at which a jump of the clock was found; `undefined`
   * once the venue told its time and the tape was read after that.
   */
  #jumpedAt: number | undefined;
  #clockIsAsked = true;
  #asOf = 0;
  /** The feed gave a mark for a time that the venue has not reached: a clock was ahead when the mark was given. */
  #isAhead = false;
  /** The reason that was emitted last. */
  #told: string | undefined;
  #wasFresh = false;
  #isWatched = false;
  #cancelLook: CancelTimer | undefined;
  /** Monotonic ms of the next check of ages and clocks. */
  #lookAt = Number.POSITIVE_INFINITY;

  constructor(parts: FeedGuardParts) {
    this.#parts = parts;
    const { market, clock, every, staleMs = STALE_MS } = parts;
    const ageOf = (what: string, everyMs: number) =>
      new PollAge(what, Math.max(staleMs, STALE_INTERVALS * everyMs));
    this.#tape = ageOf('trades', every.trades);
    this.#tickers = every.ticker === undefined ? undefined : ageOf('ticker', every.ticker);
    this.#frozen = new FrozenTape(market);
    this.#prints = new PrintGuard(market, parts.collar);
    this.#jump = new ClockJump(clock);
    this.#told = this.#reason();
    this.changes$ = this.#changes.asObservable();
  }

  get now(): DataGuard {
    this.#lookAtClocks();
    return { dataAsOf: this.#asOf, reason: this.#reason() };
  }

  /** The first poll of which no answer was handled yet, in words; `undefined`: every poll has had one. */
  get awaits(): string | undefined {
    const { clock } = this.#parts;
    const ages = [this.#tape, this.#tickers];
    return ages.find((age) => age !== undefined && age.freshUntil === undefined)?.reason(clock.monotonic());
  }

  /** The venue's clock must be asked for before the tape is read again. */
  get clockIsDoubted(): boolean {
    this.#lookAtClocks();
    return !this.#clockIsAsked;
  }

  clockWasAsked(): void {
    this.#clockIsAsked = true;
  }

  expect(trades: readonly Trade[]): void {
    this.#prints.expect(trades);
  }

  /** Why a trade of the tape is a misprint; `undefined`: it is believed. */
  judge(trade: Trade): string | undefined {
    this.#frozen.trade(trade.time, trade.price);
    return this.#prints.judge(trade);
  }

  /**
   * All events of a poll of the tape were handled. `startedAt`: monotonic ms; `asOf`:
   * venue ms at its start; `covered`: venue ms up to which the tape is complete;
   * `isAhead`: a mark lies so far beyond `covered` that a clock must have been wrong.
   */
  tapeHandled(poll: {
    readonly startedAt: number;
    readonly asOf: number;
    readonly covered: number;
    readonly isAhead: boolean;
  }): void {
    this.#tape.handled(poll.startedAt);
    this.#asOf = Math.max(this.#asOf, poll.asOf);
    this.#frozen.polled(poll.covered);
    this.#isAhead = poll.isAhead;
    if (this.#clockIsAsked && poll.startedAt >= (this.#jumpedAt ?? poll.startedAt))
      this.#jumpedAt = undefined;
    this.#tell();
    this.#lookInTime();
  }

  /** A ticker had arrived by `seenAt`, venue ms, and its request had left at `startedAt`, monotonic ms. */
  tickerHandled(ticker: Ticker, seenAt: number, startedAt: number): void {
    this.#frozen.ticker(ticker, seenAt);
    this.#prints.ticker(ticker, seenAt);
    this.#tickers?.handled(startedAt);
    this.#tell();
    this.#lookInTime();
  }

  #watch(): () => void {
    this.#isWatched = true;
    this.#lookIn(this.#nextLookIn());
    return () => {
      this.#isWatched = false;
      this.#cancelLook?.();
    };
  }

  #lookIn(ms: number): void {
    if (!this.#isWatched) return;
    const { timers, clock } = this.#parts;
    this.#cancelLook?.();
    this.#lookAt = clock.monotonic() + ms;
    this.#cancelLook = timers.after(ms, () => {
      this.#tell();
      this.#lookIn(this.#nextLookIn());
    });
  }

  /** Time until fresh data grows stale or the clocks have to be checked, whichever comes first, ms. */
  #nextLookIn(): number {
    const { clock } = this.#parts;
    const now = clock.monotonic();
    let ms = LOOK_EVERY_MS;
    for (const age of [this.#tape, this.#tickers]) {
      const until = age?.freshUntil;
      if (until !== undefined && until >= now) ms = Math.min(ms, until - now + STEP_MS);
    }
    return ms;
  }

  /** Brings the next check forward: an answer that took long grows stale soon, since its age counts from its request. */
  #lookInTime(): void {
    const ms = this.#nextLookIn();
    if (this.#parts.clock.monotonic() + ms < this.#lookAt) this.#lookIn(ms);
  }

  #lookAtClocks(): void {
    const jumpMs = this.#jump.look();
    if (jumpMs === 0) return;
    const { log, market, clock } = this.#parts;
    log.warn('clock jumped', { pair: market.pair, jumpMs: Math.round(jumpMs) });
    this.#jumpedAt = clock.monotonic();
    this.#clockIsAsked = false;
    this.#tickers?.forget();
    // The caller may be in the middle of an event: emit the change in a turn of its own.
    this.#lookIn(0);
  }

  #reason(): string | undefined {
    if (this.#jumpedAt !== undefined) return 'the clock jumped: nothing is known to be fresh';
    if (this.#isAhead) {
      return 'bars and timers stand still: a clock that was ahead told them of a time that is still to come';
    }
    const now = this.#parts.clock.monotonic();
    const stale = this.#tape.reason(now) ?? this.#tickers?.reason(now);
    return stale ?? this.#frozen.reason ?? this.#prints.contradiction;
  }

  #tell(): void {
    const { reason, dataAsOf } = this.now;
    if (reason === this.#told) return;
    const { log, market } = this.#parts;
    if (reason === undefined) log.info('market data is fresh', { pair: market.pair });
    // No warning before data was fresh for the first time: a start always begins without data.
    else if (this.#wasFresh) log.warn('market data is not to be traded on', { pair: market.pair, reason });
    this.#told = reason;
    this.#wasFresh ||= reason === undefined;
    this.#changes.next({ dataAsOf, reason });
  }
}
