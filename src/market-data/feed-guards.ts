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
  /** Data older than this is stale, ms; default 20 s, and never less than four intervals of its poll. */
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
/** The longest time without a look at the clocks, ms (`reliability.md`, e). Whoever asks looks too. */
const LOOK_EVERY_MS = 1_000;
/** What is fresh up to a moment is stale this much later, ms. */
const STEP_MS = 1;

/**
 * Whether what is known of the market may be traded on: fresh, whole, believable, and by clocks that run. Whoever asks
 * is answered as of now, ages and clocks included. Changes are told when they happen: when data grows too old is known
 * before; that a clock has jumped is found by whoever asks, by each poll, and every second.
 */
export class FeedGuards {
  /** When the reason changes. */
  readonly changes$: Observable<DataGuard>;
  /** Tells changes that only time brings while it is subscribed to; emits nothing. */
  readonly watch$: Observable<never> = new Observable(() => this.#watch());
  readonly #parts: FeedGuardParts;
  readonly #changes = new Subject<DataGuard>();
  readonly #tape: PollAge;
  readonly #tickers: PollAge | undefined;
  readonly #frozen: FrozenTape;
  readonly #prints: PrintGuard;
  readonly #jump: ClockJump;
  /** When the clocks were found apart, monotonic ms; until the tape was read again after the venue's time was asked for. */
  #jumpedAt: number | undefined;
  #clockIsAsked = true;
  #asOf = 0;
  /** A mark was given for a time that the venue's clock has not reached: when it was given, a clock was ahead. */
  #isAhead = false;
  #told: string | undefined;
  #wasFresh = false;
  #isWatched = false;
  #cancelLook: CancelTimer | undefined;
  /** When the next look is due, monotonic ms. */
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

  /** Which poll was never handled, so that nothing of it can be judged yet; `undefined`: each was. */
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

  /** Why a trade of the tape is no trade, or `undefined`. */
  judge(trade: Trade): string | undefined {
    this.#frozen.trade(trade.time, trade.price);
    return this.#prints.judge(trade);
  }

  /**
   * Everything of a poll of the tape was handled. `asOf`: venue ms at its start; `covered`: up to which it is whole;
   * `isAhead`: a mark lies so far beyond that as only a clock that was wrong can have put it.
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

  /** Until something is too old that is not now, or the clocks are to be looked at, ms. */
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

  /** An answer that took long is too old soon. */
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
    // Who asks may be in the middle of something: the others hear of it in a turn of their own.
    this.#lookIn(0);
  }

  #reason(): string | undefined {
    if (this.#jumpedAt !== undefined) return 'the clock jumped: nothing is known to be fresh';
    if (this.#isAhead) {
      return 'bars and timers stand still: a clock that was ahead told them of a time that is still to come';
    }
    const now = this.#parts.clock.monotonic();
    return this.#tape.reason(now) ?? this.#tickers?.reason(now) ?? this.#frozen.reason;
  }

  #tell(): void {
    const { reason, dataAsOf } = this.now;
    if (reason === this.#told) return;
    const { log, market } = this.#parts;
    if (reason === undefined) log.info('market data is fresh', { pair: market.pair });
    // At the start nothing was, and nobody is surprised.
    else if (this.#wasFresh) log.warn('market data is not to be traded on', { pair: market.pair, reason });
    this.#told = reason;
    this.#wasFresh ||= reason === undefined;
    this.#changes.next({ dataAsOf, reason });
  }
}
