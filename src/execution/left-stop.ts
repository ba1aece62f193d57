import type { Lots } from '../model/grid.js';
import { type Side, signOf } from '../model/side.js';
import type { OwnOrders } from './own-orders.js';
import type { TrackedOrder } from './tracked-order.js';

/**
 * Whether a stop that an earlier life left at the venue is still worth its place: it can reduce the position, and no stop
 * of this session does that instead. Canceled at once, it would leave the position bare until the strategy has warmed up.
 */
export function stillGuards(
  { guards, terms: { side } }: TrackedOrder,
  position: Lots | undefined,
  own: OwnOrders,
): boolean {
  if (!guards) return false;
  if (!canReduce(side, position)) return false;
  return !own
    .at('live')
    .some(
      ({ role, terms, ended }) =>
        role === undefined && !ended && terms.trigger !== undefined && terms.side === side,
    );
}

/**
 * Whether an order is a stop that is worth its place when its session gives way to another one, which finds it there as
 * after a crash.
 */
export function guardsOn(order: TrackedOrder, position: Lots | undefined, own: OwnOrders): boolean {
  const { stage, ended, role, terms } = order;
  if (stage !== 'live' || ended) return false;
  if (role !== undefined) return stillGuards(order, position, own);
  return terms.trigger !== undefined && terms.reduceOnly && canReduce(terms.side, position);
}

/** Before the first checkpoint nobody knows what is held. */
function canReduce(side: Side, position: Lots | undefined): boolean {
  return position === undefined || signOf(side) * position < 0;
}
