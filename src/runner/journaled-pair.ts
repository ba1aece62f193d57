/** What a journal says about a pair, for use where the venue cannot be asked. */
import type { Books } from '../execution/books.js';
import { gridOfDecimals, textOf } from '../model/grid.js';
import type { GridDigits } from '../model/market.js';
import type { RestingStop } from './resting-stop.js';

export interface JournaledPair {
  readonly pair: string;
  /** Base units, signed; absent while the journal has no position of the pair. */
  readonly position?: string;
  /** Lots, signed: in place of `position` where the journal does not tell how much a lot is. */
  readonly positionLots?: number;
  /** Ids of own orders whose end is not booked. */
  readonly orders: readonly string[];
  /** Those of them that are stops; absent where there are none, or the journal does not tell how much a lot is. */
  readonly leftStops?: readonly RestingStop[];
  /** Intents in doubt: whether their orders were placed is not known. */
  readonly inDoubt: readonly string[];
}

/** `digits`: those of the pair's grids; `undefined`: not known. */
export function pairInBooks(pair: string, books: Books, digits: GridDigits | undefined): JournaledPair {
  const lots = books.position(pair);
  const leftStops = digits === undefined ? [] : stopsIn(pair, books, digits);
  return {
    pair,
    ...(lots === undefined
      ? {}
      : digits === undefined
        ? { positionLots: lots }
        : { position: textOf(gridOfDecimals(digits.quantity), lots) }),
    orders: books.openOrders(pair).map(({ orderId }) => orderId),
    ...(leftStops.length === 0 ? {} : { leftStops }),
    inDoubt: books
      .intents(pair)
      .filter(({ stage }) => stage === 'sent' || stage === 'in-doubt')
      .map(({ key }) => key),
  };
}

function stopsIn(pair: string, books: Books, { price, quantity }: GridDigits): readonly RestingStop[] {
  return books.openOrders(pair).flatMap(({ orderId, intent, fills }) => {
    const { side, lots, trigger } = books.intent(intent)?.terms ?? {};
    if (side === undefined || lots === undefined || trigger === undefined) return [];
    const leaves = fills.reduce((left, fill) => left - fill.lots, lots as number);
    return [
      {
        orderId,
        side,
        quantity: textOf(gridOfDecimals(quantity), leaves),
        triggerPrice: textOf(gridOfDecimals(price), trigger.ticks),
      },
    ];
  });
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
