/** For how long the positions of a session had no stop at the venue, as results say it. */
import type { Engine } from '../engine/engine.js';

export interface Protection {
  /** Time with a position, ms. */
  readonly heldMs: number;
  /** Time with a position that no stop at the venue covered whole, ms. */
  readonly bareMs: number;
  readonly longestBareMs: number;
  /** Seconds × notional of the positions without a stop, quote units. */
  readonly bareNotionalSeconds: string;
  /** How often a position was closed since it had no stop for as long as `limits.maxBareTime`; absent without it. */
  readonly limitHits?: number;
}

/** `undefined` where the strategy wanted no stop and `limits.maxBareTime` is not set. */
export function protectionOf({
  bareExposure,
  bareUse,
}: Pick<Engine, 'bareExposure' | 'bareUse'>): Protection | undefined {
  if (bareExposure === undefined) return undefined;
  const { heldMs, bareMs, longestBareMs, bareNotionalSeconds } = bareExposure;
  return {
    heldMs,
    bareMs,
    longestBareMs,
    bareNotionalSeconds: bareNotionalSeconds.toFixed(2),
    ...(bareUse === undefined ? {} : { limitHits: bareUse.hits }),
  };
}
