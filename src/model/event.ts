import type { TradeGap, Trade } from './trade.js';
import type { Lots } from './grid.js';
import type { ExecutionReport } from './report.js';
import type { PairState, Permission } from './pair-state.js';
import type { Ticker } from './ticker.js';

/** The venue's own figure of a position, as polled. Our own figure is the sum of our fills. */
export interface PositionSnapshot {
  /** Venue time of the read, ms. */
  readonly time: number;
  /** Negative is short. */
  readonly lots: Lots;
  /** Quote units, as printed; 0 when flat. */
  readonly averageEntry: number;
  /** Liquidation price, quote units; `undefined` when the venue shows none. */
  readonly liquidationPrice: number | undefined;
  /** Funding since it was flat, quote units, as printed; paid: below 0. Absent: none. */
  readonly funding?: number | undefined;
}

/**
 * Everything that can enter an engine: one event at a time, in one order. The engine's *now* is the event's time.
 *
 * - `trade`: `receivedAt` is the venue time of the poll's answer (live), or the time of the trade itself (streamed)
 * - `mark`: the feed has delivered everything before `time`; a mark closes bars and fires timers
 * - `gap`, `report`, `position`, `ticker`: trades that the feed missed, news of an order, the polled position, polled
 *   prices
 * - `permit`: which commands may leave for the pair from here on, and the reason for any restriction. It is an event so
 *   that a replay refuses the same commands
 * - `others`: what the other pairs of the account add to the limits of the whole account (see `AccountShare`)
 * - `transfers`: what deposits and withdrawals have changed the cash that orders may use by since the session's start
 * - `resumed`: a person ended a halt
 * - `live`: the warm-up is over, and commands are no longer muted
 */
export type EngineEvent =
  | { readonly kind: 'trade'; readonly trade: Trade; readonly receivedAt: number }
  | { readonly kind: 'mark'; readonly time: number }
  | { readonly kind: 'gap'; readonly gap: TradeGap }
  | { readonly kind: 'report'; readonly report: ExecutionReport }
  | { readonly kind: 'position'; readonly position: PositionSnapshot }
  | { readonly kind: 'ticker'; readonly ticker: Ticker }
  | {
      readonly kind: 'permit';
      readonly time: number;
      readonly permission: Permission;
      readonly state: PairState;
      readonly reason: string;
    }
  | ({ readonly kind: 'others'; readonly time: number } & AccountShare)
  /** `change` in quote units, below 0 where more left than came. */
  | { readonly kind: 'transfers'; readonly time: number; readonly change: number }
  | { readonly kind: 'resumed'; readonly time: number }
  | { readonly kind: 'live'; readonly time: number };

/** What the other pairs of an account contribute to the limits that bound the account as a whole. */
export interface AccountShare {
  /** Sum over those pairs of (largest |position| that working orders may lead to) × mark, quote units. */
  readonly notional: number;
  readonly openOrders: number;
  /**
   * P&L of those pairs net of fees and funding, with open positions valued at the mark; quote units. It leaves out what
   * was settled before the receiving session began, because that money is already in the session's starting cash.
   * `undefined`: the positions of at least one pair are not known yet.
   */
  readonly pnl: number | undefined;
  /**
   * On one of those pairs the loss of the UTC day that ends then (venue ms) has reached its bound: the whole account adds no
   * risk on that day, also where a session began only after it.
   */
  readonly lostUntil?: number;
  /** On one of those pairs the fall of the equity from its highest has reached its bound, and nobody has resumed since. */
  readonly fell?: true;
}

/** The time of an event, venue ms. The engine takes it as *now* while it handles the event. */
export function timeOfEvent(event: EngineEvent): number {
  switch (event.kind) {
    case 'trade':
      return event.trade.time;
    case 'mark':
    case 'live':
    case 'permit':
    case 'others':
    case 'transfers':
    case 'resumed':
      return event.time;
    case 'gap':
      return event.gap.to;
    case 'report':
      return event.report.time;
    case 'position':
      return event.position.time;
    case 'ticker':
      return event.ticker.time;
  }
}
