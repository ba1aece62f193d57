import type { Lots, Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import type { Side } from '../../model/side.js';

/** A resting order of the street, seen through the venue's own record of it. */
export interface StreetOrder {
  readonly id: string;
  /** Not executed; stays what it was when the order is cancelled. */
  readonly leaves: Lots;
  readonly status: 'active' | 'completed' | 'canceled' | 'untriggered';
}

/** The market as the agents of the street reach it: they trade like anybody, on the same book, and see no more. */
export interface Street {
  readonly bestBid: Ticks | undefined;
  readonly bestAsk: Ticks | undefined;
  /** Rests as maker or is not there at all: `undefined` when it would have traded. */
  rest(side: Side, ticks: Ticks, lots: Lots): StreetOrder | undefined;
  /** Takes what is there up to the limit, now; the rest is gone. */
  take(side: Side, limit: Ticks, lots: Lots): void;
  cancel(order: StreetOrder): void;
}

/** Prices and quantities of one market as agents think of them, on its filters. */
export interface Scale {
  /** The smallest step of a price, in ticks of the grid. */
  readonly tick: number;
  /** Lots of an everyday order. */
  readonly everydayLots: number;
  /** A price as ticks with a fraction. */
  readonly exactTicks: (price: number) => number;
  /** Nearest valid price that is no more aggressive: bids down, asks up. */
  readonly priceFor: (side: Side, exactTicks: number) => Ticks;
  /** Nearest valid quantity. */
  readonly lots: (exact: number) => Lots;
}

/** Quote units that an everyday order is worth. */
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
