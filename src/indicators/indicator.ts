import { checkFields } from './given.js';

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

/** The price that stands for a bar: (high + low + close) / 3. @throws TypeError for what is no bar */
export function typicalPrice(bar: Candle): number {
  const { high, low, close } = bar;
  const price = (high + low + close) / 3;
  if (!Number.isFinite(price)) checkCandle(bar);
  return price;
}

/** A bar of which a price is NaN is passed over. @throws TypeError for what is no bar */
export function isCandle(bar: Candle): boolean {
  const { high, low, close } = bar;
  if (Number.isFinite(high) && Number.isFinite(low) && Number.isFinite(close)) return true;
  checkCandle(bar);
  return false;
}

/** @throws TypeError for what is no bar */
export function checkCandle(bar: Candle): void {
  checkFields('bar', bar, ['high', 'low', 'close']);
}

/** @throws TypeError for what is no bar with its volume */
export function checkVolume(bar: VolumeCandle): void {
  checkFields('bar', bar, ['high', 'low', 'close', 'volume']);
}
