import type { Lots, Ticks } from '../../model/grid.js';
import type { OrderOptions, OrderTerms } from '../../model/order.js';
import type { CoreOrder } from './account.js';

export interface PlaceRequest {
  readonly pair: string;
  readonly terms: OrderTerms;
  readonly options?: OrderOptions | undefined;
  /** Wire: oco. Orders of one account and pair that share it are a group; it is echoed in the record. */
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

/** POST /auth/close: a reduce-only order against the position. */
export interface CloseRequest {
  readonly pair: string;
  /** Default: the whole position as it is on arrival. */
  readonly lots?: Lots | undefined;
  /** Default: MARKET. */
  readonly ticks?: Ticks | undefined;
}

/** A bulk order is accepted or refused as a whole; accepted members may be done already. */
export type BulkPlacement =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'accepted'; readonly orders: readonly CoreOrder[] };

/** What a change of margin, leverage or wallet comes to. */
export type Change = { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'done' };
