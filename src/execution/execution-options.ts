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
  readonly markets: ReadonlyMap<string, Market>;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** Unique among all sessions of the account: intents count from 1 in each, and tags must not meet again. */
  readonly session: string;
  /** The venue shows this order field again: orders are tagged, and doubt is resolved by the tag. */
  readonly echo: 'oco' | undefined;
  /** How long reads may show old news, ms. */
  readonly visibilityMs: number;
  /** Later than this after its sending no request is executed any more (`reliability.md` A2), ms. */
  readonly lateMs: number;
  /**
   * The receive window, where keeping to it is what bounds late execution, venue ms: nothing is proven absent before the
   * venue's own clock, which may be slow or stand still, is past what the request was given.
   */
  readonly fenceMs?: number | undefined;
  /** What was agreed with the venue longer ago is no ground for risk, ms. */
  readonly staleMs: number;
  /** Rows that a list may hold. */
  readonly listLimit: number;
  /** Order lists whose union holds every order of the account. */
  readonly lists: readonly OrderListState[];
  /** Start to start of two looks at a pair, ms. */
  readonly watchEveryMs: number;
  /** What earlier lives wrote, and where this one writes; default: nothing is kept. */
  readonly chronicle?: Chronicle;
  /** A position without a journal that explains it: taken as it is, or left to an operator. Default `adopt`. */
  readonly firstStart?: 'adopt' | 'flat-only';
  /** Fills of no order of ours: they stop the pair, or are taken into the position. Default `quarantine`. */
  readonly external?: 'adopt' | 'quarantine';
  /** Largest |position| in any possible world, per pair; `undefined`: no bound here. */
  readonly maxPosition?: (pair: string) => Lots | undefined;
  /** What else must hold in the moment an order leaves; why it must not. */
  readonly mayPlace?: (pair: string, reduceOnly: boolean) => string | undefined;
  /** Why an order must wait for nothing but time; asked before what else must hold. */
  readonly tooSoon?: (pair: string, reduceOnly: boolean) => string | undefined;
}

export interface ExecutionStats {
  readonly placed: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Posts that proved nothing. */
  readonly doubts: number;
  readonly fills: number;
  readonly cancels: number;
  /** Orders beyond the one that their intent is bound to, and those of intents that were given up. */
  readonly surplus: number;
  readonly reads: number;
  readonly readFailures: number;
}
