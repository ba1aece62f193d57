import type { CoreOrder, Holding } from './account.js';
import type { Book } from './book.js';

export interface DryRun {
  /** What the order would execute against the book, now. */
  readonly lots: number;
  /** It would stop at an order of its own account. */
  readonly meetsItself: boolean;
}

/**
 * The match of an incoming order without doing it, decided by everything that could execute: reduce-only orders for
 * what their account's position still allows when their turn comes, and own orders, which end it.
 */
export function dryRun(book: Book<CoreOrder>, order: CoreOrder): DryRun {
  const isBuy = order.side === 'buy';
  const side = book.against(order.side);
  let left: number = order.leaves;
  if (order.terms.reduceOnly) left = Math.min(left, Math.abs(order.holding.lots));
  const wanted = left;
  // Nearly every order stops at the first level, so the map is made when somebody is in it.
  let sizes: Map<Holding, number> | undefined;
  for (let rank = 0; left > 0; rank++) {
    const level = side.level(rank);
    if (level === undefined || (isBuy ? level.ticks > order.limitTicks : level.ticks < order.limitTicks))
      break;
    for (let maker = level.first; maker !== undefined && left > 0; maker = maker.after) {
      if (maker.account === order.account && !order.account.isCrowd) {
        return { lots: wanted - left, meetsItself: true };
      }
      let lots = Math.min(left, maker.leaves);
      const { holding } = maker;
      if (holding.reduceOnlyCount > 0) {
        // A resting sell executes against a buyer, so it makes its account's position smaller; a buy, larger.
        sizes ??= new Map();
        const size = sizes.get(holding) ?? holding.lots;
        if (maker.terms.reduceOnly) lots = Math.min(lots, Math.max(0, isBuy ? size : -size));
        sizes.set(holding, isBuy ? size - lots : size + lots);
      }
      left -= lots;
    }
  }
  return { lots: wanted - left, meetsItself: false };
}
