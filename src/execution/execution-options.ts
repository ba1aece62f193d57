import type { Lots } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { OrderListState, VenueApi } from '../ports/venue-api.js';
import type { Chronicle } from './chronicle.js';

export interface ExecutionOptions {
  readonly api: Pick<
    VenueApi,
    'place' | 'cancel' | 'cancelMany' | 'order' | 'orders' | 'position' | 'fills' | 'clock'
  >;
  /** The only market that orders are sent for. */
  readonly market: Market;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** Unique among all sessions of the account: each counts its intents from 1, and no tag may ever be used twice. */
  readonly session: string;
  /** The order field that the venue echoes: orders carry a tag in it, by which doubt is resolved. `undefined`: no tags. */
  readonly echo: 'oco' | undefined;
  /** A read that starts this much later shows every executed write, ms (`reliability.md` A3). */
  readonly visibilityMs: number;
  /** How long after its sending the venue may still execute a request, ms (`reliability.md` A2). */
  readonly lateMs: number;
  /**
   * The receive window, venue ms, where the venue's refusal of older requests is what bounds late execution. Then no
   * order is proven absent before the venue tells a time past the order's window: its clock may be slow or stand still.
   * `undefined`: the venue keeps to no window.
   */
  readonly fenceMs?: number | undefined;
  /** An agreement with the venue older than this, ms, permits no new risk. */
  readonly staleMs: number;
  /** The most rows that one answer of the venue holds. */
  readonly listLimit: number;
  /** Order lists whose union holds every order of the account. */
  readonly lists: readonly OrderListState[];
  /** Start to start of two looks at a pair, ms. */
  readonly watchEveryMs: number;
  /** The journal of earlier lives and of this one, with its books. Default: nothing is kept. */
  readonly chronicle?: Chronicle;
  /**
   * A position at the first start, which no journal explains: `adopt`
   * takes it over, `flat-only` quarantines it. Default `adopt`.
   */
  readonly firstStart?: 'adopt' | 'flat-only';
  /** A fill of no order of ours: `quarantine` stops the pair, `adopt` counts it and goes on. Default `quarantine`. */
  readonly external?: 'adopt' | 'quarantine';
  /** Largest |position|, lots, that may come about if all open orders fill; `undefined`: not bounded here. */
  readonly maxPosition?: () => Lots | undefined;
  /** Further conditions at the moment an order leaves: why it must not; `undefined`: it may. */
  readonly mayPlace?: (reduceOnly: boolean) => string | undefined;
  /** Why an order is too early and only has to wait; `undefined`: it is not. Asked before `mayPlace`. */
  readonly tooSoon?: (reduceOnly: boolean) => string | undefined;
}

export interface ExecutionStats {
  readonly placed: number;
  readonly accepted: number;
  readonly rejected: number;
  /** POSTs whose outcome proved nothing. */
  readonly doubts: number;
  readonly fills: number;
  readonly cancels: number;
  /** Orders found beside the one that their intent is bound to, and orders of intents that were given up. */
  readonly surplus: number;
  readonly reads: number;
  readonly readFailures: number;
}
