import type { Lots, Ticks } from './grid.js';
import { InvariantError } from './errors.js';
import type { Side } from './side.js';

/** FIX OrdType (40). */
export type OrderType = 'limit' | 'market';

/** FIX TimeInForce (59): good till cancelled, immediate or cancel, fill or kill. */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/** The prices that a trigger order can watch (specification: Order.trigger_event). */
export const TRIGGER_EVENTS = ['mark', 'index', 'last'] as const;
export type TriggerEvent = (typeof TRIGGER_EVENTS)[number];

/** The condition of a waiting order: it enters the market when the price of `event` reaches `ticks`. */
export interface Trigger {
  readonly ticks: Ticks;
  readonly event: TriggerEvent;
}

/** What an order asks for, on the grid of its market. Not yet checked against filters or limits. */
export interface OrderTerms {
  readonly side: Side;
  readonly type: OrderType;
  /** Limit price; `undefined` for a market order. */
  readonly ticks: Ticks | undefined;
  /** FIX OrderQty (38); above 0. */
  readonly lots: Lots;
  readonly timeInForce: TimeInForce;
  /** The order may only rest as maker; if it would trade at once, the venue cancels it. */
  readonly postOnly: boolean;
  /** The order can only make the position smaller. */
  readonly reduceOnly: boolean;
  /** The order waits at the venue until this price is reached: a stop. Absent: it enters the market at once. */
  readonly trigger?: Trigger | undefined;
}

/** Whether two orders ask for the same in every field. No record of the venue tells such orders apart. */
export function sameTerms(a: OrderTerms, b: OrderTerms): boolean {
  return (
    a.side === b.side &&
    a.lots === b.lots &&
    a.ticks === b.ticks &&
    a.type === b.type &&
    a.timeInForce === b.timeInForce &&
    a.postOnly === b.postOnly &&
    a.reduceOnly === b.reduceOnly &&
    // Mostly both are undefined, and a call would cost more than the comparison.
    (a.trigger === b.trigger || sameTrigger(a.trigger, b.trigger))
  );
}

/** Whether two orders wait for the same, or both for nothing. */
export function sameTrigger(a: Trigger | undefined, b: Trigger | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.ticks === b.ticks && a.event === b.event);
}

/**
 * What the venue's order body can hold besides `OrderTerms` (`dialect.md` §5, `money.md` §4). An absent field is not
 * sent.
 */
export interface OrderOptions {
  /** Not shown in the depth; fills after the visible orders at its price. */
  readonly hidden?: boolean | undefined;
  /** Number of slices, at least 2; the book shows one slice at a time. */
  readonly icebergs?: number | undefined;
  readonly trigger?: Trigger | undefined;
  /** Makes the order reduce-only. When it fires, the venue first cancels the other working orders of its side. */
  readonly closeOnTrigger?: boolean | undefined;
  /** The venue stores and echoes it; it has no other effect. */
  readonly leverage?: number | undefined;
}

/** The options with which the venue's order body says what the terms ask for besides its plain fields. */
export function optionsOf({ trigger }: OrderTerms): OrderOptions | undefined {
  return trigger === undefined ? undefined : { trigger };
}

/**
 * Our own number of an order: unique within a session, ascending from 1. The wire has no client order id, so the venue
 * never sees it.
 */
export type IntentId = number;

/**
 * The state of an order of ours. "In flight" is a state and not a flag:
 *
 * - `pending-new`: sent, no answer yet · `working`: the venue confirmed it, and it may fill
 * - `pending-cancel`: we sent a cancel, and it may still fill · `in-doubt`: sent, and the answer proves nothing
 * - `filled`, `canceled`, `rejected` (by the venue), `refused` (by us, it was never sent): terminal
 */
export type OrderState =
  | 'pending-new'
  | 'working'
  | 'pending-cancel'
  | 'in-doubt'
  | 'filled'
  | 'canceled'
  | 'rejected'
  | 'refused';

export type OrderEvent =
  | 'refuse'
  | 'accept'
  | 'reject'
  | 'doubt'
  | 'fill-part'
  | 'fill-rest'
  | 'request-cancel'
  | 'cancel'
  | 'cancel-reject';

type Row = Partial<Record<OrderEvent, OrderState>>;

/** The only table of the order's life: (state, event) → state. A pair that is not in it is impossible and throws. */
const TRANSITIONS: Readonly<Record<OrderState, Row>> = {
  'pending-new': {
    refuse: 'refused',
    accept: 'working',
    reject: 'rejected',
    doubt: 'in-doubt',
    // A venue may report the fill before, or instead of, the acceptance.
    'fill-part': 'working',
    'fill-rest': 'filled',
    // Accepted and cancelled at once: post-only would trade, IOC remainder, … (`dialect.md` §5).
    cancel: 'canceled',
  },
  working: {
    'fill-part': 'working',
    'fill-rest': 'filled',
    'request-cancel': 'pending-cancel',
    cancel: 'canceled',
    // The venue may confirm an order twice; the second time changes nothing.
    accept: 'working',
    // The venue reports a fill but does not show the executions, so the remaining quantity is unknown.
    doubt: 'in-doubt',
  },
  'pending-cancel': {
    // A fill that crossed the cancel on the wire: the cancel is still under way.
    'fill-part': 'pending-cancel',
    'fill-rest': 'filled',
    cancel: 'canceled',
    'cancel-reject': 'working',
    accept: 'pending-cancel',
    // Asking twice is harmless: cancels are idempotent by order id.
    'request-cancel': 'pending-cancel',
    doubt: 'in-doubt',
  },
  'in-doubt': {
    accept: 'working',
    reject: 'rejected',
    'fill-part': 'working',
    'fill-rest': 'filled',
    cancel: 'canceled',
    doubt: 'in-doubt',
  },
  filled: {},
  canceled: {},
  rejected: {},
  refused: {},
};

/**
 * Numbers for the rows and columns of the table, so that the transition of each order event is one array access. Looking
 * up objects of different shapes by name was the slowest step of an order.
 */
function stateCode(state: OrderState): number {
  switch (state) {
    case 'pending-new':
      return 0;
    case 'working':
      return 1;
    case 'pending-cancel':
      return 2;
    case 'in-doubt':
      return 3;
    case 'filled':
      return 4;
    case 'canceled':
      return 5;
    case 'rejected':
      return 6;
    case 'refused':
      return 7;
  }
}

function eventCode(event: OrderEvent): number {
  switch (event) {
    case 'accept':
      return 0;
    case 'fill-rest':
      return 1;
    case 'fill-part':
      return 2;
    case 'request-cancel':
      return 3;
    case 'cancel':
      return 4;
    case 'cancel-reject':
      return 5;
    case 'refuse':
      return 6;
    case 'reject':
      return 7;
    case 'doubt':
      return 8;
  }
}

const EVENTS = 9;
const NEXT: (OrderState | undefined)[] = Array.from({ length: 8 * EVENTS });
for (const [state, row] of Object.entries(TRANSITIONS)) {
  for (const [event, next] of Object.entries(row)) {
    NEXT[stateCode(state as OrderState) * EVENTS + eventCode(event as OrderEvent)] = next;
  }
}

export function nextOrderState(state: OrderState, event: OrderEvent): OrderState {
  const next = NEXT[stateCode(state) * EVENTS + eventCode(event)];
  if (next === undefined) {
    throw new InvariantError(`an order that is ${state} must not meet ${event}`, { facts: { state, event } });
  }
  return next;
}

export function isTerminal(state: OrderState): boolean {
  return state === 'filled' || state === 'canceled' || state === 'rejected' || state === 'refused';
}
