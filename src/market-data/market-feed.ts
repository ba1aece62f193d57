import { Observable, Subject, Subscription } from 'rxjs';
import type { Market } from '../model/market.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { DataGuard, Feed, FeedEvent } from '../ports/feed.js';
import type { Log } from '../ports/log.js';
import type { VenueApi } from '../ports/venue-api.js';
import { AS_SHOWN, FirstPosition, type TakeOver } from './first-position.js';
import { FeedGuards, type FeedGuardOptions } from './feed-guards.js';
import type { TapeEvent } from './id-ledger.js';
import { poll, type PollAnswer } from './poller.js';
import { type AskedPosition, PositionReader } from './position-reader.js';
import { printBound } from './print-bound.js';
import { shortHistory } from './short-history.js';
import { TradeWalker } from './trade-walker.js';

/** What a feed must know about its venue; part of the dialect profile. */
export interface TapeProfile {
  /** The most trades that GET /trades gives at once. */
  readonly maxLimit: number;
  /** Trade ids of one pair are decimals that count every trade. */
  readonly contiguousIds: boolean;
  /** The longest time that a trade stays invisible after its time, venue ms. */
  readonly visibilityLagMs: number;
  /** The venue's clock may run at any rate (recorded tapes, time lapse): ask for its time before each poll. */
  readonly followClock: boolean;
}

/** Start to start of each poll, ms; what is `undefined` is not polled. */
export interface PollIntervals {
  readonly trades: number;
  /** Needs an API key. */
  readonly position?: number | undefined;
  readonly ticker?: number | undefined;
}

export interface MarketFeedOptions {
  /** `position` only where it is polled: it needs an API key. */
  readonly api: Pick<VenueApi, 'trades' | 'ticker' | 'clock'> & Partial<Pick<VenueApi, 'position'>>;
  readonly market: Market;
  readonly profile: TapeProfile;
  readonly every: PollIntervals;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** History that the strategy sees first, with its commands muted, venue ms; default 1 h, at most the pages of one walk. */
  readonly warmUpMs?: number;
  /** Least pause between an answer and the next request of the same kind, ms; default a tenth of the interval. */
  readonly minGapMs?: number;
  readonly maxPages?: number;
  readonly maxBackoffMs?: number;
  readonly guards?: FeedGuardOptions;
  /** Monotonic ms of the newest report of an own order: a position asked for earlier is outdated and is not given. */
  readonly ownEventAt?: () => number;
  /** What a position must be like that is given before `live`; default: as the venue shows it. */
  readonly takeOver?: TakeOver;
}

/** Counts since the start. */
export interface FeedStats {
  /** Trade polls that were answered. */
  readonly polls: number;
  readonly pages: number;
  readonly trades: number;
  /** Trades older than a mark that was already given. */
  readonly lateTrades: number;
  readonly gaps: number;
  /** Trades known to be missing; a gap of unknown size adds nothing. */
  readonly missing: number;
  /** Misprints; each is a gap of its own. */
  readonly badPrints: number;
  /** Positions that were dropped because something newer was known than when they were asked for. */
  readonly oldPositions: number;
  /** Polls of any kind that failed. */
  readonly failures: number;
  /** Intervals of any poll that passed without a request. */
  readonly skipped: number;
}

const DEFAULT_WARM_UP_MS = 3_600_000;

/** How often the time of a venue whose clock runs as ours does is asked for, ms: either clock may be set. */
const ASK_AGAIN_MS = 60_000;

/** Bound on the error of our estimate of the venue's clock, own ms. A larger error means that a clock was set. */
const AHEAD_MS = 10_000;

/** The events of one poll, and what to call once all of them were handled. */
interface Reading {
  readonly events: readonly FeedEvent[];
  readonly handled?: ((startedAt: number) => void) | undefined;
}

/**
 * Market data of one pair by polling, in engine order: the trades of the warm-up, then `live`, then the events of each poll,
 * emitted synchronously with the mark last. During an outage there are no marks, so no bar closes; the trades of that time
 * come with the first poll after it. `events$` never errors. A feed can be started once.
 *
 * `guards` tells at any time whether these data may be traded on. While the events of a poll are handled it still judges by
 * the poll before: until the whole backlog is handled, the newest known state is old.
 */
