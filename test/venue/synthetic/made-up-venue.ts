import type { Lots, Ticks } from '../../../src/model/grid.js';
import type { OrderTerms } from '../../../src/model/order.js';
import type { Side } from '../../../src/model/side.js';
import type { Trade } from '../../../src/model/trade.js';
import { catalogueMarket, DEFAULT_PAIR } from '../../../src/venue/catalogue.js';
import { VenueCore } from '../../../src/venue/core/venue-core.js';
import {
  createSyntheticMarket,
  type SyntheticMarket,
} from '../../../src/venue/synthetic/synthetic-market.js';

/** Not on a whole second, so that nothing works by luck. */
export const START = 1_760_000_012_345;

export interface MadeUpVenue {
  readonly core: VenueCore;
  readonly driver: SyntheticMarket;
  /** Trades since it was made, in the order in which the core told of them. */
  readonly trades: Trade[];
}

export function madeUpVenue(
  options: {
    seed?: string | number;
    pair?: string;
    history?: boolean;
    intensity?: number;
    startTime?: number;
    prices?: 'index' | 'last-trade';
  } = {},
): MadeUpVenue {
  const { seed = 1, pair = DEFAULT_PAIR, history = false, intensity, startTime = START } = options;
  const market = catalogueMarket(pair);
  const core = new VenueCore({ markets: [{ market, prices: options.prices }] });
  const trades: Trade[] = [];
  const driver = createSyntheticMarket({ core, market, seed, startTime, history, intensity });
  core.onTrade((_pair, trade) => trades.push(trade));
  return { core, driver, trades };
}

export function limitOrder(
  side: Side,
  ticks: number,
  lots: number,
  more: Partial<OrderTerms> = {},
): OrderTerms {
  return {
    side,
    type: 'limit',
    ticks: ticks as Ticks,
    lots: lots as Lots,
    timeInForce: 'GTC',
    postOnly: false,
    reduceOnly: false,
    ...more,
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function variance(values: readonly number[]): number {
  const center = mean(values);
  return mean(values.map((value) => (value - center) ** 2));
}

export function autocorrelation(values: readonly number[], lag: number): number {
  const center = mean(values);
  let sum = 0;
  for (let n = lag; n < values.length; n++) {
    sum += ((values[n] as number) - center) * ((values[n - lag] as number) - center);
  }
  return sum / values.length / variance(values);
}
