import type { Lots } from '../model/grid.js';
import type { OrderTerms } from '../model/order.js';

/**
 * The |position|, lots, if `terms` and all `others` of its side fill whole: the worst case for the order (`reliability.md`
 * I8). `others` must include the orders in doubt and the tombstones. Reduce-only ones count nothing.
 */
export function worstCase(
  position: Lots,
  terms: OrderTerms,
  others: readonly { readonly terms: OrderTerms }[],
): number {
  const sign = terms.side === 'buy' ? 1 : -1;
  const working = others
    .filter((other) => !other.terms.reduceOnly && other.terms.side === terms.side)
    .reduce((sum, other) => sum + other.terms.lots, 0);
  return Math.abs(position + sign * (working + terms.lots));
}
