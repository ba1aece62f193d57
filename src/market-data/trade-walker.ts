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
  /** Trades a page: the most that the venue is known to give. */
  readonly limit: number;
  /** The venue's ids of this pair are decimals that count every trade: missing trades can be counted exactly. */
  readonly contiguousIds: boolean;
  /** The longest a trade stays invisible after its time, venue ms. With more than 0 missing trades are not counted. */
  readonly visibilityLagMs: number;
  /** Pages of one walk; default 50. */
  readonly maxPages?: number;
  /** How far each walk asks behind the newest trade it has, venue ms; default 2 s, or 100 ms where ids count. */
  readonly overlapMs?: number;
  readonly judge?: PrintJudge;
}

/** Says which prints are none: a gap takes their place. Unless told otherwise, those that are no numbers above 0. */
export interface PrintJudge {
  /** The new trades of a walk before they are judged, in order. */
  expect(trades: readonly Trade[]): void;
  /** Why a trade is none, or `undefined`. Asked once about each, in order. */
  judge(trade: Trade): string | undefined;
}

const SOUND: PrintJudge = { expect: () => undefined, judge: unsoundness };

export interface WalkOptions {
  /** Venue ms that is certainly reached less the lag: whatever was printed up to it shows by now. */
  readonly covered?: number | undefined;
  /**
   * Venue ms that no print can lie beyond: what does is a misprint, and moves nothing. Asked once the newest page is
   * there, with the newest time on it that is not known to be one. Unless told otherwise, every time is believed.
   */
  readonly latest?: ((newest: number) => number | Promise<number>) | undefined;
  /** Stops the walk between two pages. */
  readonly signal?: AbortSignal;
}

/** What one walk found that was not known, in (time, id) order with its gaps in place. */
export interface Walk {
  readonly events: readonly TapeEvent[];
  readonly pages: number;
}

/** What is reached may be told so much too low, venue ms, before the venue's time is known well: no clock was set by that. */
const CLOCK_ERROR_MS = 30_000;
const SEEN_CAPACITY = 50_000;
const MOST_AHEAD = 1_000;
/** New trades that are held against each other one by one. */
const MOST_USUAL = 16;
const NO_GAPS: readonly TradeGap[] = [];

/**
 * Follows the tape of one pair by asking for pages, from the newest backwards, until it meets what it knows
 * (`reliability.md` c.8). Every trade from the start on is given once, or lies inside a gap that is given; nothing is
 * given twice. A walk that fails, or that a signal stops between two pages, changes nothing and can be repeated.
 */
export class TradeWalker {
  readonly #options: TradeWalkerOptions;
  readonly #overlapMs: number;
  readonly #maxPages: number;
  readonly #seen = new SeenTrades(SEEN_CAPACITY);
  /** Milliseconds that were already given as gaps because they hold more than a page. */
  readonly #saturated = new Set<number>();
  /** Ids of prints that lie ahead of the venue's clock → venue ms: they stay the newest of the tape until then. */
  readonly #ahead = new Map<string, number>();
  readonly #ledger: IdLedger | undefined;
  readonly #judge: PrintJudge;
  #saidMisprint = false;
  #saidFarOff = false;
  /** The most a page may hold; falls when the venue turns out to give less than `limit`. */
  #cap: number;
  #suspectedCap: number | undefined;
  /** Venue ms of the newest trade; everything up to it is given or lies in a gap. */
  #cursor: number | undefined;
  /** The newest time that a walk covered for certain, venue ms. */
  #covered = Number.NEGATIVE_INFINITY;
  /** Nothing older is ever asked for, venue ms. */
  #start = 0;
  /** The gap of what was never asked for since the venue's clock was set back; `undefined`: it has caught up. */
  #unasked: TradeGap | undefined;

  constructor(options: TradeWalkerOptions) {
    this.#options = options;
    this.#cap = options.limit;
    const { visibilityLagMs, judge = SOUND, maxPages = 50 } = options;
    this.#ledger = options.contiguousIds && visibilityLagMs === 0 ? new IdLedger() : undefined;
    // Where ids count, a trade that shows late was already counted as missing: looking far behind brings nothing.
    this.#overlapMs = Math.max(
      options.overlapMs ?? (this.#ledger === undefined ? 2_000 : 100),
      visibilityLagMs,
    );
    this.#maxPages = maxPages;
    this.#judge = judge;
  }

