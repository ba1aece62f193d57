import type { Fill } from './fill.js';
import type { IntentId } from './order.js';

/**
 * The `reason` of a cancel that ends an order which was sent a few lots smaller than the engine asked for, and filled
 * completely. At a venue without tags this unusual quantity tells the order apart from others with the same terms. The
 * few lots that were never sent are reported as canceled.
 */
export const QUANTITY_TAG = 'quantity tag';

/** What became of an order: the news that execution (live) or the simulated venue (backtest, paper) brings. */
export type ExecutionReport =
  | {
      readonly kind: 'accepted';
      readonly intentId: IntentId;
      readonly orderId: string;
      readonly time: number;
    }
  /**
   * `reservedUntil` (venue ms): the order was never seen but may still show up, so its quantity counts in the exposure
   * until then. `unsent`: it never left, whatever kept it back. `tooSoon`: it was not sent, only because orders would have
   * left faster than the rate limit allows.
   * `alike`: it was not sent, only because the venue's records could not have told it from another order in flight.
   */
  | {
      readonly kind: 'rejected';
      readonly intentId: IntentId;
      readonly reason: string;
      readonly time: number;
      readonly reservedUntil?: number;
      readonly unsent?: true;
      readonly tooSoon?: true;
      readonly alike?: true;
    }
  | { readonly kind: 'filled'; readonly intentId: IntentId; readonly fill: Fill; readonly time: number }
  | {
      readonly kind: 'canceled';
      readonly intentId: IntentId;
      readonly orderId: string;
      readonly reason: string;
      readonly time: number;
    }
  | {
      readonly kind: 'cancel-rejected';
      readonly intentId: IntentId;
      readonly reason: string;
      readonly time: number;
    }
  /** A fill of an order that was given up, or of a surplus order: it changes the position, but no order of the engine. */
  | {
      readonly kind: 'late-fill';
      /** `undefined`: the order was placed by another session. */
      readonly intentId: IntentId | undefined;
      readonly fill: Fill;
      readonly time: number;
    }
  | {
      readonly kind: 'in-doubt';
      readonly intentId: IntentId;
      readonly reason: string;
      readonly time: number;
    };
