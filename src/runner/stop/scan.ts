import type { Books } from '../../execution/books.js';
import { readAlive } from '../../execution/alive-orders.js';
import type { Market } from '../../model/market.js';
import type { OrderRecord } from '../../model/venue-records.js';
import { type Clock, sleep, type Timers } from '../../ports/clock.js';
import type { VenueApi } from '../../ports/venue-api.js';

export interface ScanOptions {
  readonly api: Pick<VenueApi, 'orders' | 'cancelMany'>;
  readonly market: Market;
  readonly books: Books;
  /** The venue echoes our tags. */
  readonly echoes: boolean;
  /** Orders of others are canceled too, except those that wait for a trigger. */
  readonly all: boolean;
  /** A read that starts this much later shows every executed write, ms. */
  readonly visibilityMs: number;
  /** Rows that one answer holds at most. */
  readonly limit: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Monotonic ms. */
  readonly deadline: number;
}

export interface ScanResult {
  /** Lists in a row without an order of ours, up to two. */
  readonly emptyScans: number;
  /** Ids of orders whose cancel the venue answered, which does not prove that they ended by it. */
  readonly answered: readonly string[];
  readonly foreign: readonly string[];
  /** Why the newest look failed; `undefined`: it did not. */
  readonly failure: string | undefined;
}

const PROOFS = 2;
const LEAST_PAUSE_MS = 100;

/**
 * Cancels the orders of ours in the venue's lists of active and of waiting orders, until two looks in a row, far enough
 * apart for every write to show, hold none. An incomplete list proves nothing.
 */
export async function scanUntilEmpty(options: ScanOptions): Promise<ScanResult> {
  const { api, market, books, echoes, all, visibilityMs, limit, clock, timers, deadline } = options;
  const answered = new Set<string>();
  let foreign: readonly string[] = [];
  let emptyScans = 0;
  let failure: string | undefined;
  const isOurs = ({ id, oco }: OrderRecord) =>
    books.order(id) !== undefined || (echoes && oco !== undefined && books.intent(oco) !== undefined);
  for (;;) {
    try {
      // Without a stop in the journal none of the waiting orders is ours.
      const withTriggers = books.intents(market.pair).some(({ terms }) => terms.trigger !== undefined);
      const { rows: alive, lack } = await readAlive({ api, market, limit, withTriggers });
      // What others have waiting is left alone whatever was asked for, as by the venue's own cancel of everything.
      const isMeant = (order: OrderRecord) => isOurs(order) || (all && order.status !== 'UNTRIGGERED');
      const own = alive.filter(isMeant).map(({ id }) => id);
      foreign = alive.filter((order) => !isOurs(order)).map(({ id }) => id);
      failure = lack;
      emptyScans = own.length === 0 && failure === undefined ? emptyScans + 1 : 0;
      const [first, ...rest] = own;
      if (first !== undefined) {
        const { kind } = await api.cancelMany([first, ...rest]);
        if (kind === 'answered') for (const id of own) answered.add(id);
      }
    } catch (error) {
      emptyScans = 0;
      failure = error instanceof Error ? error.message : String(error);
    }
    if (emptyScans >= PROOFS || clock.monotonic() >= deadline) break;
    await sleep(timers, Math.max(LEAST_PAUSE_MS, visibilityMs));
  }
  return { emptyScans, answered: [...answered], foreign, failure };
}
