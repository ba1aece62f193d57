import type { VenueAsset } from '../asset.js';
import type { MarketState } from './market-state.js';

/** The asset whose price in USD is 1 by definition. */
const DOLLAR = 'USD';

/**
 * USD for one unit of an asset: the mark of the first market that trades it against USD and has one, else the price that
 * the venue lists; 0 when no price is known.
 */
export function usdPriceOf(
  key: string,
  assets: readonly VenueAsset[],
  markets: Iterable<{ readonly state: MarketState }>,
): number {
  if (key === DOLLAR) return 1;
  for (const { state } of markets) {
    const { base, quote, contract } = state.market;
    if (base !== key || quote !== DOLLAR || contract === 'option' || state.mark === undefined) continue;
    return state.priceOf(state.mark);
  }
  return Number(assets.find((asset) => asset.key === key)?.usdPrice ?? 0);
}
