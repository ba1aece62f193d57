import type { Account, CompletedPosition, CoreFill, Holding } from './account.js';
import { DEFAULT_LIMIT, type RecordQuery } from './queries.js';

/** Newest first, by the time of closing. */
export function listCompletedPositions(account: Account, query: RecordQuery = {}): CompletedPosition[] {
  const {
    pair,
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
    limit = DEFAULT_LIMIT,
  } = query;
  const { completedPositions } = account;
  const found: CompletedPosition[] = [];
  for (let n = 0; n < completedPositions.size && found.length < limit; n++) {
    const position = completedPositions.newest(n) as CompletedPosition;
    if (position.closedAt < from) break;
    if (position.closedAt <= to && (pair === undefined || position.pair === pair)) found.push(position);
  }
  return found;
}

/** The fills of a position, newest first, as far as the account's history still has them. */
export function fillsOf(
  account: Account,
  { pair, firstFill, lastFill }: Pick<CompletedPosition, 'pair' | 'firstFill' | 'lastFill'>,
): CoreFill[] {
  const found: CoreFill[] = [];
  for (let place = lastFill; place >= firstFill; place--) {
    const fill = account.fills.at(place);
    // Older fills are forgotten as well.
    if (fill === undefined) break;
    if (fill.pair === pair) found.push(fill);
  }
  return found;
}

/** The fills of the position that is open now, newest first. */
export function openFills({ account, state, openedFill, lots }: Holding): CoreFill[] {
  if (lots === 0) return [];
  const lastFill = account.fills.pushed - 1;
  return fillsOf(account, { pair: state.market.pair, firstFill: openedFill, lastFill });
}
