import type { ForeignActivity } from '../execution/pair-evidence.js';
import type { LedgerStatus } from '../runner/ledger-watch.js';
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
  /** What a halt hides of the pair, and what the last read of the venue failed at while that keeps it from its peace. */
  readonly besides?: string | undefined;
}

/** Why it stands there, for people: an event is only what changes the reason itself. */
export function standingReason({ reason, besides }: Pick<SessionStanding, 'reason' | 'besides'>): string {
  return besides === undefined ? reason : `${reason} [${besides}]`;
}

/** A running session as the daemon knows it, whatever the mode. */
export interface DaemonSession {
  readonly core: SessionCore;
  readonly feed: Pick<MarketFeed, 'stats' | 'guards' | 'awaits'>;
  standing(): SessionStanding;
  /** Its own client: the venue's clock, what its share of the requests allows now, and how the way there is. */
  way(): { readonly clock: VenueClock; readonly requestsPerSecond: number; readonly health: ClientHealth };
  openOrders(): readonly OpenOrderText[];
  /** By the books, signed lots, also while the engine warms up; `undefined` where there are none, or nothing is agreed yet. */
  booked(): Lots | undefined;
  /** Orders of which nobody knows yet whether they were placed. */
  doubts(): number;
  /** Orders and fills on the pair that are not ours: another bot, or a person. */
  foreign(): ForeignActivity | undefined;
  ledger(): LedgerStatus | undefined;
  /** All that is latched until somebody resumes. */
  halts(): readonly Halt[];
  /** Durable where there is a journal. */
  halt(level: HaltLevel, reason: string, by: string): void;
  resume(reason: string, by: string): void;
  /** No order adds risk until it is called without a reason. */
  block(reason: string | undefined): void;
  /** What the account's other sessions have from now on. */
  others(share: AccountShare): void;
  /** Rejects with what the strategy threw; never resolves. */
  readonly failed: Promise<never>;
  /** Cancels own orders until they are seen to be gone, or leaves them. Once. */
  stop(orders?: EndOfOrders): Promise<{ readonly leftOpen: readonly OpenOrderText[] }>;
}
