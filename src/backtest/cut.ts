import type { Random } from '../model/random.js';

/** What replaces the future: nothing, or invalid numbers that look like trades. */
export type Future = 'absent' | 'poisoned';

/** A point between two trades, or between two bars for a recording of bars. */
export interface Cut {
  /** Number of trades before it, at least 1. */
  readonly trades: number;
  /** Time of the first trade after it, ms. */
  readonly time: number;
  /** For bars: the end of the last one before it, ms. */
  readonly knownUntil?: number;
}

export interface CutShort extends Cut {
  readonly future: Future;
  /** The source of the invalid numbers. */
  readonly random: Random;
}
