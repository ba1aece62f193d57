import type { Trade, TradeGap } from '../model/trade.js';

export type TapeEvent =
  | { readonly kind: 'trade'; readonly trade: Trade }
  /** `misprint`: why the one trade that is missing was not believed. */
  | { readonly kind: 'gap'; readonly gap: TradeGap; readonly misprint?: string };

const DECIMAL_ID = /^\d+$/;
/** Decimals of no more digits are numbers that doubles tell apart. */
const EXACT_DIGITS = 15;
const ZERO = 48;
const NINE = 57;
const REMEMBERED_HOLES = 256;
/** Trades in a row that are newer than all others and yet in a hole: by then it is the hole that is wrong. */
const MOST_STRAYS = 16;

/**
 * Book-keeping by ids, for venues whose ids count every trade of a pair without a hole: each id is then either seen or
 * counted in exactly one gap, so that seen + missing = all. It needs no help from paging, and so also finds a loss
 * that no full page betrayed.
 */
export class IdLedger {
  /** The newest id: a number as long as that is exact, since a bigint for each trade would cost what the rest does. */
  #last: number | bigint | undefined;
  #lastTime = Number.NEGATIVE_INFINITY;
  /** Ids already counted as missing, newest last: [first, last]. */
  readonly #holes: [bigint, bigint][] = [];
  /** Trades in a row that holes account for, though they are newer than all that was seen. */
  #strays = 0;
  #contiguous = true;

  /** False from the first id on that is no decimal number: the venue does not count its trades after all. */
  get contiguous(): boolean {
    return this.#contiguous;
  }

  /**
   * Puts gaps where ids are missing among new trades in (time, id) order. A gap found by paging lends its bounds to
   * the hole at its place, and vanishes when no id is missing there. A trade that was counted as missing before is
   * left out: it is accounted for.
   */
  account(trades: readonly Trade[], paged: readonly TradeGap[]): TapeEvent[] {
    const events: TapeEvent[] = [];
    let nextPaged = 0;
    for (const trade of trades) {
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
      else if (this.#isAccounted(id, trade.time)) continue;
      else events.push(...this.#step(id, trade, bounds));
      events.push({ kind: 'trade', trade });
    }
    return events;
  }

  /** True for the id after the newest, which it is from then on: what there is to say of nearly every trade. */
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

  /** Whether these ids, in any order, leave none out after the newest one. */
  follows(ids: readonly string[]): boolean {
    const last = this.#lastId;
    if (last === undefined || !ids.every((id) => DECIMAL_ID.test(id))) return false;
    const above = new Set(ids.map(BigInt).filter((id) => id > last));
    for (let id = last + 1n; id <= last + BigInt(above.size); id++) if (!above.has(id)) return false;
    return true;
  }

  #step(id: bigint, trade: Trade, bounds: readonly TradeGap[]): TapeEvent[] {
    const last = this.#lastId;
    const lastTime = this.#lastTime;
    this.#last = exactNumber(trade.id) ?? id;
    this.#strays = 0;
    this.#lastTime = Math.max(lastTime, trade.time);
    if (last === undefined || id === last + 1n) return [];
    if (id <= last) {
      // Newer in time, lower in number: the venue counts anew, or the newest id was garbage. What fell between is unknown.
      this.#holes.length = 0;
      return [{ kind: 'gap', gap: { from: lastTime, to: trade.time, missing: undefined } }];
    }
    this.#holes.push([last + 1n, id - 1n]);
    if (this.#holes.length > REMEMBERED_HOLES) this.#holes.shift();
    const from = bounds[0]?.from ?? lastTime;
    const to = bounds.at(-1)?.to ?? trade.time;
    // A clock that was set back: the trade after the hole is older than the one before it.
    return [{ kind: 'gap', gap: { from: Math.min(from, to), to, missing: Number(id - last - 1n) } }];
  }

  /**
   * Below the newest id an unseen one is in a hole, or was printed before we began. Not so after an id that was garbage,
   * whose hole has room for all that is ever printed.
   */
  #isAccounted(id: bigint, time: number): boolean {
    if (this.#last === undefined || id > this.#last) return false;
    if (time <= this.#lastTime) return true;
    if (!this.#holes.some(([first, last]) => first <= id && id <= last)) return false;
    return ++this.#strays < MOST_STRAYS;
  }
}

/** `undefined` for what is no decimal, or one of too many digits. */
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
