/** A stop of ours that rests at the venue and guards a position, for people and scripts. */
import type { TrackedOrder } from '../execution/tracked-order.js';
import { textOf } from '../model/grid.js';
import type { Side } from '../model/side.js';

export interface RestingStop {
  readonly orderId: string;
  readonly side: Side;
  /** What is not filled of it, base units. */
  readonly quantity: string;
  readonly triggerPrice: string;
}

export function restingStopOf({ market, terms, leaves, orderId = '' }: TrackedOrder): RestingStop {
  return {
    orderId,
    side: terms.side,
    quantity: textOf(market.quantityGrid, leaves),
    triggerPrice: textOf(market.priceGrid, terms.trigger?.ticks ?? 0),
  };
}

export function restingStopText({ orderId, side, quantity, triggerPrice }: RestingStop): string {
  return `stop ${orderId} (${side} ${quantity} at ${triggerPrice})`;
}
