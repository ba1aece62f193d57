import { compareTrades, type Trade, type TradeGap } from '../model/trade.js';
import type { TapeEvent } from './id-ledger.js';

/** The newest page of the tape, in (time, id) order. */
export interface FirstPage {
  readonly page: readonly Trade[];
  /** Venue ms that no print can lie beyond. */
  readonly bound: number;
}

/** What a walk has found on its way down the tape. */
export interface Descent {
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

/** Without the record's other fields: events are journalled and compared. */
export function bare({ id, time, price, quantity, isBuyerMaker }: Trade): Trade {
  return { id, time, price, quantity, isBuyerMaker };
}

/** True for a page that is in (time, id) order and inside what was asked for, as nearly every page comes. */
export function isInOrder(page: readonly Trade[], from: number, to: number | undefined): boolean {
  let before: Trade | undefined;
  for (const trade of page) {
    if (before === undefined ? !(trade.time >= from) : !(compareTrades(before, trade) <= 0)) return false;
    before = trade;
  }
  return before === undefined || to === undefined || before.time <= to;
}