  /** The history from `from` (venue ms) on, or as much of it as the pages of one walk hold: its far end is no gap. */
  async warmUp(from: number, options: WalkOptions = {}): Promise<Walk> {
    this.#start = from;
    const first = await this.#first(from, options);
    const descent = await this.#descend(first, from, undefined, options);
    if (descent.cutAt !== undefined) this.#start = descent.cutAt + 1;
    return this.#accept(descent, options.covered);
  }

  /** Everything that came since the last walk. */
  async walk(options: WalkOptions = {}): Promise<Walk> {
    const cursor = this.#cursor;
    const oldest = Math.max(this.#start, this.#seen.floor + 1);
    const from = cursor === undefined ? oldest : Math.min(cursor, Math.max(cursor - this.#overlapMs, oldest));
    const reach = this.#reach();
    const unasked = this.#unaskedBelow(from, options.covered);
    const isNews = unasked !== undefined && unasked !== this.#unasked;
    const first = await this.#first(from, options);
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
   * The gap of what is printed while the venue's clock stands below all that is asked for: it was set back. Told as soon
   * as that is seen, before any mark can close a bar of it; up to the newest trade, since full pages end there.
   */
  #unaskedBelow(from: number, covered: number | undefined): TradeGap | undefined {
    const told = this.#unasked;
    const cursor = this.#cursor;
    // Ids that count tell it themselves.
    if (this.#ledger !== undefined || cursor === undefined || covered === undefined) return told;
    const behindMs = from - covered - this.#options.visibilityLagMs;
    if (behindMs <= 0) return undefined;
    if (behindMs <= CLOCK_ERROR_MS) return told;
    if (told !== undefined && told.from <= covered && cursor <= told.to) return told;
    return { from: Math.min(covered, told?.from ?? covered), to: cursor, missing: undefined };
  }

  /** Up to here nothing new can show any more: older trades are given or lie in gaps. */
  #reach(): number | undefined {
    if (this.#cursor === undefined) return undefined;
    return Math.min(this.#cursor, Math.max(this.#cursor - this.#options.visibilityLagMs, this.#covered - 1));
  }

  /** The newest page, and the whole venue ms that no print on it can lie beyond: it may become the end of a page. */
  async #first(from: number, { signal, latest }: WalkOptions): Promise<FirstPage> {
    signal?.throwIfAborted();
    const page = await this.#page(from, undefined);
    // Where nobody is asked, the end of time.
    if (latest === undefined) return { page, bound: Number.POSITIVE_INFINITY };
    const believed = this.#ahead.size === 0 ? page.at(-1) : page.findLast(({ id }) => !this.#ahead.has(id));
    const bound = latest(believed?.time ?? Number.NEGATIVE_INFINITY);
    return { page, bound: Math.floor(typeof bound === 'number' ? bound : await bound) };
  }

  /**
   * The new trades of a page after which no other is looked at, and of which there is nothing to say but that they are
   * new: it is not full, holds a known trade or none at all, and nothing on it lies ahead of the clock. An order may be
   * waiting for them. `undefined`: it is for `#descend` to say, which comes to the same where this says anything.
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

  /** Reads pages downwards until one reaches what is known. Changes no state but the page size. */
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
    /** The inclusive end of the next page; `undefined`: it is the newest, which is there. */
    let to: number | undefined;
    while (to === undefined || to >= from) {
      let { page } = first;
      if (to !== undefined) {
        signal?.throwIfAborted();
        // A page of nothing but prints ahead of the clock tells of nothing below it, so that no walk ends there.
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
        // The venue may list the trades of one millisecond in any order: this page may have cut off new ones of it.
        if (oldest === reach && (!isFull || this.#countsAll(descent))) return descent;
      }
      if (!isFull) {
        if (met) return descent;
        // A whole page would hold the newest trade we know. Without it, the venue may give less than we ask for.
        if (!(await this.#isCut(page.length, from, oldest, descent))) {
          if (reach !== undefined)
            descent.gaps.push({ from: Math.min(reach, oldest), to: oldest, missing: undefined });
          return descent;
        }
      }
      if (!isFull || reached.length < page.length || oldest < newest) {
        // Inclusive: the page may have cut this very millisecond.
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

  /** A venue that counts seconds would be followed for ever without a trade. One whose market sleeps is none of these. */
  #sayFarOff(page: readonly Trade[], from: number): void {
    const newest = page.reduce((most, { time }) => Math.max(most, time), Number.NEGATIVE_INFINITY);
    if (this.#saidFarOff || page.length === 0 || newest >= from / 2) return;
    this.#saidFarOff = true;
    const words =
      "the venue's trades are of another age than was asked for, and none is taken: are their times ms?";
    this.#options.log.warn(words, { pair: this.#options.pair, from, newest });
  }

  /** What of a page does not lie ahead of the clock, nor has before. */
  #setAside(page: readonly Trade[], bound: number, descent: Descent): readonly Trade[] {
    return page.filter((trade) => {
      if (this.#ahead.has(trade.id)) return false;
      if (trade.time <= bound) return true;
      descent.ahead.set(trade.id, { trade, bound });
      return false;
    });
  }

  /** Takes the unknown trades of a page; true when it holds a known one. */
  #collect(page: readonly Trade[], descent: Descent): boolean {
    let met = false;
    for (const trade of page) {
      if (this.#seen.has(trade.id)) met = true;
      else descent.fresh.set(trade.id, trade);
    }
    return met;
  }

  /** Ids say that nothing is missing between what is known and what was found. */
  #countsAll({ fresh, ahead }: Descent): boolean {
    return this.#ledger?.follows([...fresh.keys(), ...ahead.keys()]) ?? false;
  }

  /**
   * Looks below a page that seemed whole. If there is something unknown, the page was cut at the venue's own limit;
   * a second page of the same length proves that limit.
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

  /** A whole page inside one millisecond: what it does not show of that millisecond cannot be asked for. */
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

  /** `#accept` of a walk that found nothing but these, in order. */
  #acceptUsual(fresh: readonly Trade[], covered: number | undefined): Walk {
    this.#advance(fresh, covered);
    const events = this.#ledger?.account(fresh, NO_GAPS) ?? inPlace(fresh, NO_GAPS);
    this.#judge.expect(fresh);
    return { events: events.map((event) => this.#judged(event, undefined)), pages: 1 };
  }

  #accept({ fresh, ahead, gaps, saturated, pages }: Descent, covered: number | undefined): Walk {
    const believed = [...fresh.values()].map(bare).sort(compareTrades);
    gaps.sort((a, b) => a.to - b.to);
    // Before the cursor moves: it is what was printed before all of them.
    const misplaced = [...ahead.values()].map(({ trade }) => this.#placed(bare(trade), believed));
    for (const time of saturated) this.#saturated.add(time);
    for (const { trade } of ahead.values()) this.#ahead.set(trade.id, trade.time);
    this.#advance(believed, covered);
    const trades = misplaced.length === 0 ? believed : [...believed, ...misplaced].sort(compareTrades);
    const events = this.#ledger?.account(trades, gaps) ?? inPlace(trades, gaps);
    this.#judge.expect(believed);
    return { events: events.map((event) => this.#judged(event, ahead)), pages };
  }

  /** These are known from now on, and the newest of them is where the next walk begins. */
  #advance(believed: readonly Trade[], covered: number | undefined): void {
    for (const { id, time } of believed) this.#seen.add(id, time);
    const newest = believed.at(-1)?.time;
    if (newest !== undefined) this.#cursor = Math.max(this.#cursor ?? newest, newest);
    if (covered !== undefined) this.#covered = Math.max(this.#covered, covered);
    if (this.#cursor !== undefined) this.#forget(this.#cursor - 2 * this.#overlapMs);
  }

  /** A print with the time that is nearest to its true one: of what was printed before it, as far as ids tell. */
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

  /** A misprint is accounted for, and its place stays open. */
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
    if (!this.#saidMisprint) log.warn('misprint on the tape', { pair, id, time, reason: misprint });
    this.#saidMisprint = true;
    return { kind: 'gap', gap: { from: time, to: time, missing: 1 }, misprint };
  }
}
