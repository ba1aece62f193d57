/** What the account has on its other pairs, for the limits that bound the account as a whole. */
import type { AccountShare } from '../../model/event.js';
import type { Market } from '../../model/market.js';
import type { OrderRecord, PositionRecord } from '../../model/venue-records.js';
import type { KeyCalls, PublicVenueApi } from '../../ports/venue-api.js';
import { venueExposure } from './venue-exposure.js';

export type OtherPairsReads = Pick<PublicVenueApi, 'markets' | 'ticker'> & Pick<KeyCalls, 'activePositions'>;

/**
 * As the daemon tells it to its sessions: orders are counted over all pairs, money over those of the same quote asset only.
 * `working`: the account's orders in the book, on all pairs.
 */
export async function otherPairs(
  api: OtherPairsReads,
  { pair: own, quote }: Market,
  working: readonly OrderRecord[],
): Promise<AccountShare> {
  const positions = (await api.activePositions()).filter(({ pair, size }) => pair !== own && size !== 0);
  const orders = working.filter(({ pair }) => pair !== own);
  const pairs = new Set([...positions, ...orders].map(({ pair }) => pair));
  // Most accounts hold one pair, and need no further request.
  const markets = pairs.size === 0 ? undefined : await api.markets();
  let [notional, pnl] = [0, 0];
  for (const pair of pairs) {
    const market = markets?.get(pair);
    if (market?.quote !== quote || market.contract !== 'linear') continue;
    const position = positions.find((each) => each.pair === pair);
    const ofPair = orders.filter((order) => order.pair === pair);
    const worst = venueExposure(market, position?.size ?? 0, ofPair).worstAt(0);
    notional += (worst / market.quantityGrid.scale) * (await markOf(api, pair, position, ofPair));
    pnl += position?.unrealized ?? 0;
  }
  return { notional, openOrders: orders.length, pnl };
}

/** Quote units. A market that nobody has traded on has no price but those of its orders. */
async function markOf(
  api: OtherPairsReads,
  pair: string,
  position: PositionRecord | undefined,
  orders: readonly OrderRecord[],
): Promise<number> {
  if (position !== undefined && position.markPrice > 0) return position.markPrice;
  const { markPrice, lastPrice } = await api.ticker(pair);
  return markPrice ?? lastPrice ?? Math.max(0, ...orders.map(({ price }) => price));
}
