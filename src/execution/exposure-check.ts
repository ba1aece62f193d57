import { worstWithExits } from '../gate/exposure.js';
import type { Lots } from '../model/grid.js';
import type { OrderTerms } from '../model/order.js';
import { signOf } from '../model/side.js';

/**
 * The |position|, lots, if `terms` and all `others` of its side fill whole: the worst case for the order (`reliability.md`
 * I8). `others` must include the orders in doubt and the tombstones. Reduce-only ones count for as much as they may take off
 * a position on the other side before the rest fills, and so do those that are still to come, since none is refused: `terms`
 * would then enlarge what it was meant to turn round.
 */
export function worstCase(
  position: Lots,
  terms: OrderTerms,
  others: readonly { readonly terms: OrderTerms }[],
): number {
  const held = signOf(terms.side) * position;
  const ofSide = others.filter((other) => other.terms.side === terms.side);
  const working = lotsOf(ofSide.filter((other) => !other.terms.reduceOnly));
  const reducing = lotsOf(ofSide.filter((other) => other.terms.reduceOnly));
  return worstWithExits(held, reducing, working + terms.lots);
}

function lotsOf(orders: readonly { readonly terms: OrderTerms }[]): number {
  return orders.reduce((sum, other) => sum + other.terms.lots, 0);
}
