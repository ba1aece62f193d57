/** What makes two rows one trade, and what becomes of two that tell of it differently. */
import { UsageError } from '../../model/errors.js';
import type { Trade } from '../../model/trade.js';

export interface TradeIdentity {
  /** Equal for rows that are the same trade. */
  keyOf(id: string, time: number): string;
  /** `second` tells of `first` differently: `first` stays, unless this throws. */
  differ(where: string, first: Trade, second: Trade): void;
}

/** An id has one story: what files tell otherwise is a fault of theirs, for their owner to mend. */
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
 * As a venue tells it while it is recorded: nobody can mend that, and one id too many must not end a recording of months.
 * A venue that was set up anew counts from the beginning, so an id of another time is another trade.
 */
export function asTold(hear: (first: Trade) => void): TradeIdentity {
  return { keyOf: (id, time) => `${time} ${id}`, differ: (_, first) => hear(first) };
}

function facts({ time, price, quantity, isBuyerMaker }: Trade): string {
  return `${quantity} @ ${price} at ${time} (buyer ${isBuyerMaker ? 'maker' : 'taker'})`;
}
