import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import { CATALOGUE } from '../catalogue.js';

/** The kind of market to simulate. */
export interface SyntheticProfile {
  /** The level around which the price fluctuates, quote units. */
  readonly referencePrice: number;
  /** Standard deviation of the daily log return, above 0 and at most 0.2. */
  readonly dailyVolatility: number;
}

/**
 * The given profile, or else the catalogue's profile of the pair.
 *
 * @throws UsageError when there is neither, or when a value is out of range.
 */
export function profileOf(market: Market, given: SyntheticProfile | undefined): SyntheticProfile {
  const profile = given ?? CATALOGUE.find(({ spec }) => spec.pair === market.pair);
  if (profile === undefined) {
    throw new UsageError(
      'TICKWRIGHT_E_SYNTHETIC',
      `a synthetic market must have a reference price and a daily volatility, received neither for ${market.pair}`,
    );
  }
  const { referencePrice, dailyVolatility } = profile;
  const ticks = referencePrice * market.priceGrid.scale;
  const { min, max } = market.filters.price;
  if (!(ticks >= 2 * min && ticks <= max / 2)) {
    throw new UsageError(
      'TICKWRIGHT_E_SYNTHETIC',
      `${market.pair}: the reference price must lie well within the price filter, received ${referencePrice}`,
    );
  }
  if (!(dailyVolatility > 0 && dailyVolatility <= 0.2)) {
    throw new UsageError(
      'TICKWRIGHT_E_SYNTHETIC',
      `${market.pair}: the daily volatility must be above 0 and at most 0.2, received ${dailyVolatility}`,
    );
  }
  return profile;
}

/** @throws UsageError unless 0.1 <= intensity <= 20 */
export function checkedIntensity(intensity: number): number {
  if (!(intensity >= 0.1 && intensity <= 20)) {
    throw new UsageError(
      'TICKWRIGHT_E_SYNTHETIC',
      `the intensity of a synthetic market must be from 0.1 to 20, received ${intensity}`,
    );
  }
  return intensity;
}
