import { UsageError } from './errors.js';
import { frozen } from './frozen.js';
import type { Lots, Ticks } from './grid.js';
import type { Market, QuantityFilter } from './market.js';

/**
 * Restates a later version of a market in the ticks, lots and units of money of `session`, which are fixed for a
 * session's life.
 *
 * @throws UsageError when the later filters do not fit the session's grids, or when the pair or its money differs.
 */
export function onGridsOf(session: Market, market: Market): Market {
  const price = factor(session, market, 'price', session.priceGrid.scale, market.priceGrid.scale);
  const lots = factor(session, market, 'quantity', session.quantityGrid.scale, market.quantityGrid.scale);
  if (market.pair !== session.pair || market.quotePrecision !== session.quotePrecision) {
    throw new UsageError(
      'TICKWRIGHT_E_MARKET',
      `a change of ${session.pair} must keep its pair and ${session.quotePrecision} digits of money, ` +
        `received ${market.pair} with ${market.quotePrecision}`,
    );
  }
  const { filters, pricing } = market;
  const range = ({ min, max, step }: QuantityFilter): QuantityFilter => ({
    min: (min * lots) as Lots,
    max: (max * lots) as Lots,
    step: (step * lots) as Lots,
  });
  return frozen({
    ...market,
    priceGrid: session.priceGrid,
    quantityGrid: session.quantityGrid,
    unitsPerTickLot: session.unitsPerTickLot,
    tickLotUnits: session.tickLotUnits,
    filters: {
      price: {
        min: (filters.price.min * price) as Ticks,
        max: (filters.price.max * price) as Ticks,
        tickSize: (filters.price.tickSize * price) as Ticks,
      },
      quantity: range(filters.quantity),
      icebergs: range(filters.icebergs),
      interest: range(filters.interest),
    },
    pricing: { ...pricing, fairQuantity: (pricing.fairQuantity * lots) as Lots },
  });
}
/** How many steps of the session's grid one step of the later market's grid is. */

function factor(session: Market, market: Market, filter: string, scale: number, own: number): number {
  const steps = scale / own;
  if (Number.isInteger(steps)) return steps;
  throw new UsageError(
    'TICKWRIGHT_E_MARKET',
    `${session.pair}: filter ${filter} must stay on a grid of ${1 / scale} for the whole run, received one of ` +
      `${1 / own} (${market.pair}); choose --from or --to so that the run does not span the change`,
  );
}
