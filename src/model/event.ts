import type { TradeGap, Trade } from './trade.js';
import type { Lots } from './grid.js';
import type { ExecutionReport } from './report.js';
import type { PairState, Permission } from './pair-state.js';
import type { Ticker } from './ticker.js';

/** The venue's own view of a position, as polled; ours is the sum of our fills. */
export interface PositionSnapshot {
  /** Venue time at which it was read, ms. */
  readonly time: number;
  /** Signed. */
  readonly lots: Lots;
  /** Quote units, as printed; 0 when flat. */
  readonly averageEntry: number;
  /** Liquidation price, quote units; `undefined` when the venue shows none. */
  readonly liquidationPrice: number | undefined;
}

/**
 * Everything that can enter an engine, one at a time, in one order. Its *now* is the event's time.
 *
 * - `trade`: `receivedAt` is the poll answer's venue time (live), or the trade's own (streamed)
 * - `mark`: the feed has covered everything before `time`; closes bars and fires timers
 * - `permit`: what may leave for the pair from now on, and why not everything; an input like any other, so that replays
 *   refuse what was refused
 * - `others`: what the account's other pairs have and may come to, where several share its limits: worst positions ×
 *   mark and P&L in quote units, and orders that are not done
 * - `resumed`: somebody has looked at what was halted, and ended it
 * - `live`: the warm-up is over, commands are no longer muted
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
  | { readonly kind: 'resumed'; readonly time: number }
  | { readonly kind: 'live'; readonly time: number };

/** What others add to what limits of a whole account bound. */
export interface AccountShare {
  /** Largest |position| that may come about × mark, quote units. */
  readonly notional: number;
  readonly openOrders: number;
  /**
   * Net of fees and funding, the open positions at the mark; quote units. What was settled before the session that is
   * told began is in the cash that it counts from, and not in here. `undefined`: nobody knows yet what all of them hold.
   */
  readonly pnl: number | undefined;
}

/** The moment of an event, venue ms: what the engine takes for now when it handles it. */
export function timeOfEvent(event: EngineEvent): number {
  switch (event.kind) {
    case 'trade':
      return event.trade.time;
    case 'mark':
    case 'live':
    case 'permit':
    case 'others':
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
