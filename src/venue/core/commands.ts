import type { OrderTerms } from '../../model/order.js';
import type { CoreOrder } from './account.js';

export interface PlaceRequest {
  readonly pair: string;
  readonly terms: OrderTerms;
  /** Echoed in the record (wire: oco), so that an order can be recognised. */
  readonly tag?: string | undefined;
  /** The caller's own number for the order: it comes back on the order and is in no record. */
  readonly intent?: number | undefined;
}

/** Refused: there is no record of it. Accepted: it has an id, though it may be done already. */
export type Placement =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'accepted'; readonly order: CoreOrder };

export type Cancellation =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'canceled'; readonly order: CoreOrder };
