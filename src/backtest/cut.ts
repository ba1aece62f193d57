import type { Random } from '../model/random.js';

/** What stands in the place of the future: nothing, or numbers that look like trades and are none. */
export type Future = 'absent' | 'poisoned';

/** A point between two trades, or between two bars of a recording of bars. */
export interface Cut {
  /** Trades before it, at least 1. */
  readonly trades: number;
  /** Of the first trade after it, ms. */
  readonly time: number;
  /** Of bars: the end of the last one before it, ms. */
  readonly knownUntil?: number;
}

export interface CutShort extends Cut {
  readonly future: Future;
  /** What the poison is drawn from. */
  readonly random: Random;
}
