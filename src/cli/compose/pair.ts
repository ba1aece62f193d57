import { UsageError } from '../../model/errors.js';
import type { Market } from '../../model/market.js';
import type { PublicVenueApi } from '../../ports/venue-api.js';

/**
 * The market to work on: the one that is named, by `option`, else the venue's only active one.
 *
 * @throws UsageError when the venue has no such market, or several and none was named.
 */
export async function chooseMarket(
  api: Pick<PublicVenueApi, 'markets'>,
  pair: string | undefined,
  option = '--pair',
): Promise<Market> {
  const markets = await api.markets();
  const active = [...markets.values()].filter((market) => market.active);
  const names = active.map((market) => market.pair).join(', ');
  if (pair !== undefined) {
    const market = markets.get(pair);
    if (market === undefined) {
      throw new UsageError(
        'TICKWRIGHT_E_PAIR',
        `${option} must be a market of the venue (${names}), received ${pair}`,
      );
    }
    return market;
  }
  const [only, ...others] = active;
  if (only === undefined || others.length > 0) {
    throw new UsageError(
      'TICKWRIGHT_E_PAIR',
      `--pair must be given where the venue has several markets, received none; they are: ${names || 'none active'}`,
    );
  }
  return only;
}
