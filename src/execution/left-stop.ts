import type { Lots } from '../model/grid.js';
import { signOf } from '../model/side.js';
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
  // Before the first checkpoint nobody knows what is held.
  if (position !== undefined && signOf(side) * position >= 0) return false;
  return !own
    .at('live')
    .some(
      ({ role, terms, ended }) =>
        role === undefined && !ended && terms.trigger !== undefined && terms.side === side,
    );
}
