import type { Fill } from './fill.js';
import type { IntentId } from './order.js';

/**
 * The `reason` of a cancel that marks the end of an order which was sent a few lots smaller than the engine asked for, and
 * was filled whole. At a venue without tags its unusual quantity is what tells it apart from its twins. The few lots that
 * were never sent are reported as canceled.
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
   * `reservedUntil` (venue ms): it was never seen and may still show up, so its quantity counts in the exposure till then.
   * `tooSoon`: it never left, for nothing but that orders would have left faster than they may.
   * `alike`: it never left, for nothing but another one that it could not have been told from.
   */
  | {
      readonly kind: 'rejected';
      readonly intentId: IntentId;
      readonly reason: string;
      readonly time: number;
      readonly reservedUntil?: number;
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
  /** A fill of an order that was given up, or that came twice: the position has it, no order of the engine does. */
  | {
      readonly kind: 'late-fill';
      /** `undefined`: of another session. */
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
