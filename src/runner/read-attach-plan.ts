import type { Books } from '../execution/books.js';
import { type Cut, type CutReads, readCut } from '../execution/cut.js';
import { TickwrightError } from '../model/errors.js';
import type { Market } from '../model/market.js';
import { compareTrades } from '../model/trade.js';
import { type Clock, sleep, type Timers } from '../ports/clock.js';
import {
  type OrderListState,
  type PrivateVenueApi,
  type PublicVenueApi,
  VenueError,
} from '../ports/venue-api.js';
import { type AttachPlan, type AttachPolicy, attachPlan, attachWindow } from './attach-plan.js';

export interface ReadAttachOptions {
  readonly api: CutReads & Pick<PrivateVenueApi, 'order'> & Pick<PublicVenueApi, 'time'>;
  readonly books: Books;
  readonly market: Market;
  readonly policy: AttachPolicy;
  /** The order lists whose union holds every order of the account. */
  readonly lists: readonly OrderListState[];
  /** The most rows that one answer of the venue holds. */
  readonly limit: number;
  /** A read that starts this much later shows every executed write, ms. */
  readonly visibilityMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
}

export interface AttachReading {
  readonly plan: AttachPlan;
  readonly cut: Cut;
  /** The venue's time before the cut was read, ms. */
  readonly venueTime: number;
  /** Ids of own orders that no list shows and that the venue does not know when it is asked. */
  readonly lost: ReadonlySet<string>;
}

const TRIES = 20;
const PAUSE_MS = 250;

/**
 * Reads the venue until two cuts at least `visibilityMs` apart are equal. Changes nothing.
 *
 * @throws VenueError when it cannot be read, TickwrightError when it does not come to rest.
 */
export async function readAttachPlan(options: ReadAttachOptions): Promise<AttachReading> {
  const { api, books, market, policy, visibilityMs, timers } = options;
  const venueTime = await api.time();
  const window = attachWindow(books, market.pair, venueTime);
  // For a pair that the journal does not know only active orders matter, and its whole past may be too long to read.
  const named: readonly OrderListState[] = window.ordersFrom === undefined ? ['active'] : options.lists;
  const hasStops = books.intents(market.pair).some(({ terms }) => terms.trigger !== undefined);
  // The triggers first: an order that fires meanwhile is in a list that is still to be read.
  const lists: readonly OrderListState[] = hasStops ? ['triggers', ...named] : named;
  const { signal } = new AbortController();
  let known: Cut | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await sleep(timers, Math.max(PAUSE_MS, visibilityMs / 4));
    const cut = await readCut({ ...options, ...window, lists, twice: true, signal });
    if (known === undefined || !cut.stable || gist(known) !== gist(cut)) known = cut.stable ? cut : undefined;
    if (known === undefined || cut.startedAt - known.startedAt < visibilityMs) continue;
    const lost = await lostOrders(options, cut);
    return { plan: attachPlan(books, cut, market, policy, lost), cut, venueTime, lost };
  }
  throw new TickwrightError(
    'TICKWRIGHT_E_UNSTABLE',
    `orders, fills and position of ${market.pair} must stay the same while they are read, received changes in ${TRIES} reads`,
  );
}

/** Ids of open orders that no list shows and that the venue says it does not know. Any other failed read proves nothing. */
async function lostOrders({ api, books, market }: ReadAttachOptions, cut: Cut): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for (const { orderId } of books.openOrders(market.pair)) {
    if (cut.orders.has(orderId)) continue;
    try {
      await api.order(orderId);
    } catch (error) {
      if (error instanceof VenueError && error.kind === 'refused') lost.add(orderId);
    }
  }
  return lost;
}

/** What must be equal in two cuts. */
function gist({ position, fills, orders }: Cut): string {
  const states = [...orders.values()].sort(compareTrades);
  return JSON.stringify([
    position,
    [...fills].sort(compareTrades).map(({ id }) => id),
    states.map(({ id, status, filledQuantity }) => [id, status, filledQuantity]),
  ]);
}
