import type { BookedBaseline } from '../execution/books-state.js';
import type { ForeignActivity } from '../execution/pair-evidence.js';
import type { LedgerStatus } from '../runner/ledger-watch.js';
import type { RestingStop } from '../runner/resting-stop.js';
import type { EndOfOrders, OpenOrderText } from '../runner/session-gateway.js';
import type { AccountShare } from '../model/event.js';
import type { Lots } from '../model/grid.js';
import type { Halt } from '../model/halt-level.js';
import type { HaltLevel } from '../model/journal-record.js';
import type { PairState, Permission } from '../model/pair-state.js';
import type { MarketFeed } from '../market-data/market-feed.js';
import type { SessionCore } from '../session/session-core.js';
import type { ClientHealth, VenueClock } from '../ports/venue-api.js';

/** Where a session stands with its venue. */
export interface SessionStanding {
  readonly state: PairState;
  readonly permission: Permission;
  readonly reason: string;
  /**
   * What the reason does not say: what a halt hides, or the error of the last read of the venue while it prevents SYNCED.
   */
  readonly besides?: string | undefined;
}

/**
 * The full reason for people. Events compare `reason` alone, so that a change of `besides` is not told as a change of
 * state.
 */
export function standingReason({ reason, besides }: Pick<SessionStanding, 'reason' | 'besides'>): string {
  return besides === undefined ? reason : `${reason} [${besides}]`;
}

export interface EndOfSession {
  /** Own orders that may still be at the venue, and were not kept on purpose. */
  readonly leftOpen: readonly OpenOrderText[];
  /** Stops that were left there on purpose, for the next session. */
  readonly keptStops: readonly RestingStop[];
  /** Ids of stops that were canceled although the position that they guarded is left. */
  readonly canceledStops: readonly string[];
}

/** A running session as the daemon sees it, in any mode. */
export interface DaemonSession {
  readonly core: SessionCore;
  readonly feed: Pick<MarketFeed, 'stats' | 'guards' | 'awaits' | 'tapeReadAt'>;
  standing(): SessionStanding;
  /**
   * The session's own client: the venue's clock, the requests a second that its share of the budget allows, and its
   * health.
   */
  way(): { readonly clock: VenueClock; readonly requestsPerSecond: number; readonly health: ClientHealth };
  openOrders(): readonly OpenOrderText[];
  /**
   * Position by the journal's books, signed lots, valid even during warm-up; `undefined` without books, or before they
   * agree.
   */
  booked(): Lots | undefined;
  /** Stops that guard the position for an earlier session: this one has none of its own in their place. */
  leftStops(): readonly RestingStop[];
  /** Number of orders of which it is unknown whether the venue has them. */
  doubts(): number;
  /** Why the journal cannot be written any more, so that no order leaves; `undefined`: it can, or there is none. */
  unwritten(): string | undefined;
  /** Why its capture has stopped before it; `undefined`: everything that it is given is captured. */
  unrecorded(): string | undefined;
  /** Orders and fills on the pair that are not ours: another bot, or a person. */
  foreign(): ForeignActivity | undefined;
  ledger(): LedgerStatus | undefined;
  /** From which equity its limits on losses count, as its journal says; `undefined`: nothing is noted, or there is none. */
  noted(): BookedBaseline | undefined;
  /** All halts that are latched until somebody resumes. */
  halts(): readonly Halt[];
  /** Latches a halt; it is durable where there is a journal. */
  halt(level: HaltLevel, reason: string, by: string): void;
  resume(reason: string, by: string): void;
  /** No order may add risk until this is called with `undefined`. */
  block(reason: string | undefined): void;
  /** Tells the session what the other pairs of the account add to the account's limits. */
  others(share: AccountShare): void;
  /** Rejects with the error of the strategy; never resolves. */
  readonly failed: Promise<never>;
  /**
   * Ends the session: cancels own orders until the venue no longer shows them, or leaves them, or leaves their stops.
   * Called once.
   */
  stop(orders?: EndOfOrders): Promise<EndOfSession>;
}
