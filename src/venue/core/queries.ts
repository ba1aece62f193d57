import { divCeil } from '../../model/money.js';
import type { Account, CashBalance, CoreFill, CoreOrder } from './account.js';
import { standing } from './margin.js';

/** `filled`: at least one fill; `partial`: at least one fill and not completely filled, whether still active or not. */
export type OrderQueryState = 'all' | 'active' | 'completed' | 'canceled' | 'filled' | 'partial';

/** Bounds are inclusive, in venue ms of a record's time; newest first; default limit 100. */
export interface RecordQuery {
  readonly pair?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit?: number | undefined;
}

/** `money.md` §14, units of the asset. free + locked + margin + withdrawn = W + ΣM + D exactly. */
export interface WireBalance {
  readonly asset: string;
  readonly precision: number;
  readonly free: bigint;
  readonly locked: bigint;
  readonly margin: bigint;
  readonly withdrawn: bigint;
  /** All realised P&L. */
  readonly pnl: bigint;
  /** All fees paid, positive. */
  readonly fees: bigint;
}

export const DEFAULT_LIMIT = 100;

/** Newest first by the time of the last change, which is the time that a record shows; then by id. */
export function listOrders(account: Account, state: OrderQueryState, query: RecordQuery = {}): CoreOrder[] {
  const {
    pair,
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
    limit = DEFAULT_LIMIT,
  } = query;
  const found: CoreOrder[] = [];
  const matches = (order: CoreOrder) =>
    (pair === undefined || order.pair === pair) &&
    order.updatedAt >= from &&
    order.updatedAt <= to &&
    isIn(order, state);
  for (const holding of account.holdings.values()) {
    for (let order = holding.firstWorking; order !== undefined; order = order.nextWorking) {
      if (matches(order)) found.push(order);
    }
  }
  if (state !== 'active') {
    let done = 0;
    let last = Number.NaN;
    for (let n = 0; n < account.doneOrders.size; n++) {
      const order = account.doneOrders.newest(n) as CoreOrder;
      // All orders of one millisecond are collected before the limit is applied, because ids order them.
      if (order.updatedAt < from || (done >= limit && order.updatedAt !== last)) break;
      if (!matches(order)) continue;
      found.push(order);
      done++;
      last = order.updatedAt;
    }
  }
  found.sort((a, b) => b.updatedAt - a.updatedAt || b.sequence - a.sequence);
  return found.slice(0, limit);
}

/** Waiting triggers, and those that were refused when they fired; newest first by their last change, then by id. */
export function listTriggers(account: Account, query: RecordQuery = {}): CoreOrder[] {
  const {
    pair,
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
    limit = DEFAULT_LIMIT,
  } = query;
  const found = [...account.waiting];
  const { refusedTriggers } = account;
  for (let n = 0; n < refusedTriggers.size; n++) {
    const order = refusedTriggers.newest(n) as CoreOrder;
    if (order.updatedAt < from) break;
    found.push(order);
  }
  return found
    .filter(
      (order) =>
        (pair === undefined || order.pair === pair) && order.updatedAt >= from && order.updatedAt <= to,
    )
    .sort((a, b) => b.updatedAt - a.updatedAt || b.sequence - a.sequence)
    .slice(0, limit);
}

/** Newest first. */
export function listFills(account: Account, query: RecordQuery = {}): CoreFill[] {
  const {
    pair,
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
    limit = DEFAULT_LIMIT,
  } = query;
  const found: CoreFill[] = [];
  for (let n = 0; n < account.fills.size && found.length < limit; n++) {
    const fill = account.fills.newest(n) as CoreFill;
    if (fill.time < from) break;
    if (fill.time <= to && (pair === undefined || fill.pair === pair)) found.push(fill);
  }
  return found;
}

/** Rounded so that `free` is A rounded down, and the four parts add up to W + ΣM + D exactly. */
export function wireBalance(cash: CashBalance): WireBalance {
  const { reserved, initial, upnl, scale } = standing(cash);
  const held = cash.cash;
  const wanted = divCeil(reserved, scale);
  const locked = least(wanted, held > 0n ? held : 0n);
  const needed = divCeil(reserved + initial, scale) - wanted + (upnl < 0n ? -upnl : 0n);
  const margin = least(needed, held - locked);
  let isolated = 0n;
  for (const holding of cash.holdings) isolated += holding.margin;
  return {
    asset: cash.asset,
    precision: cash.precision,
    free: held - locked - margin,
    locked,
    margin: margin + isolated,
    withdrawn: cash.withdrawing,
    pnl: cash.pnl,
    fees: cash.feesPaid,
  };
}

function isIn(order: CoreOrder, state: OrderQueryState): boolean {
  switch (state) {
    case 'all':
      return true;
    case 'active':
    case 'completed':
    case 'canceled':
      return order.status === state;
    case 'filled':
      return order.filled > 0;
    case 'partial':
      return order.filled > 0 && order.leaves > 0;
  }
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
