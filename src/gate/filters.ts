import { textOf, type Ticks } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import { atLeast, atMost, multipleOf, type Objection } from './refusal.js';

/** Checks an order against the pair filters, so that nothing is sent that the venue would reject for them. */
export function checkFilters(market: Market, { ticks, lots, trigger }: OrderTerms): Objection | undefined {
  const { quantity } = market.filters;
  const { pair, quantityGrid } = market;
  if (!market.active) {
    return {
      rule: 'market-inactive',
      text: `${pair} must be active`,
      asked: 'inactive',
      bound: 'active',
    };
  }
  const objection =
    (ticks === undefined ? undefined : checkPrice(market, 'price', ticks)) ??
    (trigger === undefined ? undefined : checkPrice(market, 'trigger price', trigger.ticks));
  if (objection !== undefined) return objection;
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

function checkPrice({ filters, priceGrid }: Market, what: string, ticks: Ticks): Objection | undefined {
  const { tickSize, min, max } = filters.price;
  if (ticks % tickSize !== 0) return multipleOf('tick', what, priceGrid, ticks, tickSize);
  if (ticks < min) return atLeast('min-price', what, textOf(priceGrid, ticks), textOf(priceGrid, min));
  if (ticks > max) return atMost('max-price', what, textOf(priceGrid, ticks), textOf(priceGrid, max));
  return undefined;
}
