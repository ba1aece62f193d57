import { compareIds, compareTrades, type Trade, type TradeGap } from '../model/trade.js';
import type { Log } from '../ports/log.js';
import { type PublicVenueApi, VenueError } from '../ports/venue-api.js';
import { bare, type Descent, type FirstPage, inPlace, isInOrder } from './descent.js';
import { IdLedger, type TapeEvent } from './id-ledger.js';
import { unsoundness } from './print-guard.js';
import { SeenTrades } from './seen-trades.js';

export interface TradeWalkerOptions {
  readonly pair: string;
  readonly api: Pick<PublicVenueApi, 'trades'>;
  readonly log: Log;
  /** Trades a page: the largest number that the venue is known to give. */
  readonly limit: number;
  /** The pair's trade ids are consecutive decimals, so that missing trades can be counted exactly. */
  readonly contiguousIds: boolean;
  /**
   * The longest time that a trade stays invisible after its time,
   * venue ms. Above 0, missing trades are not counted by ids.
   */
  readonly visibilityLagMs: number;
  /** Pages of one walk; default 50. */
  readonly maxPages?: number;
  /**
   * How far behind the newest known trade each walk reads, venue
   * ms; default 2 s, or 100 ms where missing ids are counted.
   */
  readonly overlapMs?: number;
  readonly judge?: PrintJudge;
}

/** Decides which prints are misprints; a gap takes the place of each. Default: a price or quantity that is not above 0. */
export interface PrintJudge {
  /** Called with the new trades of a walk, in order, before `judge` is called with each. */
  expect(trades: readonly Trade[]): void;
  /** Why a trade is a misprint; `undefined`: it is believed. Called once for each trade, in order. */
  judge(trade: Trade): string | undefined;
}

const SOUND: PrintJudge = { expect: () => undefined, judge: unsoundness };

export interface WalkOptions {
  /** Venue ms up to which every trade is certainly visible: the time that the venue has reached, less the visibility lag. */
  readonly covered?: number | undefined;
  /**
   * Gives the latest venue ms that a print can have; a later one is a misprint and does not move the cursor. Called when the
   * newest page is there, with the newest time on it that is not a known misprint. Default: every time is believed.
   */
  readonly latest?: ((newest: number) => number | Promise<number>) | undefined;
  /** Stops the walk between two pages. */
  readonly signal?: AbortSignal;
}

/** The new trades that one walk found, in (time, id) order, with the gaps in their places. */
export interface Walk {
  readonly events: readonly TapeEvent[];
  readonly pages: number;
  /** The page should have shown a known trade and was empty: it does not prove that there was no trade. */
  readonly isBlank: boolean;
}

/** The longest time for which a walk may not know that the venue's clock was set, venue ms. */
const UNNOTICED_MS = 60_000;
/**
 * How far behind the newest known trade a walk reads at most where that trade may be dated ahead of the venue's clock,
 * venue ms: the most that a print is believed to be ahead (`print-bound.ts`), and as much again until a clock that was set
 * is noticed.
 */
const DEEP_MS = 60_000 + UNNOTICED_MS;
/** A print this far beyond what the venue had reached when the walk began was not printed during the walk, venue ms. */
const WALK_MS = 2_000;
/** A misprint is told of once there was none for so long, venue ms. */
const QUIET_MS = 600_000;
/** So many blank pages in a row, over so many venue ms, are believed: the venue may forget the trades of a quiet market. */
const MOST_BLANK = 3;
const LEAST_BLANK_MS = 20_000;
/** The most ids of trades, and of prints ahead of the clock, that are remembered. */
const SEEN_CAPACITY = 50_000;
const MOST_AHEAD = 1_000;
/** `#usual` compares at most this many new trades with each other. */
const MOST_USUAL = 16;
const NO_GAPS: readonly TradeGap[] = [];
const BLANK: Walk = { events: [], pages: 1, isBlank: true };

/**
 * Follows the tape of one pair: reads pages from the newest trade backwards until one reaches a known trade
 * (`reliability.md` c.8). Each trade from the start on is given exactly once or lies inside a gap that is given. A walk
 * that fails, or that a signal stops between two pages, changes no state and can be repeated.
 */
