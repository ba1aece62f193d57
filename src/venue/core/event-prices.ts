import type { TriggerEvent } from '../../model/order.js';

/** The prices that triggers watch, quote units; `undefined` while there is no such price. */
export type EventPrices = Readonly<Record<TriggerEvent, number | undefined>>;
