import type { TriggerEvent } from '../../model/order.js';

/** What triggers watch, in quote units; `undefined` when there is no such price yet. */
export type EventPrices = Readonly<Record<TriggerEvent, number | undefined>>;
