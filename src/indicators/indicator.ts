/** A streaming statistic of one series: O(1) memory, one value out for each value in. */
export interface Indicator {
  /** The statistic including `value`; NaN until it has seen enough. */
  next(value: number): number;
}

/** What indicators read of a bar, quote units; every `Bar` has it. */
export interface Candle {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** The same with volume, base units. */
export interface VolumeCandle extends Candle {
  readonly volume: number;
}

/** Of a whole bar with its volume. */
export interface VolumeIndicator {
  next(bar: VolumeCandle): number;
}

/** The price that stands for a bar: (high + low + close) / 3. */
export function typicalPrice({ high, low, close }: Candle): number {
  return (high + low + close) / 3;
}

/** A bar of which a price is no number is passed over. */
export function isCandle({ high, low, close }: Candle): boolean {
  return Number.isFinite(high) && Number.isFinite(low) && Number.isFinite(close);
}
