import type { Limits } from '../../gate/limits.js';
import type { Market } from '../../model/market.js';
import type { PaperOptions, SessionAccess } from './gateway.js';
import type { LoadedStrategy } from './strategy.js';

/** Everything that a session is made of. */
export type SessionPlan = SessionAccess & SessionParts;

interface SessionParts {
  readonly market: Market;
  readonly strategy: LoadedStrategy;
  readonly limits: Limits;
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
  readonly capture: { readonly path: string; readonly keepMs: number | undefined };
}
