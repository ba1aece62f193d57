import type { Trade, TradeGap } from '../model/trade.js';

export type TapeEvent =
  | { readonly kind: 'trade'; readonly trade: Trade }
  /** `misprint`: why the one trade that is missing was not believed. */
  | { readonly kind: 'gap'; readonly gap: TradeGap; readonly misprint?: string };

const DECIMAL_ID = /^\d+$/;
const REMEMBERED_HOLES = 256;

/**
 * Book-keeping by ids, for venues whose ids count every trade of a pair without a hole: each id is then either seen or
 * counted in exactly one gap, so that seen + missing = all. It needs no help from paging, and so also finds a loss
 * that no full page betrayed.
 */
export class IdLedger {
  #lastId: bigint | undefined;
  #lastTime = Number.NEGATIVE_INFINITY;
  /** Ids already counted as missing, newest last: [first, last]. */
  readonly #holes: [bigint, bigint][] = [];
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
      const id = DECIMAL_ID.test(trade.id) ? BigInt(trade.id) : undefined;
      if (id === undefined) this.#contiguous = false;
      else if (this.#isAccounted(id, trade.time)) continue;
      else events.push(...this.#step(id, trade, bounds));
      events.push({ kind: 'trade', trade });
    }
    return events;
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
    this.#lastId = id;
    this.#lastTime = Math.max(lastTime, trade.time);
    if (last === undefined || id === last + 1n) return [];
    if (id <= last) {
      // Newer in time, lower in number: the venue has started to count again, and what fell between is unknown.
      this.#holes.length = 0;
      return [{ kind: 'gap', gap: { from: lastTime, to: trade.time, missing: undefined } }];
    }
    this.#holes.push([last + 1n, id - 1n]);
    if (this.#holes.length > REMEMBERED_HOLES) this.#holes.shift();
    const from = bounds[0]?.from ?? lastTime;
    const to = bounds.at(-1)?.to ?? trade.time;
    return [{ kind: 'gap', gap: { from, to, missing: Number(id - last - 1n) } }];
  }

  /** Below the newest id an unseen one is in a hole, or was printed before we began. */
  #isAccounted(id: bigint, time: number): boolean {
    if (this.#lastId === undefined || id > this.#lastId) return false;
    return time <= this.#lastTime || this.#holes.some(([first, last]) => first <= id && id <= last);
  }
}