export class TradeWalker {
  readonly #options: TradeWalkerOptions;
  readonly #overlapMs: number;
  readonly #maxPages: number;
  readonly #seen = new SeenTrades(SEEN_CAPACITY);
  /** Milliseconds (venue time) that were given as gaps because they hold at least a full page of trades. */
  readonly #saturated = new Set<number>();
  /** Id → venue ms of prints dated ahead of the venue's clock: they stay on the newest page until the clock passes them. */
  readonly #ahead = new Map<string, number>();
  readonly #ledger: IdLedger | undefined;
  readonly #judge: PrintJudge;
  /** Venue ms of the newest misprint. */
  #misprintAt = Number.NEGATIVE_INFINITY;
  #saidFarOff = false;
  /** The number of trades that makes a page full; falls when the venue turns out to give fewer than `limit`. */
  #cap: number;
  /** Length of a page that was cut short of `#cap`; a second page of that length proves the venue's limit. */
  #suspectedCap: number | undefined;
  /** Venue ms of the newest known trade; every trade up to it was given or lies in a gap. */
  #cursor: number | undefined;
  /** Venue ms that the last walk covered for certain; `undefined`: no walk was told. */
  #covered: number | undefined;
  /** When that walk ended, the newest known trade was dated ahead of the venue's clock. */
  #wasBehind = false;
  /** Empty pages in a row, and what the first of them would have covered, venue ms. */
  #blanks = 0;
  #blankFrom = 0;
  /** Venue ms at which the tape begins for us: nothing older is ever asked for. */
  #start = 0;
  /** The stretch that no page covers since the venue's clock was set back; `undefined`: the clock has caught up. */
  #unasked: TradeGap | undefined;

  constructor(options: TradeWalkerOptions) {
    this.#options = options;
    this.#cap = options.limit;
    const { visibilityLagMs, judge = SOUND, maxPages = 50 } = options;
    this.#ledger = options.contiguousIds && visibilityLagMs === 0 ? new IdLedger() : undefined;
    // Where missing ids are counted, a trade that shows late was
    // counted as missing already, so a long overlap finds nothing.
    this.#overlapMs = Math.max(
      options.overlapMs ?? (this.#ledger === undefined ? 2_000 : 100),
      visibilityLagMs,
    );
    this.#maxPages = maxPages;
    this.#judge = judge;
  }

  /**
   * The history from `from` (venue ms) on, or as much as the pages of one walk hold: where it is cut off there is no gap.
   */
  async warmUp(from: number, options: WalkOptions = {}): Promise<Walk> {
    this.#start = from;
    const first = await this.#first(from, options);
    const descent = await this.#descend(first, from, undefined, options);
    if (descent.cutAt !== undefined) this.#start = descent.cutAt + 1;
    return this.#accept(descent, options.covered);
  }

