/** What a caller holds of a session: while it runs, and once it has ended. */
import type { LimitUse } from '../../gate/limit-use.js';
import type { MarketFeed } from '../../market-data/market-feed.js';
import type { Position } from '../../model/position.js';
import type { BotEnd, RunningBot } from '../../runner/bot.js';
import type { SuspenseAmount } from '../../runner/ledger-watch.js';
import type { RestingStop } from '../../runner/resting-stop.js';
import type { EndOfOrders, OpenOrderText } from '../../runner/session-gateway.js';
import { type Protection, protectionOf } from '../../session/protection.js';
import type { SessionCore, SessionCounts } from '../../session/session-core.js';
import type { SessionControls } from './session-controls.js';
import type { Standstill } from './standstill.js';

/** The result of a session. */
export interface SessionEnd {
  readonly counts: SessionCounts;
  readonly reasons: SessionCore['reasons'];
  /** For each limit that is set, how much of it was used at the end. */
  readonly limits: readonly LimitUse[];
  /** For how long positions had no stop at the venue; `undefined` where nobody counted. */
  readonly protection: Protection | undefined;
  readonly polls: number;
  /** Number of trades that are known to be missing. */
  readonly missing: number;
  readonly position: Position;
  /** Price of the newest trade, quote units. */
  readonly lastPrice: number | undefined;
  readonly wantsHash: string;
  readonly decisionHash: string;
  /** Own orders that may still be at the venue. */
  readonly leftOpen: readonly OpenOrderText[];
  /** Stops that were left at the venue on purpose, for the next session. */
  readonly keptStops: readonly RestingStop[];
  /** Ids of the stops that the end canceled at the venue although the position that they guarded is left. */
  readonly canceledStops: readonly string[];
  /** Money of the account that nothing explains. */
  readonly suspense: readonly SuspenseAmount[];
  /** What keeps the pair from trading on until a person ends it. */
  readonly standstill: Standstill | undefined;
  /** The file or folder with everything that the session was given, for `parity`. */
  readonly capture: string;
  /** Why the capture is incomplete; `undefined` when it is complete. */
  readonly captureFailure: Error | undefined;
}

export interface RunningSession {
  readonly core: SessionCore;
  readonly feed: MarketFeed;
  /** The controls that a daemon uses while the session runs. */
  readonly controls: SessionControls;
  openOrders(): readonly OpenOrderText[];
  /** Rejects with the error of the strategy; never resolves. */
  readonly failed: Promise<never>;
  /**
   * Stops the feed, closes the capture, and cancels own orders until the venue no longer shows them, or leaves them.
   * Called once.
   */
  stop(orders?: EndOfOrders): Promise<SessionEnd>;
}

/** How long the end of a session may take to cancel its orders, ms. */
export const STOP_DEADLINE_MS = 10_000;

export function running(
  bot: RunningBot,
  controls: SessionControls,
  stop: (orders: EndOfOrders | undefined) => Promise<SessionEnd>,
): RunningSession {
  const { core, feed, failed } = bot;
  let ended: Promise<SessionEnd> | undefined;
  return {
    core,
    feed,
    failed,
    controls,
    openOrders: () => bot.openOrders(),
    stop(orders) {
      ended ??= stop(orders);
      return ended;
    },
  };
}

export function endOf(
  { core, feed }: RunningBot,
  { position, fills, leftOpen, keptStops, canceledStops, wantsHash, decisionHash }: BotEnd,
  capture: { readonly path: string; readonly failure: Error | undefined },
): SessionEnd {
  return {
    reasons: core.reasons,
    limits: core.limitUses,
    protection: protectionOf(core.engine),
    counts: { ...core.counts, fills },
    polls: feed.stats.polls,
    missing: feed.stats.missing,
    position,
    lastPrice: core.lastPrice,
    wantsHash,
    decisionHash,
    leftOpen,
    keptStops,
    canceledStops,
    suspense: [],
    standstill: undefined,
    capture: capture.path,
    captureFailure: capture.failure,
  };
}
