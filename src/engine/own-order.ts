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
  /** It came from a `quote`. */
  readonly quoted: boolean;
  orderId: string | undefined;
  leaves: Lots;
  state: OrderState = 'pending-new';
  /** True from the moment a cancel was asked for, so that its cancellation is no surprise. */
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

  /** Only an order that the venue named can be cancelled, and asking once is enough. */
  get isCancellable(): boolean {
    return this.state === 'working' && this.orderId !== undefined;
  }
}
