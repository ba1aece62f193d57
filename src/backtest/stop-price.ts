import type { WorkingOrder } from '../strategy/context.js';

/** Trigger price of the stop that the venue holds, quote units; NaN where it holds none. */
export function stopPriceOf(orders: readonly WorkingOrder[]): number {
  const held = orders.find(
    ({ triggerPrice, state }) =>
      triggerPrice !== undefined && (state === 'working' || state === 'pending-cancel'),
  );
  return held?.triggerPrice ?? Number.NaN;
}
