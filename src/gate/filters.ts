import { textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import { atLeast, atMost, multipleOf, type Objection } from './refusal.js';

/** Checks an order against the pair filters, so that nothing is sent that the venue would reject for them. */
export function checkFilters(market: Market, { ticks, lots }: OrderTerms): Objection | undefined {
  const { price, quantity } = market.filters;
  const { pair, priceGrid, quantityGrid } = market;
  if (!market.active) {
    return {
      rule: 'market-inactive',
      text: `${pair} must be active`,
      asked: 'inactive',
      bound: 'active',
    };
  }
  if (ticks !== undefined) {
    if (ticks % price.tickSize !== 0) return multipleOf('tick', 'price', priceGrid, ticks, price.tickSize);
    if (ticks < price.min) {
      return atLeast('min-price', 'price', textOf(priceGrid, ticks), textOf(priceGrid, price.min));
    }
    if (ticks > price.max) {
      return atMost('max-price', 'price', textOf(priceGrid, ticks), textOf(priceGrid, price.max));
    }
  }
  if (lots % quantity.step !== 0) return multipleOf('lot', 'quantity', quantityGrid, lots, quantity.step);
  if (lots < quantity.min || lots <= 0) {
    const min = Math.max(1, quantity.min);
    return atLeast('min-quantity', 'quantity', textOf(quantityGrid, lots), textOf(quantityGrid, min));
  }
  if (lots > quantity.max) {
    return atMost('max-quantity', 'quantity', textOf(quantityGrid, lots), textOf(quantityGrid, quantity.max));
  }
  return undefined;
}
