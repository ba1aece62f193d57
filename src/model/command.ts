import type { IntentId, OrderTerms } from './order.js';

/** Number of the want that a command was derived from; a command that `submit` or `cancel` asked for has `undefined`. */
export type WantNumber = number;

export interface PlaceCommand {
  readonly kind: 'place';
  readonly intentId: IntentId;
  readonly pair: string;
  readonly terms: OrderTerms;
  readonly want: WantNumber | undefined;
}

export interface CancelCommand {
  readonly kind: 'cancel';
  /** The order to cancel, by the intent that placed it. */
  readonly intentId: IntentId;
  readonly pair: string;
  /** The venue's id; a cancel is only ever derived for an order that has one. */
  readonly orderId: string;
  readonly want: WantNumber | undefined;
}

export type Command = PlaceCommand | CancelCommand;

declare const approvedBrand: unique symbol;

/** A command that passed the gate. Only `src/gate` makes this type, so an unchecked command does not compile as one. */
export type Approved<C extends Command = Command> = C & { readonly [approvedBrand]: true };

/** The filter or limit that refused a command. The names are stable: scripts and the command `why` rely on them. */
export type RefusalRule =
  | 'tick'
  | 'lot'
  | 'min-price'
  | 'max-price'
  | 'min-quantity'
  | 'max-quantity'
  | 'iceberg'
  | 'interest'
  | 'max-position'
  | 'max-order-quantity'
  | 'max-open-orders'
  | 'balance'
  | 'market-inactive'
  | 'not-a-number'
  | 'target-below-lot'
  | 'warming-up'
  | 'unknown-order'
  | 'not-synced'
  | 'halted'
  | 'max-order-notional'
  | 'price-collar'
  | 'max-orders-per-minute'
  | 'max-cancels-per-minute'
  | 'same-side-repeat'
  | 'reject-ratio'
  | 'max-gross-notional'
  | 'max-daily-loss'
  | 'liquidation-distance'
  | 'max-drawdown'
  | 'max-consecutive-losses'
  | 'max-leverage'
  | 'max-orders-per-hour'
  | 'stop-hit'
  | 'flat-want'
  | 'crossed-quote';

/** Something a strategy wanted that was not sent, with the rule and both numbers. We *refuse*; the venue *rejects*. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly intentId: IntentId | undefined;
  readonly pair: string;
  readonly rule: RefusalRule;
  /** What was asked for, as plain decimal text with its unit's meaning given by the rule. */
  readonly asked: string;
  /** The bound or the grid that `asked` violates, as plain decimal text. */
  readonly bound: string;
  /** One sentence for people; names the rule and both numbers. FIX Text (58). */
  readonly reason: string;
  readonly want: WantNumber | undefined;
  /**
   * Event time, ms, from which the gate may answer differently although nothing of ours changes: a rate window passes, a
   * day ends, or the market moves (for the last, this is the time of the refusal itself). Absent: only a change of our
   * own orders, position or want can change the answer.
   */
  readonly until?: number;
}

/** A command that was derived from a want and never sent, because a later want no longer asks for it. */
export interface Supersession {
  readonly intentId: IntentId;
  readonly want: WantNumber;
  /** The want that replaced it. It may be the same want, derived again from a new position. */
  readonly by: WantNumber;
}
