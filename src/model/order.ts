import type { Lots, Ticks } from './grid.js';
import { InvariantError } from './errors.js';
import type { Side } from './side.js';

/** FIX OrdType (40). */
export type OrderType = 'limit' | 'market';

/** FIX TimeInForce (59): good till cancelled, immediate or cancel, fill or kill. */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/** What an order asks for, on the grid of its market. Not yet checked against filters or limits. */
export interface OrderTerms {
  readonly side: Side;
  readonly type: OrderType;
  /** Limit price; `undefined` for a market order. */
  readonly ticks: Ticks | undefined;
  /** FIX OrderQty (38); above 0. */
  readonly lots: Lots;
  readonly timeInForce: TimeInForce;
  /** Trades only as maker; else it is cancelled at once. */
  readonly postOnly: boolean;
  /** Can only make the position smaller. */
  readonly reduceOnly: boolean;
}

/** Everything that is asked for is equal: no record of the venue's tells two such orders apart. */
export function sameTerms(a: OrderTerms, b: OrderTerms): boolean {
  return (
    a.side === b.side &&
    a.lots === b.lots &&
    a.ticks === b.ticks &&
    a.type === b.type &&
    a.timeInForce === b.timeInForce &&
    a.postOnly === b.postOnly &&
    a.reduceOnly === b.reduceOnly
  );
}

/** Which price a waiting order watches (specification: Order.trigger_event). */
export type TriggerEvent = 'mark' | 'index' | 'last';

/** A waiting order: it enters the market when the price of `event` reaches `ticks`. */
export interface Trigger {
  readonly ticks: Ticks;
  readonly event: TriggerEvent;
}

/** What the venue's order body can ask for besides `OrderTerms` (`dialect.md` §5, `money.md` §4). Absent: nothing. */
export interface OrderOptions {
  /** Not shown in the depth, and behind what is shown at its price. */
  readonly hidden?: boolean | undefined;
  /** Number of slices, at least 2, of which one is shown at a time. */
  readonly icebergs?: number | undefined;
  readonly trigger?: Trigger | undefined;
  /** Reduce-only; when it fires, the other working orders of its side are cancelled first. */
  readonly closeOnTrigger?: boolean | undefined;
  /** Stored and echoed, nothing else. */
  readonly leverage?: number | undefined;
}

/**
 * Ours, unique within a session, ascending from 1: there is no client order id on this wire, so it never leaves us.
 */
export type IntentId = number;

/**
 * Where an order of ours stands. "In flight" is a state, not a flag:
 *
 * - `pending-new`: sent, no answer yet · `working`: the venue confirmed it and it may fill
 * - `pending-cancel`: a cancel was sent, it may still fill · `in-doubt`: sent, and the answer proves nothing
 * - `filled`, `canceled`, `rejected` (by the venue), `refused` (by us, it never left): terminal
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

/** The one table of order life: (state, event) → state. What is not in it is impossible and throws. */
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
    // The same news twice is no news.
    accept: 'working',
    // The venue says that it filled and does not show the executions: what is left is not known.
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
 * Rows and columns of the table as numbers: looking rows of different shapes up by name would be the slowest thing that
 * an order meets.
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
