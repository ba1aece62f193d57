/** Decides whether two rows are the same trade, and what happens when their facts differ. */
import { UsageError } from '../../model/errors.js';
import type { Trade } from '../../model/trade.js';

export interface TradeIdentity {
  /** Equal for rows that are the same trade. */
  keyOf(id: string, time: number): string;
  /** Called when the second row of a trade has other facts. `first` is kept, unless this throws. */
  differ(where: string, first: Trade, second: Trade): void;
}

/** For files: rows of the same id must agree. A difference is an error of the files, which their owner has to correct. */
export const BY_ID: TradeIdentity = {
  keyOf: (id) => id,
  differ(where, first, second) {
    throw new UsageError(
      'TICKWRIGHT_E_DUPLICATE',
      `${where}: trade ${first.id} must be the same wherever it occurs, received ${facts(first)} and ${facts(second)}`,
      { facts: { id: first.id } },
    );
  },
};

/**
 * For recording from a venue: nobody can correct its answers, and one repeated id must not end a recording of months. A
 * venue that was reset counts from the beginning again, so the same id at another time is another trade.
 */
export function asTold(hear: (first: Trade) => void): TradeIdentity {
  return { keyOf: (id, time) => `${time} ${id}`, differ: (_, first) => hear(first) };
}

function facts({ time, price, quantity, isBuyerMaker }: Trade): string {
  return `${quantity} @ ${price} at ${time} (buyer ${isBuyerMaker ? 'maker' : 'taker'})`;
}
