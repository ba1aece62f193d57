import type { Lots, Ticks } from '../../model/grid.js';
import type { OrderOptions, OrderTerms } from '../../model/order.js';
import type { CoreOrder } from './account.js';

export interface PlaceRequest {
  readonly pair: string;
  readonly terms: OrderTerms;
  readonly options?: OrderOptions | undefined;
  /** Wire: oco. Orders of one account and pair with the same tag form a group. Echoed in the record. */
  readonly tag?: string | undefined;
  /** The caller's own number for the order: set on the order, but in no record of the venue. */
  readonly intent?: number | undefined;
}

/** Refused: no record exists. Accepted: the order has an id, but may be done already. */
export type Placement =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'accepted'; readonly order: CoreOrder };

export type Cancellation =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'canceled'; readonly order: CoreOrder };

/** POST /auth/close: a reduce-only order against the position. */
export interface CloseRequest {
  readonly pair: string;
  /** Default: the whole position at the time of arrival. */
  readonly lots?: Lots | undefined;
  /** Default: MARKET. */
  readonly ticks?: Ticks | undefined;
}

/** A bulk request is accepted or refused as a whole. Accepted orders may be done already. */
export type BulkPlacement =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'accepted'; readonly orders: readonly CoreOrder[] };

/** Result of a change of margin, leverage or wallet. */
export type Change = { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'done' };
