import type { Lots } from '../model/grid.js';
import type { OrderTerms } from '../model/order.js';

/**
 * The largest |position| on the side of `terms` in any possible world: each of the others may fill whole or not at all,
 * those in doubt and those that were given up included (`reliability.md` I8). Lots.
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
