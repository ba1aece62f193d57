import { DAY_MS } from './calendar.js';

/** Open, high, low, close and volume of [open, end). Prices in quote units, volume in base units. */
export interface Bar {
  /** Inclusive start, ms; a multiple of the interval since the epoch. */
  readonly openTime: number;
  /** Exclusive end, ms: the bar holds the trades with openTime <= time < endTime. */
  readonly endTime: number;
  readonly intervalMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly trades: number;
  /** No trade fell into it: volume 0, all four prices are the last close. */
  readonly empty: boolean;
  /** False when a gap of the feed overlaps it, and when it began before the first trade that was seen. */
  readonly complete: boolean;
}

/** Whether bars of this length, ms, begin anew with each UTC day; a strategy reads no others. */
export function dividesDay(ms: number): boolean {
  return ms > 0 && DAY_MS % ms === 0;
}
