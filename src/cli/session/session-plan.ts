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

/** A mode with the connection that it needs: on paper without a key. */
export type SessionAccess =
  | { readonly mode: 'paper'; readonly connection: Connection }
  | { readonly mode: 'live'; readonly connection: KeyedConnection };

/** Everything that a session is made of. */
export type SessionPlan = SessionAccess & SessionParts;

interface SessionParts {
  readonly market: Market;
  readonly strategy: LoadedStrategy;
  readonly limits: Limits;
  /** What becomes of quotes while the pair is in doubt. Default `cancel`. */
  readonly onDoubt?: OnDoubt | undefined;
  /** What an earlier session noted of its day. */
  readonly baseline?: DayBaseline | undefined;
  /** Orders of earlier sessions that were given up and may still show up. */
  readonly reserves?: readonly Reserve[] | undefined;
  /** Seeds the strategy's random numbers. */
  readonly seed: string;
  /** Start to start of each poll, ms. Position and ticker: absent where not wanted. */
  readonly every: {
    readonly trades: number;
    readonly position?: number;
    readonly ticker?: number;
    readonly orders: number;
  };
  readonly warmUpMs: number;
  readonly paper: PaperOptions;
  /** How much of the quote asset may be unexplained, either way, units; `undefined`: any amount. */
  readonly maxSuspense?: Money | undefined;
  /** Who else watches the session, from its first input on. */
  readonly watch?: SessionWatch | undefined;
  /** A pair that an operator has to look at ends the start, or is watched until somebody has. Default `throw`. */
  readonly onQuarantine?: 'throw' | 'watch' | undefined;
  /** Folder of the journal of a live session; without one nothing outlives it. */
  readonly journal?: string | undefined;
  /** What that journal counts in where it does not say so itself. */
  readonly noted?: GridDigits | undefined;
  readonly capture: { readonly path: string; readonly keepMs: number | undefined };
}

/** What a start does with a position that no journal explains, and with fills of no order of ours. */
export const START_POLICY = { firstStart: 'adopt', external: 'quarantine', onQuarantine: 'throw' } as const;
