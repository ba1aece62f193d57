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
  /** No trade took place in the bar: `volume` is 0 and all four prices equal the last close. */
  readonly empty: boolean;
  /** False when a feed gap overlaps the bar, or when the bar began before the first trade that the feed delivered. */
  readonly complete: boolean;
}

/** Whether bars of `ms` milliseconds start anew at each UTC midnight. Strategies may use only such intervals. */
export function dividesDay(ms: number): boolean {
  return ms > 0 && DAY_MS % ms === 0;
}
