import type { OnDoubt } from '../../engine/order-desk.js';
import type { DayBaseline } from '../../gate/daily-loss.js';
import type { Reserve } from '../../gate/exposure.js';
import type { Limits } from '../../gate/limits.js';
import type { GridDigits, Market } from '../../model/market.js';
import type { Money } from '../../model/money.js';
import type { SessionWatch } from '../../runner/live-session.js';
import type { Connection, KeyedConnection } from '../connection/connection.js';
import type { PaperOptions } from './paper-gateway.js';
import type { LoadedStrategy } from '../strategy/strategy.js';

export type Mode = 'paper' | 'live';

/** A mode with the connection that it needs; paper needs no key. */
export type SessionAccess =
  | { readonly mode: 'paper'; readonly connection: Connection }
  | { readonly mode: 'live'; readonly connection: KeyedConnection };

/** Everything that a session is made from. */
export type SessionPlan = SessionAccess & SessionParts;

interface SessionParts {
  readonly market: Market;
  readonly strategy: LoadedStrategy;
  readonly limits: Limits;
  /** What happens to quotes while the pair is in doubt. Default `cancel`. */
  readonly onDoubt?: OnDoubt | undefined;
  /** The day's figures that an earlier session noted. */
  readonly baseline?: DayBaseline | undefined;
  /** Orders of earlier sessions that were given up and may still show up at the venue. */
  readonly reserves?: readonly Reserve[] | undefined;
  /** Seeds the strategy's random numbers. */
  readonly seed: string;
  /** Time from the start of one poll to the next, ms. `position` and `ticker` are absent where they are not polled. */
  readonly every: {
    readonly trades: number;
    readonly position?: number;
    readonly ticker?: number;
    readonly orders: number;
  };
  /** Sessions that share the venue's request budget; that of the connection is this one's part. Default 1. */
  readonly budgetShares?: number | undefined;
  readonly warmUpMs: number;
  readonly paper: PaperOptions;
  /** Largest unexplained amount of the quote asset, up or down, in units of money; `undefined`: any amount. */
  readonly maxSuspense?: Money | undefined;
  /** A further observer of the session, from its first input on. */
  readonly watch?: SessionWatch | undefined;
  /** A pair that an operator has to look at: `throw` ends the start, `watch` waits until he has. Default `throw`. */
  readonly onQuarantine?: 'throw' | 'watch' | undefined;
  /** Folder of a live session's journal. Without one, nothing outlives the session. */
  readonly journal?: string | undefined;
  /** Folder whose HALT file halts a session on paper. A live one watches the folder of its journal. */
  readonly haltFolder?: string | undefined;
  /** What that journal counts in where it does not say so itself. */
  readonly noted?: GridDigits | undefined;
  readonly capture: { readonly path: string; readonly keepMs: number | undefined };
}

/** What a start does with a position that no journal explains, and with fills of foreign orders. */
export const START_POLICY = { firstStart: 'adopt', external: 'quarantine', onQuarantine: 'throw' } as const;
