/** What a session asks of a venue's request budget by what it declares, before it asks anything (`reliability.md` c.6). */
import type { BotPlan } from './bot.js';

export interface DeclaredRequests {
  /** Start to start of each poll, ms; `orders`, of a live session only: of looks at orders, fills and position. */
  readonly every: BotPlan['every'] & { readonly orders?: number | undefined };
  /** Start to start of two looks at the account's money, ms; absent where nobody looks. */
  readonly ledgerMs?: number | undefined;
  /** `undefined`: no limit says how many orders may leave. */
  readonly maxOrdersPerMinute: number | undefined;
  /** Sustained requests that the venue takes, per second. */
  readonly perSecond: number;
}

export interface RequestPlan {
  /** Requests per second of all polls. */
  readonly polls: number;
  readonly parts: readonly { readonly name: string; readonly perSecond: number }[];
  /** Orders per minute for which there are requests left. */
  readonly ordersPerMinute: number;
  /** The polls alone need more than there is: they could only ever be late. `undefined`: they fit. */
  readonly excess: string | undefined;
  /** The declared orders need more than the polls leave. `undefined`: they fit, or none are declared. */
  readonly shortage: string | undefined;
}

/** Orders (active), position, fills, position: a look in peace. */
const LOOK_REQUESTS = 4;
/** Positions and balances before and after, and fills between. */
const LEDGER_REQUESTS = 5;
/** Placed, canceled, and read to see that it is. */
const ORDER_REQUESTS = 3;
const MINUTE_S = 60;

export function requestPlan(declared: DeclaredRequests): RequestPlan {
  const { every, ledgerMs, maxOrdersPerMinute, perSecond } = declared;
  const parts = [
    part('trades', 1, every.trades),
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
        : `polls must need at most ${shown(perSecond)} requests a second, received ${shown(polls)} ` +
          `(${parts.map((each) => `${each.name} ${shown(each.perSecond)}`).join(', ')})`,
    shortage:
      maxOrdersPerMinute === undefined || maxOrdersPerMinute <= ordersPerMinute
        ? undefined
        : `beside ${shown(polls)} requests a second of polls there is room for ${ordersPerMinute} orders a minute ` +
          `(${ORDER_REQUESTS} requests each), and limits.maxOrdersPerMinute is ${maxOrdersPerMinute}`,
  };
}

function part(name: string, requests: number, everyMs: number | undefined) {
  return { name, perSecond: everyMs === undefined ? 0 : (requests * 1_000) / everyMs };
}

function shown(rate: number): string {
  return String(Math.round(rate * 100) / 100);
}
