import type { IntentId, OrderTerms } from './order.js';

/** Why a command exists: derived from the want with this number, or asked for by `submit`/`cancel` (`undefined`). */
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

/** A command that passed the gate: the type says that the check took place. Only `src/gate` makes one. */
export type Approved<C extends Command = Command> = C & { readonly [approvedBrand]: true };

/** Which rule said no. Stable names: scripts and `why` rely on them. */
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
  | 'max-orders-per-hour';

/** Something wanted that was not sent, and why: the rule and both numbers. Refused by us; the venue *rejects*. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly intentId: IntentId | undefined;
  readonly pair: string;
  readonly rule: RefusalRule;
  /** What was asked for, as plain decimal text with its unit's meaning given by the rule. */
  readonly asked: string;
  /** The bound or grid it met. */
  readonly bound: string;
  /** One sentence for people; names the rule and both numbers. FIX Text (58). */
  readonly reason: string;
  readonly want: WantNumber | undefined;
  /**
   * Event time from which on the answer can be another although nothing of ours changed: a window passes, a day ends,
   * the market moves (then it is the time of the refusal itself). Absent: only a change of ours can change it.
   */
  readonly until?: number;
}

/** A command that was derived from a want and never sent, because a later want no longer asks for it. */
export interface Supersession {
  readonly intentId: IntentId;
  readonly want: WantNumber;
  /** The want that took its place (may be the same want, seen from a new position). */
  readonly by: WantNumber;
}
