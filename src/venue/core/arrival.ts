import type { Touch } from '../liquidity.js';
import type { CancelReason, CoreOrder } from './account.js';
import type { Book } from './book.js';
import { dryRun } from './dry-run.js';

/**
 * Why an accepted order is canceled on arrival, before any match: rules that depend on the mark, the position or the book
 * (`dialect.md` §5). `street`: the touch of a tape; `undefined` for a book market. `hasStruck`: its oco group counts as
 * struck.
 */
export function reasonAtArrival(
  order: CoreOrder,
  book: Book<CoreOrder>,
  street: Touch | undefined,
  hasStruck = false,
): CancelReason | undefined {
  const { terms, holding, limitTicks } = order;
  const { state } = holding;
  const { mark } = state;
  const isBuy = order.side === 'buy';
  if (terms.type === 'market') {
    const hasPrice = mark !== undefined || book.against(order.side).best !== undefined;
    if (!hasPrice && (isBuy ? street?.ask : street?.bid) === undefined) return 'no liquidity';
  } else if (mark !== undefined) {
    if (isBuy ? limitTicks > state.upperEdge(mark) : limitTicks < state.lowerEdge(mark)) {
      return 'outside the trading band';
    }
  }
  if (terms.reduceOnly && (isBuy ? holding.lots >= 0 : holding.lots <= 0)) return 'nothing to reduce';
  if (!terms.postOnly) return undefined;
  const trial = dryRun(book, order, hasStruck);
  if (trial.lots > 0) return 'post-only would trade';
  // The order cannot trade but would rest across an own order. This has priority over the street of a tape.
  if (trial.stopsAt !== undefined) return 'self-trade';
  return isMarketable(order, street) ? 'post-only would trade' : undefined;
}

/**
 * Whether the order would trade with the street of a tape, by the estimated touch. While all prints had the same
 * aggressor, the other side of the touch is unknown and may be directly behind the known one, so no order may rest beyond
 * the known one.
 */
export function isMarketable(order: CoreOrder, street: Touch | undefined): boolean {
  if (street === undefined) return false;
  const { side, limitTicks } = order;
  const { bid, ask } = street;
  if (side === 'buy') return ask === undefined ? bid !== undefined && limitTicks > bid : limitTicks >= ask;
  return bid === undefined ? ask !== undefined && limitTicks < ask : limitTicks <= bid;
}
