import type { Fill } from './fill.js';
import type { IntentId } from './order.js';

/** What became of an order: the news that execution (live) or the simulated venue (backtest, paper) brings. */
export type ExecutionReport =
  | {
      readonly kind: 'accepted';
      readonly intentId: IntentId;
      readonly orderId: string;
      readonly time: number;
    }
  | { readonly kind: 'rejected'; readonly intentId: IntentId; readonly reason: string; readonly time: number }
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
  | {
      readonly kind: 'in-doubt';
      readonly intentId: IntentId;
      readonly reason: string;
      readonly time: number;
    };
