import { compareTrades, type Trade, type TradeGap } from '../model/trade.js';
import type { TapeEvent } from './id-ledger.js';

/** The newest page of the tape, in (time, id) order. */
export interface FirstPage {
  readonly page: readonly Trade[];
  /** The latest venue ms that a print can have. */
  readonly bound: number;
}

/** What a walk has found so far on its way towards the past. */
export interface Descent {
  readonly fresh: Map<string, Trade>;
  /** New prints dated ahead of the venue's clock, with the bound that they exceed. */
  readonly ahead: Map<string, { readonly trade: Trade; readonly bound: number }>;
  readonly gaps: TradeGap[];
  readonly saturated: number[];
  pages: number;
  /**
   * Venue ms up to which (inclusive) nothing was read, because
   * pages or request budget ran out; `undefined`: it was not cut.
   */
  cutAt: number | undefined;
}

/** Merges trades and gaps: each gap stands before the first trade whose time is not below the gap's end. */
export function inPlace(trades: readonly Trade[], gaps: readonly TradeGap[]): TapeEvent[] {
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

/** The trade without the other fields of its wire record, since events are journalled and compared. */
export function bare({ id, time, price, quantity, isBuyerMaker }: Trade): Trade {
  return { id, time, price, quantity, isBuyerMaker };
}

/** True for a page in (time, id) order with all times inside [from, to], as nearly every page is. */
export function isInOrder(page: readonly Trade[], from: number, to: number | undefined): boolean {
  let before: Trade | undefined;
  for (const trade of page) {
    if (before === undefined ? !(trade.time >= from) : !(compareTrades(before, trade) <= 0)) return false;
    before = trade;
  }
  return before === undefined || to === undefined || before.time <= to;
}