  /** The trades since the last walk, and the gaps among them. */
  async walk(options: WalkOptions = {}): Promise<Walk> {
    const cursor = this.#cursor;
    const oldest = Math.max(this.#start, this.#seen.floor + 1);
    const top = this.#top(options.covered);
    const from =
      cursor === undefined || top === undefined
        ? oldest
        : Math.min(cursor, Math.max(top - this.#overlapMs, oldest));
    const reach = this.#reach(top);
    const unasked = this.#unaskedBelow(top, options.covered);
    const isNews = unasked !== undefined && unasked !== this.#unasked;
    const first = await this.#first(from, options);
    if (first.page.length > 0) this.#blanks = 0;
    else if (cursor !== undefined && !isNews && this.#isBlank(options.covered)) return BLANK;
    const usual = isNews ? undefined : this.#usual(first);
    if (usual !== undefined) {
      this.#unasked = unasked;
      return this.#acceptUsual(usual, options.covered);
    }
    const descent = await this.#descend(first, from, reach, options);
    if (descent.cutAt !== undefined) {
      descent.gaps.push({
        from: Math.min(reach ?? from, descent.cutAt),
        to: descent.cutAt,
        missing: undefined,
      });
    }
    if (isNews) descent.gaps.push(unasked);
    this.#unasked = unasked;
    return this.#accept(descent, options.covered);
  }

  /**
   * Venue ms up to which the tape was read: the newest known trade, or what the venue had reached, where that trade is dated
   * ahead of the venue's clock or the clock was set back. Trades printed since then may be older than the newest known one.
   */
  #top(covered: number | undefined): number | undefined {
    const cursor = this.#cursor;
    const last = this.#covered;
    // Where missing ids are counted, the ledger finds a loss itself.
    if (this.#ledger !== undefined || cursor === undefined || covered === undefined) return cursor;
    const { visibilityLagMs } = this.#options;
    const behindMs = cursor - covered - visibilityLagMs;
    // What is printed now is older than all that a deep walk reads, and lies in the gap for a clock that was set.
    if (behindMs > DEEP_MS + this.#overlapMs) return cursor;
    const isBehind = behindMs > 0;
    if (!isBehind && !this.#wasBehind && !this.#isSetBack(covered)) return cursor;
    const reached = Math.min(last ?? covered, this.#lowest(covered)) + visibilityLagMs;
    return Math.min(cursor, Math.max(reached, cursor - DEEP_MS));
  }

  /** Every walk asks for the newest known trade again, so an empty page contradicts what is known. */
  #isBlank(covered: number | undefined): boolean {
    if (covered === undefined) return false;
    // A clock that is set back since the first of them must not make the wait longer.
    if (this.#blanks++ === 0 || covered < this.#blankFrom) this.#blankFrom = covered;
    return this.#blanks < MOST_BLANK || covered - this.#blankFrom < LEAST_BLANK_MS;
  }

  #isSetBack(covered: number): boolean {
    return this.#covered !== undefined && covered < this.#covered;
  }

  /** Venue ms that no trade printed since the last walk is older than, unless the venue has run on from there. */
  #lowest(covered: number): number {
    return this.#isSetBack(covered) ? covered - UNNOTICED_MS : covered;
  }

  /**
   * The gap for a venue clock that was set so far back that trades printed now have times below everything that walks
   * read. It is given as soon as that shows, before a mark can close a bar inside it, and it ends at the newest known
   * trade, because full pages end there.
   */
  #unaskedBelow(top: number | undefined, covered: number | undefined): TradeGap | undefined {
    const told = this.#unasked;
    const cursor = this.#cursor;
    if (this.#ledger !== undefined || cursor === undefined || top === undefined || covered === undefined)
      return told;
    const from = this.#lowest(covered);
    if (top - this.#overlapMs <= from) return undefined;
    if (told !== undefined && told.from <= from && cursor <= told.to) return told;
    return { from: Math.min(from, told?.from ?? from), to: cursor, missing: undefined };
  }

  /** Venue ms below which no new trade can show any more: all older trades were given or lie in gaps. */
  #reach(top: number | undefined): number | undefined {
    const cursor = this.#cursor;
    if (cursor === undefined || top === undefined) return undefined;
    const visible = top - this.#options.visibilityLagMs;
    if (top < cursor) return visible;
    return Math.min(cursor, Math.max(visible, (this.#covered ?? visible) - 1));
  }

  /** The newest page and the latest time of a believable print, in whole venue ms since it may become the end of a page. */
  async #first(from: number, { signal, latest }: WalkOptions): Promise<FirstPage> {
    signal?.throwIfAborted();
    const page = await this.#page(from, undefined);
    // Without a bound every time is believed.
    if (latest === undefined) return { page, bound: Number.POSITIVE_INFINITY };
    const believed = this.#ahead.size === 0 ? page.at(-1) : page.findLast(({ id }) => !this.#ahead.has(id));
    const bound = latest(believed?.time ?? Number.NEGATIVE_INFINITY);
    return { page, bound: Math.floor(typeof bound === 'number' ? bound : await bound) };
  }

  /**
   * Fast path, since an order may wait for these trades: the new trades of a page that is not full, holds a known trade
   * (or is empty) and nothing ahead of the clock. Such a page needs no other page and makes no gap. `undefined`:
   * `#descend` has to read on. Where this gives trades, `#descend` would give the same.
   */
  #usual({ page, bound }: FirstPage): readonly Trade[] | undefined {
    if (page.length >= this.#cap || this.#ahead.size > 0) return undefined;
    const fresh: Trade[] = [];
    for (const trade of page) {
      if (!(trade.time <= bound)) return undefined;
      if (this.#seen.has(trade.id)) continue;
      if (fresh.length === MOST_USUAL || fresh.some(({ id }) => id === trade.id)) return undefined;
      fresh.push(bare(trade));
    }
    return page.length === 0 || fresh.length < page.length ? fresh : undefined;
  }

  /** Reads pages towards the past until one reaches known trades. Changes no state but the page size. */
  async #descend(
    first: FirstPage,
    from: number,
    reach: number | undefined,
    { signal }: WalkOptions,
  ): Promise<Descent> {
    const { bound } = first;
    const descent: Descent = {
      fresh: new Map(),
      ahead: new Map(),
      gaps: [],
      saturated: [],
      pages: 0,
      cutAt: undefined,
    };
    /** The inclusive end of the next page; `undefined`: the next page is the newest, which was read already. */
    let to: number | undefined;
    while (to === undefined || to >= from) {
      let { page } = first;
      if (to !== undefined) {
        signal?.throwIfAborted();
        // A newest page with nothing but prints ahead of the clock
        // shows nothing of the tape, so the walk must not end there.
        const isBegun = to !== bound;
        if (isBegun && descent.pages >= this.#maxPages) return this.#cut(descent, to, 'pages');
        try {
          page = await this.#page(from, to);
        } catch (error) {
          const budgetGone = error instanceof VenueError && error.kind === 'throttled' && isBegun;
          if (budgetGone) return this.#cut(descent, to, 'budget');
          throw error;
        }
      }
      descent.pages++;
      const reached = this.#setAside(page, bound, descent);
      const oldest = reached[0]?.time;
      const newest = reached.at(-1)?.time;
      if (oldest === undefined || newest === undefined) {
        if (page.length === 0 || to !== undefined) return descent;
        to = bound;
        continue;
      }
      const met = this.#collect(reached, descent);
      const isFull = page.length >= this.#cap;
      if (met && reach !== undefined) {
        if (oldest < reach) return descent;
        // The venue may list the trades of one millisecond in any order: a full page may have cut off new ones of it.
        if (oldest === reach && (!isFull || this.#countsAll(descent))) return descent;
      }
      if (!isFull) {
        if (met) return descent;
        // A page that is not full should reach back to a known trade. If it does not, the venue may give fewer than `#cap`.
        if (!(await this.#isCut(page.length, from, oldest, descent))) {
          if (reach !== undefined)
            descent.gaps.push({ from: Math.min(reach, oldest), to: oldest, missing: undefined });
          return descent;
        }
      }
      if (!isFull || reached.length < page.length || oldest < newest) {
        // Inclusive: the page may have cut off trades of this very millisecond.
        to = oldest;
      } else {
        this.#saturate(oldest, page, descent);
        to = oldest - 1;
      }
    }
    return descent;
  }

  async #page(from: number, to: number | undefined): Promise<readonly Trade[]> {
    const { api, pair, limit } = this.#options;
    const page = await api.trades({ pair, from, limit, ...(to === undefined ? {} : { to }) });
    if (isInOrder(page, from, to)) return page;
    const inside = page.filter((trade) => trade.time >= from && (to === undefined || trade.time <= to));
    if (inside.length === 0) this.#sayFarOff(page, from);
    return inside.sort(compareTrades);
  }

  /**
   * Warns once when all trades are far older than was asked for: a venue that prints times in seconds would otherwise be
   * polled for ever without a trade. An empty page, as of a quiet market, is no such case.
   */
  #sayFarOff(page: readonly Trade[], from: number): void {
    const newest = page.reduce((most, { time }) => Math.max(most, time), Number.NEGATIVE_INFINITY);
    if (this.#saidFarOff || page.length === 0 || newest >= from / 2) return;
    this.#saidFarOff = true;
    const words =
      "the venue's trades are of another age than was asked for, and none is taken: are their times ms?";
    this.#options.log.warn(words, { pair: this.#options.pair, from, newest });
  }

  /** The prints of a page that are not ahead of the venue's clock, and were not when they first showed. */
  #setAside(page: readonly Trade[], bound: number, descent: Descent): readonly Trade[] {
    return page.filter((trade) => {
      if (this.#ahead.has(trade.id)) return false;
      if (trade.time <= bound) return true;
      descent.ahead.set(trade.id, { trade, bound });
      return false;
    });
  }

  /** Collects the unknown trades of a page; true when the page holds a known one. */
  #collect(page: readonly Trade[], descent: Descent): boolean {
    let met = false;
    for (const trade of page) {
      if (this.#seen.has(trade.id)) met = true;
      else descent.fresh.set(trade.id, trade);
    }
    return met;
  }

  /** By their ids, no trade is missing between the newest known one and those that were found. */
  #countsAll({ fresh, ahead }: Descent): boolean {
    return this.#ledger?.follows([...fresh.keys(), ...ahead.keys()]) ?? false;
  }

  /**
   * Reads below a page that was not full. Unknown trades there mean that the venue cut the page at a limit of its own; a
   * second such page of the same length proves that limit.
   */
  async #isCut(length: number, from: number, oldest: number, descent: Descent): Promise<boolean> {
    if (oldest - 1 < from) return false;
    const below = await this.#page(from, oldest - 1);
    descent.pages++;
    const isKnown = ({ id }: Trade) => this.#seen.has(id) || this.#ahead.has(id) || descent.fresh.has(id);
    if (below.every(isKnown)) return false;
    if (length === this.#suspectedCap) {
      this.#cap = length;
      this.#options.log.warn('the venue gives fewer trades a page than its profile says', {
        pair: this.#options.pair,
        limit: this.#options.limit,
        given: length,
      });
    }
    this.#suspectedCap = length;
    return true;
  }

  /** A full page inside one millisecond: further trades of that millisecond cannot be asked for, so it becomes a gap. */
  #saturate(time: number, page: readonly Trade[], descent: Descent): void {
    const newIds = page.some((trade) => descent.fresh.has(trade.id));
    if (newIds || !this.#saturated.has(time)) descent.gaps.push({ from: time, to: time, missing: undefined });
    descent.saturated.push(time);
  }

  #cut(descent: Descent, to: number | undefined, reason: string): Descent {
    this.#options.log.warn('a walk along the tape was cut short', {
      pair: this.#options.pair,
      reason,
      pages: descent.pages,
    });
    descent.cutAt = to;
    return descent;
  }

  /** `#accept` for a walk that found only these new trades, in order. */
  #acceptUsual(fresh: readonly Trade[], covered: number | undefined): Walk {
    this.#advance(fresh, covered);
    const events = this.#ledger?.account(fresh, NO_GAPS) ?? inPlace(fresh, NO_GAPS);
    this.#judge.expect(fresh);
    return { events: events.map((event) => this.#judged(event, undefined)), pages: 1, isBlank: false };
  }

  #accept({ fresh, ahead, gaps, saturated, pages }: Descent, covered: number | undefined): Walk {
    const believed = [...fresh.values()].map(bare).sort(compareTrades);
    gaps.sort((a, b) => a.to - b.to);
    // Before the cursor moves: `#placed` may need the time of the trade before all these prints.
    const misplaced = [...ahead.values()].map(({ trade }) => this.#placed(bare(trade), believed));
    for (const time of saturated) this.#saturated.add(time);
    for (const { trade } of ahead.values()) this.#ahead.set(trade.id, trade.time);
    this.#advance(believed, covered);
    const trades = misplaced.length === 0 ? believed : [...believed, ...misplaced].sort(compareTrades);
    const events = this.#ledger?.account(trades, gaps) ?? inPlace(trades, gaps);
    this.#judge.expect(believed);
    return { events: events.map((event) => this.#judged(event, ahead)), pages, isBlank: false };
  }

  /** Remembers these trades and moves the cursor to the newest of them. */
  #advance(believed: readonly Trade[], covered: number | undefined): void {
    for (const { id, time } of believed) this.#seen.add(id, time);
    const newest = believed.at(-1)?.time;
    if (newest !== undefined) this.#cursor = Math.max(this.#cursor ?? newest, newest);
    const cursor = this.#cursor;
    if (covered !== undefined) {
      this.#covered = covered;
      this.#wasBehind = cursor !== undefined && covered + this.#options.visibilityLagMs + WALK_MS < cursor;
    }
    const askedAgainMs = 2 * this.#overlapMs + (this.#ledger === undefined ? DEEP_MS : 0);
    if (cursor !== undefined) this.#forget(cursor - askedAgainMs);
  }

  /**
   * Gives a print ahead of the clock a plausible time: that of the trade printed before it, which ids tell if they count.
   */
  #placed(print: Trade, believed: readonly Trade[]): Trade {
    const before =
      this.#ledger === undefined
        ? believed.at(-1)
        : believed.findLast(({ id }) => compareIds(id, print.id) < 0);
    return { ...print, time: before?.time ?? this.#cursor ?? this.#start };
  }

  #forget(horizon: number): void {
    this.#seen.prune(horizon);
    if (this.#saturated.size === 0 && this.#ahead.size === 0) return;
    for (const time of this.#saturated) if (time < horizon) this.#saturated.delete(time);
    for (const [id, time] of this.#ahead) {
      if (time < horizon || this.#ahead.size > MOST_AHEAD) this.#ahead.delete(id);
    }
  }

  /** Replaces a misprint by a gap of one missing trade. */
  #judged(event: TapeEvent, ahead: Descent['ahead'] | undefined): TapeEvent {
    if (event.kind === 'gap') return event;
    const { id, time } = event.trade;
    const early = ahead?.get(id);
    const misprint =
      early === undefined
        ? this.#judge.judge(event.trade)
        : `a time must be at most ${early.bound}, received ${early.trade.time}`;
    if (misprint === undefined) return event;
    const { log, pair } = this.#options;
    const isNews = time - this.#misprintAt > QUIET_MS;
    if (isNews) log.warn('misprint on the tape', { pair, id, time, reason: misprint });
    this.#misprintAt = time;
    return { kind: 'gap', gap: { from: time, to: time, missing: 1 }, misprint };
  }
}
