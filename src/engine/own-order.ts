import type { WantNumber } from '../model/command.js';
import type { Lots } from '../model/grid.js';
import {
  type IntentId,
  nextOrderState,
  type OrderEvent,
  type OrderState,
  type OrderTerms,
} from '../model/order.js';

/** An order of ours as the engine tracks it, from the moment its command is made. */
export class OwnOrder {
  readonly intentId: IntentId;
  readonly terms: OrderTerms;
  /** The want it was derived from; undefined when the strategy submitted it itself. */
  readonly want: WantNumber | undefined;
  /** It was derived from a `quote` want. */
  readonly quoted: boolean;
  orderId: string | undefined;
  leaves: Lots;
  state: OrderState = 'pending-new';
  /** We asked for its cancel, so its cancellation needs no delay of the next order. */
  cancelAsked = false;
  /** The venue refused its last cancel; the next one has to wait. */
  cancelRefused = false;

  constructor(intentId: IntentId, terms: OrderTerms, want: WantNumber | undefined, quoted: boolean) {
    this.intentId = intentId;
    this.terms = terms;
    this.want = want;
    this.quoted = quoted;
    this.leaves = terms.lots;
  }

  meet(event: OrderEvent): void {
    this.state = nextOrderState(this.state, event);
  }

  /** A cancel needs the venue's order id, and is asked for once: not while one is pending. */
  get isCancellable(): boolean {
    return this.state === 'working' && this.orderId !== undefined;
  }
}
