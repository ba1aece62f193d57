import type { Market } from '../../../model/market.js';
import type { Depth, DepthLevel } from '../../core/venue-core.js';
import { stepsOnWire } from '../wire-number.js';

/** `dialect.md` §3: bids descending, asks ascending. */
export function depthRecord(market: Market, { bids, asks }: Depth) {
  const level = ({ ticks, lots }: DepthLevel) => ({
    price: stepsOnWire(market.priceGrid, ticks),
    qty: stepsOnWire(market.quantityGrid, lots),
  });
  return { bids: bids.map(level), asks: asks.map(level) };
}
