import type { OrderListState } from '../ports/venue-api.js';
import { KEY_READS } from './endpoints/key-endpoints.js';
import { PUBLIC_READS } from './endpoints/public-endpoints.js';
import { WRITES } from './endpoints/write-endpoints.js';

/**
 * The specification as one table: every call of this client, by the credentials that it needs, with parameters, decoder and
 * source. The endpoint that withdraws is in `withdraw.ts` instead, so that no program has it by accident.
 */
export const ENDPOINTS = { public: PUBLIC_READS, key: KEY_READS, writes: WRITES } as const;

/** The lists of orders by what they hold. */
export const ORDER_LISTS = {
  all: KEY_READS.orders,
  active: KEY_READS.active_orders,
  completed: KEY_READS.completed_orders,
  canceled: KEY_READS.cancelled_orders,
  filled: KEY_READS.filled_orders,
  partial: KEY_READS.partially_filled_orders,
  triggers: KEY_READS.triggers,
} as const satisfies Readonly<Record<OrderListState, unknown>>;

export type PublicReadName = keyof typeof PUBLIC_READS;
export type KeyReadName = keyof typeof KEY_READS;
export type ReadName = PublicReadName | KeyReadName;

type Reads = typeof PUBLIC_READS & typeof KEY_READS;
export type QueryOf<N extends ReadName> = Parameters<Reads[N]['decode']>[1];
export type ResultOf<N extends ReadName> = ReturnType<Reads[N]['decode']>;
