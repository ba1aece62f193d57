/** What a journal says of a pair, for those who cannot ask the venue. */
import type { Books } from '../execution/books.js';
import { type Grid, textOf } from '../model/grid.js';

export interface JournaledPair {
  readonly pair: string;
  /** Signed, base units; absent before anything was agreed with the venue. */
  readonly position?: string;
  /** In its place where no life of the bot has written down what a lot is. */
  readonly positionLots?: number;
  /** Own orders whose end is not known, by the venue's id. */
  readonly orders: readonly string[];
  /** Intents of which nobody knows yet whether they were placed. */
  readonly inDoubt: readonly string[];
}

/** `grid`: of the pair's quantities, where it is known. */
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

/** `undefined`: nothing was agreed with the venue yet. */
export function heldText({
  position,
  positionLots,
}: {
  readonly position?: string | undefined;
  readonly positionLots?: number | undefined;
}): string | undefined {
  return position ?? (positionLots === undefined ? undefined : `${positionLots} lots`);
}

/** It holds something, as far as it knows. */
export function isHolding({ position = '0', positionLots = 0 }: JournaledPair): boolean {
  return Number(position) !== 0 || positionLots !== 0;
}
