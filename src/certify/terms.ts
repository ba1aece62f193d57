import type { StandingWant } from '../engine/standing-want.js';
import { textOf } from '../model/grid.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';

/** The resting orders of a want. */
export function ordersOf(want: StandingWant | undefined): readonly OrderTerms[] {
  if (want?.kind === 'orders') return want.orders;
  return want?.kind === 'quote' ? [want.bid, want.ask].filter((side) => side !== undefined) : [];
}

export function isSame(a: OrderTerms, b: OrderTerms): boolean {
  return (
    a.side === b.side &&
    a.type === b.type &&
    a.ticks === b.ticks &&
    a.lots === b.lots &&
    a.trigger?.ticks === b.trigger?.ticks
  );
}

/** Whether both are limit orders that would trade with each other. */
export function crosses(a: OrderTerms, b: OrderTerms): boolean {
  if (a.side === b.side || a.ticks === undefined || b.ticks === undefined) return false;
  return a.side === 'buy' ? a.ticks >= b.ticks : b.ticks >= a.ticks;
}

export function termsText({ priceGrid, quantityGrid }: Market, { side, lots, ticks }: OrderTerms): string {
  const price = ticks === undefined ? 'market' : textOf(priceGrid, ticks);
  return `${side} ${textOf(quantityGrid, lots)} @ ${price}`;
}
