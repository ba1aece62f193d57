import type { CoreOrder, Holding } from './account.js';
import type { Book } from './book.js';

/**
 * How many lots an incoming order would execute against the book, now: decided by everything that could execute: reduce-only orders for
 * what their account's position still allows when their turn comes, and own orders, which end it.
 */
export function dryRun(book: Book<CoreOrder>, order: CoreOrder): number {
  const isBuy = order.side === 'buy';
  const side = book.against(order.side);
  let left: number = order.leaves;
  if (order.terms.reduceOnly) left = Math.min(left, Math.abs(order.holding.lots));
  const wanted = left;
  const sizes = new Map<Holding, number>();
  for (let rank = 0; left > 0; rank++) {
    const level = side.level(rank);
    if (level === undefined || (isBuy ? level.ticks > order.limitTicks : level.ticks < order.limitTicks))
      break;
    for (let maker = level.first; maker !== undefined && left > 0; maker = maker.after) {
      if (maker.account === order.account && !order.account.isCrowd) {
        return wanted - left;
      }
      let lots = Math.min(left, maker.leaves);
      const { holding } = maker;
      if (holding.reduceOnlyCount > 0) {
        // A resting sell executes against a buyer, so it makes its account's position smaller; a buy, larger.
        const size = sizes.get(holding) ?? holding.lots;
        if (maker.terms.reduceOnly) lots = Math.min(lots, Math.max(0, isBuy ? size : -size));
        sizes.set(holding, isBuy ? size - lots : size + lots);
      }
      left -= lots;
    }
  }
  return wanted - left;
}
