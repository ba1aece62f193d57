import type { Trade, TradeGap } from '../model/trade.js';

export type TapeEvent =
  | { readonly kind: 'trade'; readonly trade: Trade }
  /** `misprint`: why the one trade that is missing was not believed. */
  | { readonly kind: 'gap'; readonly gap: TradeGap; readonly misprint?: string };

const DECIMAL_ID = /^\d+$/;
/** Integers of at most so many digits are exact as doubles. */
const EXACT_DIGITS = 15;
const ZERO = 48;
const NINE = 57;
const REMEMBERED_HOLES = 256;
/**
 * After so many trades in a row that are newer than all others in time, yet whose ids lie in a hole, the hole is taken for
 * wrong: a garbled id made it.
 */
const MOST_STRAYS = 16;

/**
 * Counts trades by their ids, for venues that number the trades of a pair without a hole:
 * each id is either seen or counted in exactly one gap, so that seen + missing = all. It
 * does not depend on paging, so it also finds losses that no full page has shown.
 */
export class IdLedger {
  /** The newest id: a number while that is exact, since a bigint for each trade would double the cost. */
  #last: number | bigint | undefined;
  #lastTime = Number.NEGATIVE_INFINITY;
  /** Ids already counted as missing, newest last: [first, last]. */
  readonly #holes: [bigint, bigint][] = [];
  /** Trades in a row that were newer in time than all seen ones, yet had ids in a hole. */
  #strays = 0;
  #contiguous = true;

  /** False once an id was not a decimal number: the venue does not number its trades after all. */
  get contiguous(): boolean {
    return this.#contiguous;
  }

  /**
   * Puts gaps where ids are missing among new trades in (time, id) order. A gap that paging found lends its bounds to the
   * hole at its place, and is dropped where no id is missing. A trade that was counted as missing before is left out,
   * since it would count twice. One that stands behind a higher id, since the venue's clock stepped back, is not missing.
   */
  account(trades: readonly Trade[], paged: readonly TradeGap[]): TapeEvent[] {
    const events: TapeEvent[] = [];
    let nextPaged = 0;
    let at = -1;
    let places: IdPlaces | undefined;
    const behind = new Set<bigint>();
    for (const trade of trades) {
      at++;
      const bounds: TradeGap[] = [];
      for (let gap = paged[nextPaged]; gap !== undefined && gap.to <= trade.time; gap = paged[++nextPaged]) {
        bounds.push(gap);
      }
      if (this.#isNext(trade.id)) {
        this.#lastTime = Math.max(this.#lastTime, trade.time);
        events.push({ kind: 'trade', trade });
        continue;
      }
      const id = DECIMAL_ID.test(trade.id) ? BigInt(trade.id) : undefined;
      if (id === undefined) this.#contiguous = false;
      else if (behind.delete(id)) this.#lastTime = Math.max(this.#lastTime, trade.time);
      else if (this.#isAccounted(id, trade.time)) continue;
      else {
        const last = this.#lastId;
        const toCome = last === undefined ? [] : (places ??= new IdPlaces(trades)).between(last, id, at);
        for (const one of toCome) behind.add(one);
        events.push(...this.#step(id, trade, bounds, toCome.length));
      }
      events.push({ kind: 'trade', trade });
    }
    return events;
  }

  /** Fast path of nearly every trade: true for the successor of the newest id, which then becomes the newest. */
  #isNext(id: string): boolean {
    const last = this.#last;
    const number = exactNumber(id);
    if (typeof last !== 'number' || number !== last + 1) return false;
    this.#last = number;
    this.#strays = 0;
    return true;
  }

  get #lastId(): bigint | undefined {
    return this.#last === undefined ? undefined : BigInt(this.#last);
  }

  /** True when these ids, in any order, continue after the newest one without a hole. */
  follows(ids: readonly string[]): boolean {
    const last = this.#lastId;
    if (last === undefined || !ids.every((id) => DECIMAL_ID.test(id))) return false;
    const above = new Set(ids.map(BigInt).filter((id) => id > last));
    for (let id = last + 1n; id <= last + BigInt(above.size); id++) if (!above.has(id)) return false;
    return true;
  }

  /** `toCome`: how many of the ids up to this one come later in the same walk. */
  #step(id: bigint, trade: Trade, bounds: readonly TradeGap[], toCome: number): TapeEvent[] {
    const last = this.#lastId;
    const lastTime = this.#lastTime;
    this.#last = exactNumber(trade.id) ?? id;
    this.#strays = 0;
    this.#lastTime = Math.max(lastTime, trade.time);
    if (last === undefined || id === last + 1n) return [];
    if (id <= last) {
      // Newer in time with a lower id: the venue numbers anew, or
      // the newest id was garbled. How many are missing is unknown.
      this.#holes.length = 0;
      return [{ kind: 'gap', gap: { from: lastTime, to: trade.time, missing: undefined } }];
    }
    const missing = Number(id - last - 1n) - toCome;
    if (missing === 0) return [];
    this.#holes.push([last + 1n, id - 1n]);
    if (this.#holes.length > REMEMBERED_HOLES) this.#holes.shift();
    const from = bounds[0]?.from ?? lastTime;
    const to = bounds.at(-1)?.to ?? trade.time;
    // After the venue set its clock back the trade after the hole may be older than the one before it.
    return [{ kind: 'gap', gap: { from: Math.min(from, to), to, missing } }];
  }

  /**
   * True when an unseen id is counted already: below the newest id it lies in a hole, or was printed before we began. The
   * hole that a garbled id made has room for everything that is ever printed, so `MOST_STRAYS` bounds this.
   */
  #isAccounted(id: bigint, time: number): boolean {
    if (this.#last === undefined || id > this.#last) return false;
    if (time <= this.#lastTime) return true;
    if (!this.#holes.some(([first, last]) => first <= id && id <= last)) return false;
    return ++this.#strays < MOST_STRAYS;
  }
}

/** Where the ids of a walk stand in it. */
class IdPlaces {
  /** Ascending ids, each with its place. */
  readonly #places: readonly (readonly [id: bigint, at: number])[];

  constructor(trades: readonly Trade[]) {
    this.#places = trades
      .flatMap(({ id }, at) => (DECIMAL_ID.test(id) ? [[BigInt(id), at] as const] : []))
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }

  /** The ids above `low` and below `high` that stand behind the place `at`. */
  between(low: bigint, high: bigint, at: number): readonly bigint[] {
    const found: bigint[] = [];
    for (let i = this.#firstAbove(low); i < this.#places.length; i++) {
      const [id, place] = this.#places[i] as readonly [bigint, number];
      if (id >= high) break;
      if (place > at) found.push(id);
    }
    return found;
  }

  #firstAbove(low: bigint): number {
    let from = 0;
    let to = this.#places.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#places[middle] as readonly [bigint, number])[0] > low) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/** The id as a number; `undefined` when it is not a decimal, or has too many digits to be exact. */
function exactNumber(id: string): number | undefined {
  const { length } = id;
  if (length === 0 || length > EXACT_DIGITS) return undefined;
  let number = 0;
  for (let at = 0; at < length; at++) {
    const code = id.charCodeAt(at);
    if (code < ZERO || code > NINE) return undefined;
    number = number * 10 + (code - ZERO);
  }
  return number;
}