export class MarketFeed implements Feed {
  readonly events$: Observable<FeedEvent>;
  readonly #options: MarketFeedOptions;
  readonly #walker: TradeWalker;
  readonly #guards: FeedGuards;
  readonly #positions: PositionReader;
  readonly #first: FirstPosition;
  readonly #given = new Subject<FeedEvent>();
  /** All subscribers of `events$` share one set of polls, which ends with the last subscriber. */
  #listeners = 0;
  #polls = new Subscription();
  readonly #stats = {
    polls: 0,
    pages: 0,
    trades: 0,
    lateTrades: 0,
    gaps: 0,
    missing: 0,
    badPrints: 0,
    failures: 0,
    skipped: 0,
  };
  #live = false;
  #mark = Number.NEGATIVE_INFINITY;
  #receivedAt = Number.NEGATIVE_INFINITY;
  #clockFails = false;
  #tapeReadAt: number | undefined;
  /** Monotonic ms at which the time of a venue was asked for last whose clock is not followed. */
  #askedAt: number | undefined;

  constructor(options: MarketFeedOptions) {
    this.#options = options;
    const { api, market, profile, log, clock, every, maxPages } = options;
    this.#positions = new PositionReader(options);
    const everyMs = every.position ?? every.trades;
    this.#first = new FirstPosition({ takeOver: AS_SHOWN, ...options, positions: this.#positions, everyMs });
    this.#guards = new FeedGuards({ ...options.guards, market, clock, timers: options.timers, log, every });
    this.#walker = new TradeWalker({
      pair: market.pair,
      api,
      log,
      limit: profile.maxLimit,
      contiguousIds: profile.contiguousIds,
      visibilityLagMs: profile.visibilityLagMs,
      judge: this.#guards,
      ...(maxPages === undefined ? {} : { maxPages }),
    });
    // By hand: `merge` and `share` would delay an order by as much as signing it takes.
    this.events$ = new Observable((subscriber) => {
      const listening = this.#given.subscribe(subscriber);
      if (this.#listeners++ === 0) this.#start();
      return () => {
        listening.unsubscribe();
        if (--this.#listeners === 0) this.#polls.unsubscribe();
      };
    });
  }

  get stats(): FeedStats {
    return { ...this.#stats, oldPositions: this.#positions.old };
  }

  /** As of when the market is known, and why it may not be traded on. */
  guards(): DataGuard {
    return this.#guards.now;
  }

  /** The first poll of which no answer was handled yet, in words; `undefined`: every poll has had one. */
  get awaits(): string | undefined {
    return this.#guards.awaits;
  }

  /**
   * Monotonic ms at which the newest answer to a poll of the trades was handled, whether it brought anything or not;
   * `undefined`: there was none yet.
   */
  get tapeReadAt(): number | undefined {
    return this.#tapeReadAt;
  }

  /** Emits when the reason changes: after the events of the poll that changes it, or at the moment when data grows stale. */
  get guards$(): Observable<DataGuard> {
    return this.#guards.changes$;
  }

  #start(): void {
    const { trades, position, ticker } = this.#options.every;
    const polls = new Subscription();
    this.#polls = polls;
    polls.add(this.#guards.watch$.subscribe());
    polls.add(this.#poll('trades', trades, 0, (signal) => this.#readTape(signal)));
    // The polls start at different phases, so that they do not come as a burst.
    if (position !== undefined) {
      const read = async () => ({ events: this.#news(await this.#positions.read()) });
      polls.add(this.#poll('position', position, position / 3, read));
    }
    if (ticker !== undefined) {
      polls.add(this.#poll('ticker', ticker, (2 * ticker) / 3, () => this.#readTicker()));
    }
  }

  #poll(
    name: string,
    everyMs: number,
    firstAfterMs: number,
    read: (signal: AbortSignal) => Promise<Reading>,
  ): Subscription {
    const { market, timers, clock, log, minGapMs = everyMs / 10, maxBackoffMs } = this.#options;
    const answers$ = poll({
      name: `${name} ${market.pair}`,
      everyMs,
      minGapMs,
      firstAfterMs,
      ...(maxBackoffMs === undefined ? {} : { maxBackoffMs }),
      timers,
      clock,
      log,
      read,
    });
    const polls = this.#polls;
    return answers$.subscribe((answer) => {
      this.#count(answer);
      if (answer.kind === 'failed') return;
      const { events, handled } = answer.value;
      for (const event of events) {
        if (polls.closed) return;
        this.#given.next(event);
      }
      if (!polls.closed) handled?.(answer.startedAt);
    });
  }

  #count(answer: PollAnswer<unknown>): void {
    this.#stats.skipped += answer.skipped;
    if (answer.kind === 'failed') this.#stats.failures++;
  }

  /** One poll of the tape. A failed poll changes no state, so the next one repeats it. */
  async #readTape(signal: AbortSignal): Promise<Reading> {
    const { api, profile, every, clock, warmUpMs = DEFAULT_WARM_UP_MS } = this.#options;
    const asks = profile.followClock || this.#guards.clockIsDoubted;
    const clockIsRight = !asks || (await this.#followClock());
    if (!asks) this.#askAgain();
    // Taken before the request: trades printed while it is under way may be missing from the answer.
    const reached = Math.floor(api.clock.reached() - profile.visibilityLagMs);
    const asOf = Math.floor(api.clock.now());
    const covered = clockIsRight ? reached : undefined;
    const handled = (startedAt: number) => {
      this.#tapeReadAt = clock.monotonic();
      const whole = covered ?? asOf - profile.visibilityLagMs;
      const isAhead = this.#mark - whole > AHEAD_MS * Math.max(1, api.clock.steadyRate());
      this.#guards.tapeHandled({ startedAt, asOf, covered: whole, isAhead });
    };
    const followed = profile.followClock;
    const latest = printBound(api.clock, { followed, ask: followed ? undefined : () => this.#followClock() });
    if (this.#live) {
      const walk = await this.#walker.walk({ covered, signal, latest });
      const whole = walk.isBlank ? undefined : covered;
      return { events: this.#events(walk.events, walk.pages, whole), handled };
    }
    // The position first: a strategy must know it before its commands count.
    const position = every.position === undefined ? undefined : await this.#positions.read();
    const now = Math.floor(api.clock.now());
    const walk = await this.#walker.warmUp(now - warmUpMs, { covered, signal, latest });
    const short = shortHistory(walk.events, { from: now - warmUpMs, now });
    if (short !== undefined) {
      const { log, market } = this.#options;
      log.warn('the warm-up has less history than it asks for', { pair: market.pair, ...short });
    }
    let held = position;
    const first = this.#first;
    while (held !== undefined && !first.suits(held) && !first.isOver) held = await first.next(held, signal);
    const known = held === undefined ? [] : this.#known(held);
    this.#live = true;
    const history = this.#events(walk.events, walk.pages, undefined);
    const live: FeedEvent = { kind: 'live', time: this.#receivedAt };
    const events = [...history, ...known, live];
    if (covered !== undefined) this.#addMark(events, covered);
    return { events, handled };
  }

  /** `covered`: venue ms up to which the walk is certainly complete; `undefined`: not known, so there is no mark. */
  #events(tape: readonly TapeEvent[], pages: number, covered: number | undefined): readonly FeedEvent[] {
    let newest = 0;
    for (const event of tape) if (event.kind === 'trade') newest = Math.max(newest, event.trade.time);
    // Never before the trades that it stamps, and never falling, however the estimate of the venue's clock moves.
    this.#receivedAt = Math.max(this.#receivedAt, newest, Math.floor(this.#options.api.clock.now()));
    const receivedAt = this.#receivedAt;
    this.#stats.polls++;
    this.#stats.pages += pages;
    let whole = true;
    const events: FeedEvent[] = [];
    for (const event of tape) {
      if (event.kind === 'gap') {
        // A misprint is a gap of exactly one trade: the tape around it is complete, so the mark may be given.
        if (event.misprint === undefined) whole = false;
        else this.#stats.badPrints++;
        this.#stats.gaps++;
        this.#stats.missing += event.gap.missing ?? 0;
        events.push({ kind: 'gap', gap: event.gap });
      } else {
        this.#stats.trades++;
        if (event.trade.time < this.#mark) this.#stats.lateTrades++;
        events.push({ kind: 'trade', trade: event.trade, receivedAt });
      }
    }
    if (whole && covered !== undefined) this.#addMark(events, covered);
    return events;
  }

  #addMark(events: FeedEvent[], time: number): void {
    if (time <= this.#mark) return;
    this.#mark = time;
    events.push({ kind: 'mark', time });
  }

  /** Asks for the venue's time now and then. The poll does not wait for it: the present estimate is good enough. */
  #askAgain(): void {
    const now = this.#options.clock.monotonic();
    this.#askedAt ??= now;
    if (now - this.#askedAt < ASK_AGAIN_MS) return;
    this.#askedAt = now;
    void this.#followClock();
  }

  /** Asks for the venue's time; false when it is not told. Then trades still flow, but no mark tells what they cover. */
  async #followClock(): Promise<boolean> {
    const { api, log, market } = this.#options;
    try {
      await api.clock.sync();
      this.#guards.clockWasAsked();
      if (this.#clockFails) log.info('the venue tells its time again', { pair: market.pair });
      this.#clockFails = false;
      return true;
    } catch (error) {
      if (!this.#clockFails)
        log.warn('the venue does not tell its time', { pair: market.pair, error: String(error) });
      this.#clockFails = true;
      this.#stats.failures++;
      return false;
    }
  }

  #news(asked: AskedPosition): readonly FeedEvent[] {
    const { takeOver = AS_SHOWN } = this.#options;
    if (!this.#live && !takeOver.agrees(asked.position)) return [];
    const position = this.#positions.news(asked);
    return position === undefined ? [] : [{ kind: 'position', position }];
  }

  /** The position just before `live`. One that does not suit after all is told too: the session must begin with some. */
  #known(held: AskedPosition): readonly FeedEvent[] {
    if (this.#first.suits(held)) return this.#news(held);
    const { log, market } = this.#options;
    const { position } = held;
    log.warn('the venue shows another position than the books', { pair: market.pair, lots: position.lots });
    return [{ kind: 'position', position }];
  }

  async #readTicker(): Promise<Reading> {
    const { api, market } = this.#options;
    const ticker = await api.ticker(market.pair);
    const seenAt = Math.floor(api.clock.now());
    return {
      events: [{ kind: 'ticker', ticker }],
      handled: (startedAt) => this.#guards.tickerHandled(ticker, seenAt, startedAt),
    };
  }
}
