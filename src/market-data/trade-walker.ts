import { compareIds, compareTrades, type Trade, type TradeGap } from '../model/trade.js';
import type { Log } from '../ports/log.js';
import { type PublicVenueApi, VenueError } from '../ports/venue-api.js';
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

const SEEN_CAPACITY = 50_000;
const MOST_AHEAD = 1_000;

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
  /** The most a page may hold; falls when the venue turns out to give less than `limit`. */
  #cap: number;
  #suspectedCap: number | undefined;
  /** Venue ms of the newest trade; everything up to it is given or lies in a gap. */
  #cursor: number | undefined;
  /** The newest time that a walk covered for certain, venue ms. */
  #covered = Number.NEGATIVE_INFINITY;
  /** Nothing older is ever asked for, venue ms. */
  #start = 0;

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
    const descent = await this.#descend(from, undefined, options);
    if (descent.cutAt !== undefined) this.#start = descent.cutAt + 1;
    return this.#accept(descent, options.covered);
  }

  /** Everything that came since the last walk. */
  async walk(options: WalkOptions = {}): Promise<Walk> {
    const cursor = this.#cursor;
    const oldest = Math.max(this.#start, this.#seen.floor + 1);
    const from = cursor === undefined ? oldest : Math.min(cursor, Math.max(cursor - this.#overlapMs, oldest));
    const reach = this.#reach();
    const descent = await this.#descend(from, reach, options);
    if (descent.cutAt !== undefined) {
      descent.gaps.push({
        from: Math.min(reach ?? from, descent.cutAt),
        to: descent.cutAt,
        missing: undefined,
      });
    }
    return this.#accept(descent, options.covered);
  }

  /** Up to here nothing new can show any more: older trades are given or lie in gaps. */
  #reach(): number | undefined {
    if (this.#cursor === undefined) return undefined;
    return Math.min(this.#cursor, Math.max(this.#cursor - this.#options.visibilityLagMs, this.#covered - 1));
  }

  /** Reads pages downwards until one reaches what is known. Changes no state but the page size. */
  async #descend(from: number, reach: number | undefined, { signal, latest }: WalkOptions): Promise<Descent> {
    const descent: Descent = {
      fresh: new Map(),
      ahead: new Map(),
      gaps: [],
      saturated: [],
      pages: 0,
      cutAt: undefined,
    };
    let bound: number | undefined;
    /** The inclusive end of the next page; `undefined` asks for the newest. */
    let to: number | undefined;
    while (to === undefined || to >= from) {
      signal?.throwIfAborted();
      // A page of nothing but prints ahead of the clock tells of nothing below it, so that no walk ends there.
      const isBegun = descent.pages > 0 && (to === undefined || to !== bound);
      if (isBegun && descent.pages >= this.#maxPages) return this.#cut(descent, to, 'pages');
      let page: readonly Trade[];
      try {
        page = await this.#page(from, to);
      } catch (error) {
        const budgetGone = error instanceof VenueError && error.kind === 'throttled' && isBegun;
        if (budgetGone) return this.#cut(descent, to, 'budget');
        throw error;
      }
      descent.pages++;
      bound ??= await this.#latestOf(page, latest);
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
    const inside = page.filter((trade) => trade.time >= from && (to === undefined || trade.time <= to));
    return inside.sort(compareTrades);
  }

  /** Where nobody is asked, the end of time. A whole number: it may become the end of a page. */
  async #latestOf(page: readonly Trade[], latest: WalkOptions['latest']): Promise<number> {
    if (latest === undefined) return Number.POSITIVE_INFINITY;
    const newest = page.findLast(({ id }) => !this.#ahead.has(id))?.time ?? Number.NEGATIVE_INFINITY;
    return Math.floor(await latest(newest));
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

  #accept({ fresh, ahead, gaps, saturated, pages }: Descent, covered: number | undefined): Walk {
    const believed = [...fresh.values()].map(bare).sort(compareTrades);
    gaps.sort((a, b) => a.to - b.to);
    for (const { id, time } of believed) this.#seen.add(id, time);
    // Before the cursor moves: it is what was printed before all of them.
    const misplaced = [...ahead.values()].map(({ trade }) => this.#placed(bare(trade), believed));
    const newest = believed.at(-1)?.time;
    if (newest !== undefined) this.#cursor = Math.max(this.#cursor ?? newest, newest);
    if (covered !== undefined) this.#covered = Math.max(this.#covered, covered);
    for (const time of saturated) this.#saturated.add(time);
    for (const { trade } of ahead.values()) this.#ahead.set(trade.id, trade.time);
    if (this.#cursor !== undefined) this.#forget(this.#cursor - 2 * this.#overlapMs);
    const trades = misplaced.length === 0 ? believed : [...believed, ...misplaced].sort(compareTrades);
    const events = this.#ledger?.account(trades, gaps) ?? inPlace(trades, gaps);
    this.#judge.expect(believed);
    return { events: events.map((event) => this.#judged(event, ahead)), pages };
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
    for (const time of this.#saturated) if (time < horizon) this.#saturated.delete(time);
    for (const [id, time] of this.#ahead) {
      if (time < horizon || this.#ahead.size > MOST_AHEAD) this.#ahead.delete(id);
    }
  }

  /** A misprint is accounted for, and its place stays open. */
  #judged(event: TapeEvent, ahead: Descent['ahead']): TapeEvent {
    if (event.kind === 'gap') return event;
    const { id, time } = event.trade;
    const early = ahead.get(id);
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

interface Descent {
  readonly fresh: Map<string, Trade>;
  /** Ahead of the venue's clock, and not known yet, with what their time may be at most. */
  readonly ahead: Map<string, { readonly trade: Trade; readonly bound: number }>;
  readonly gaps: TradeGap[];
  readonly saturated: number[];
  pages: number;
  /** Everything older than what was read, up to this time (inclusive), was left out: pages or budget were gone. */
  cutAt: number | undefined;
}

/** Gaps stand before the first trade that is not older than their end. */
function inPlace(trades: readonly Trade[], gaps: readonly TradeGap[]): TapeEvent[] {
  const events: TapeEvent[] = [];
  let next = 0;
  for (const trade of trades) {
    for (let gap = gaps[next]; gap !== undefined && gap.to <= trade.time; gap = gaps[++next]) {
      events.push({ kind: 'gap', gap });
    }
    events.push({ kind: 'trade', trade });
  }
  for (const gap of gaps.slice(next)) events.push({ kind: 'gap', gap });
  return events;
}

/** Without the record's other fields: events are journalled and compared. */
function bare({ id, time, price, quantity, isBuyerMaker }: Trade): Trade {
  return { id, time, price, quantity, isBuyerMaker };
}
