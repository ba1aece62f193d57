import type { Ticks } from '../../model/grid.js';
import type { Trigger } from '../../model/order.js';

/** What an order waits for, to be put after its other words; empty for one that waits for nothing. */
export function triggerText(trigger: Trigger | undefined, price: (ticks: Ticks) => string): string {
  return trigger === undefined ? '' : `, when the ${trigger.event} price reaches ${price(trigger.ticks)}`;
}
