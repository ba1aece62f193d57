import type { Lots, Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { Side } from '../../model/side.js';

/** A resting order of the street: a view of the venue's own record. */
export interface StreetOrder {
  readonly id: string;
  /** Lots that were not executed; unchanged by a cancellation. */
  readonly leaves: Lots;
  readonly status: 'active' | 'completed' | 'canceled' | 'untriggered';
}

/** The market as the agents of the street reach it. They trade on the same book as clients, and see no more of it. */
export interface Street {
  readonly bestBid: Ticks | undefined;
  readonly bestAsk: Ticks | undefined;
  /** Places a post-only order; `undefined` if it would have traded at once, and so was not accepted. */
  rest(side: Side, ticks: Ticks, lots: Lots): StreetOrder | undefined;
  /** Takes what rests within the limit; the rest of the order is cancelled. */
  take(side: Side, limit: Ticks, lots: Lots): void;
  cancel(order: StreetOrder): void;
}

/** Conversions between the numbers of agents and the valid prices and quantities of one market. */
export interface Scale {
  /** The smallest step of a price, in ticks of the grid. */
  readonly tick: number;
  /** Size of an everyday order, lots. */
  readonly everydayLots: number;
  /** Converts a price to ticks of the grid, with a fraction. */
  readonly exactTicks: (price: number) => number;
  /** The nearest valid price that is not more aggressive: bids round down, asks round up. */
  readonly priceFor: (side: Side, exactTicks: number) => Ticks;
  /** The nearest valid quantity. */
  readonly lots: (exact: number) => Lots;
}

/** Value of an everyday order, quote units. */
const EVERYDAY_NOTIONAL = 1_200;

export function scaleOf(market: Market, referencePrice: number): Scale {
  const { price, quantity } = market.filters;
  const tick = price.tickSize;
  const lowest = Math.ceil(Math.max(1, price.min) / tick) * tick;
  const highest = Math.floor(price.max / tick) * tick;
  const least = Math.ceil(Math.max(1, quantity.min) / quantity.step) * quantity.step;
  const most = Math.floor(quantity.max / quantity.step) * quantity.step;
  return {
    tick,
    everydayLots: (EVERYDAY_NOTIONAL / referencePrice) * market.quantityGrid.scale,
    exactTicks: (value) => value * market.priceGrid.scale,
    priceFor: (side, exact) => {
      const steps = exact / tick;
      return clamp((side === 'buy' ? Math.floor(steps) : Math.ceil(steps)) * tick, lowest, highest) as Ticks;
    },
    lots: (exact) => clamp(Math.round(exact / quantity.step) * quantity.step, least, most) as Lots,
  };
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
