/** What the declared polls and orders of a session need of the venue's request budget (`reliability.md` c.6). */
import type { BotPlan } from './bot.js';

export interface DeclaredRequests {
  /** Start to start of each poll, ms. `orders`: looks at orders, fills and position, in live sessions only. */
  readonly every: BotPlan['every'] & { readonly orders?: number | undefined };
  /** The venue's clock is followed: each poll of trades begins with a read of its time. */
  readonly followsClock: boolean;
  /** Time between two ledger cuts, ms; `undefined`: there is no ledger. */
  readonly ledgerMs?: number | undefined;
  /** `undefined`: no limit says how many orders may leave. */
  readonly maxOrdersPerMinute: number | undefined;
  /** Requests per second that the venue takes in the long run. */
  readonly perSecond: number;
  /** Sessions that have equal shares of that; default 1. */
  readonly sharedBy?: number | undefined;
}

export interface RequestPlan {
  /** Requests per second of all polls. */
  readonly polls: number;
  readonly parts: readonly { readonly name: string; readonly perSecond: number }[];
  /** Orders per minute for which there are requests left. */
  readonly ordersPerMinute: number;
  /** Why the polls alone exceed the budget, so that they would always be late; `undefined`: they fit. */
  readonly excess: string | undefined;
  /** Why the declared orders need more than the polls leave; `undefined`: they fit, or none are declared. */
  readonly shortage: string | undefined;
}

/** Requests of a look without doubt: active orders, position, fills, position. */
const LOOK_REQUESTS = 4;
/** Requests of a ledger cut: positions and balances before and after, and fills between. */
const LEDGER_REQUESTS = 5;
/** Requests of an order: place, cancel, and the read that shows its end. */
const ORDER_REQUESTS = 3;
const MINUTE_S = 60;

export function requestPlan(declared: DeclaredRequests): RequestPlan {
  const { every, followsClock, ledgerMs, maxOrdersPerMinute, sharedBy = 1 } = declared;
  const perSecond = declared.perSecond / sharedBy;
  const share = sharedBy === 1 ? '' : `one of ${sharedBy} equal shares of ${shown(declared.perSecond)}`;
  const parts = [
    part('trades', 1, every.trades),
    part('time', 1, followsClock ? every.trades : undefined),
    part('ticker', 1, every.ticker),
    part('position', 1, every.position),
    part('orders', LOOK_REQUESTS, every.orders),
    part('ledger', LEDGER_REQUESTS, ledgerMs),
  ].filter((each) => each.perSecond > 0);
  const polls = parts.reduce((sum, each) => sum + each.perSecond, 0);
  const left = Math.max(0, perSecond - polls);
  const ordersPerMinute = Math.floor((left * MINUTE_S) / ORDER_REQUESTS);
  return {
    polls,
    parts,
    ordersPerMinute,
    excess:
      polls <= perSecond
        ? undefined
        : `polls must need at most ${shown(perSecond)} requests a second, ${share === '' ? '' : `${share}, `}` +
          `received ${shown(polls)} ` +
          `(${parts.map((each) => `${each.name} ${shown(each.perSecond)}`).join(', ')})`,
    shortage:
      maxOrdersPerMinute === undefined || maxOrdersPerMinute <= ordersPerMinute
        ? undefined
        : `beside ${shown(polls)} requests a second of polls there is room for ${ordersPerMinute} orders a minute ` +
          `(${ORDER_REQUESTS} requests each${share === '' ? '' : `, of ${shown(perSecond)} a second, ${share}`}), and limits.maxOrdersPerMinute is ${maxOrdersPerMinute}`,
  };
}

function part(name: string, requests: number, everyMs: number | undefined) {
  return { name, perSecond: everyMs === undefined ? 0 : (requests * 1_000) / everyMs };
}

function shown(rate: number): string {
  return String(Math.round(rate * 100) / 100);
}
