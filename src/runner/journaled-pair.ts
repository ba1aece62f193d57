/** What a journal says about a pair, for use where the venue cannot be asked. */
import type { Books } from '../execution/books.js';
import { type Grid, textOf } from '../model/grid.js';

export interface JournaledPair {
  readonly pair: string;
  /** Base units, signed; absent while the journal has no position of the pair. */
  readonly position?: string;
  /** Lots, signed: in place of `position` where the journal does not tell how much a lot is. */
  readonly positionLots?: number;
  /** Ids of own orders whose end is not booked. */
  readonly orders: readonly string[];
  /** Intents in doubt: whether their orders were placed is not known. */
  readonly inDoubt: readonly string[];
}

/** `grid`: the pair's lot grid; `undefined`: not known. */
export function pairInBooks(pair: string, books: Books, grid: Grid | undefined): JournaledPair {
  const lots = books.position(pair);
  return {
    pair,
    ...(lots === undefined
      ? {}
      : grid === undefined
        ? { positionLots: lots }
        : { position: textOf(grid, lots) }),
    orders: books.openOrders(pair).map(({ orderId }) => orderId),
    inDoubt: books
      .intents(pair)
      .filter(({ stage }) => stage === 'sent' || stage === 'in-doubt')
      .map(({ key }) => key),
  };
}

/** The position in words; `undefined`: the journal has none. */
export function heldText({
  position,
  positionLots,
}: {
  readonly position?: string | undefined;
  readonly positionLots?: number | undefined;
}): string | undefined {
  return position ?? (positionLots === undefined ? undefined : `${positionLots} lots`);
}

/** The pair has a position, as far as the journal knows. */
export function isHolding({ position = '0', positionLots = 0 }: JournaledPair): boolean {
  return Number(position) !== 0 || positionLots !== 0;
}
