/**
 * From what is wanted and what is real to the least commands that get there. Pure: the same question always has the
 * same answer, so a restart, a lost answer and a partial fill need no code of their own.
 */
import type { Lots } from '../model/grid.js';
import type { OrderTerms } from '../model/order.js';
import type { OwnOrder } from './own-order.js';
import { sameTerms } from './own-order.js';
import type { StandingWant } from './standing-want.js';

export interface Plan {
  /** Orders that stand in the way and can be cancelled now. */
  readonly cancel: readonly OwnOrder[];
  /** What can be placed now. */
  readonly place: readonly OrderTerms[];
  /** What comes next, once cancels are confirmed or a position is known to be flat. */
  readonly wait: readonly OrderTerms[];
}

const NONE: readonly never[] = [];
const EMPTY: Plan = { cancel: NONE, place: NONE, wait: NONE };

/**
 * `live` are the strategy's orders that are not done. `done` are terms of an `orders` want that ran to their end
 * while it stood. Orders that the strategy submitted itself are left alone, except by `flat`.
 */
export function plan(
  want: StandingWant,
  position: Lots,
  live: readonly OwnOrder[],
  done: readonly OrderTerms[],
): Plan {
  switch (want.kind) {
    case 'none':
      return EMPTY;
    case 'flat':
      return planTarget(0 as Lots, position, live);
    case 'position':
      return planTarget(want.lots, position, derived(live));
    case 'quote':
      return planQuote(want, derived(live));
    case 'orders':
      return planOrders(want.orders, derived(live), done);
  }
}

function derived(live: readonly OwnOrder[]): readonly OwnOrder[] {
  if (live.length === 0) return live;
  return live.filter((order) => order.want !== undefined);
}

/**
 * One market order at a time. A target on the other side of zero is two: reduce-only to flat, and the opening one only
 * once the position is known to be flat.
 */
function planTarget(target: Lots, position: Lots, live: readonly OwnOrder[]): Plan {
  if (target === position) {
    return live.length === 0 ? EMPTY : { cancel: live.filter(isCancellable), place: NONE, wait: NONE };
  }
  const flips = target * position < 0;
  const first = flips
    ? market(-position, true)
    : market(target - position, Math.abs(target) < Math.abs(position));
  const rest = flips ? [market(target, false)] : NONE;
  if (live.length === 0) return { cancel: NONE, place: [first], wait: rest };
  const only = live.length === 1 ? live[0] : undefined;
  if (only !== undefined && carriesOut(only, first)) return { cancel: NONE, place: NONE, wait: rest };
  return { cancel: live.filter(isCancellable), place: NONE, wait: [first, ...rest] };
}

function market(signedLots: number, reduceOnly: boolean): OrderTerms {
  return {
    side: signedLots > 0 ? 'buy' : 'sell',
    type: 'market',
    ticks: undefined,
    lots: Math.abs(signedLots) as Lots,
    timeInForce: 'IOC',
    postOnly: false,
    reduceOnly,
  };
}

/** The order's rest is just what is still to be done. */
function carriesOut(order: OwnOrder, step: OrderTerms): boolean {
  return (
    order.state !== 'pending-cancel' &&
    order.leaves === step.lots &&
    order.terms.side === step.side &&
    order.terms.type === 'market' &&
    order.terms.reduceOnly === step.reduceOnly
  );
}

function planQuote(want: Extract<StandingWant, { kind: 'quote' }>, live: readonly OwnOrder[]): Plan {
  const bid = planQuoteSide(
    want.bid,
    live.filter((order) => order.terms.side === 'buy'),
  );
  const ask = planQuoteSide(
    want.ask,
    live.filter((order) => order.terms.side === 'sell'),
  );
  return {
    cancel: [...bid.cancel, ...ask.cancel],
    place: [...bid.place, ...ask.place],
    wait: [...bid.wait, ...ask.wait],
  };
}

/**
 * The old order is cancelled first and the new one follows when that is confirmed: never two orders of one side at the
 * venue, so a quote never takes more of the exposure limit than its quantity.
 */
function planQuoteSide(terms: OrderTerms | undefined, live: readonly OwnOrder[]): Plan {
  if (live.length === 0) return terms === undefined ? EMPTY : { cancel: NONE, place: [terms], wait: NONE };
  const kept =
    terms && live.find((order) => order.state !== 'pending-cancel' && sameTerms(order.terms, terms));
  return {
    cancel: live.filter((order) => order !== kept && order.isCancellable),
    place: [],
    wait: terms === undefined || kept !== undefined ? [] : [terms],
  };
}

function planOrders(
  wanted: readonly OrderTerms[],
  live: readonly OwnOrder[],
  done: readonly OrderTerms[],
): Plan {
  const open = without(wanted, done);
  const unmatched = [...live];
  const place: OrderTerms[] = [];
  const wait: OrderTerms[] = [];
  for (const terms of open) {
    const at = unmatched.findIndex((order) => sameTerms(order.terms, terms));
    const match = at === -1 ? undefined : unmatched.splice(at, 1)[0];
    if (match === undefined) place.push(terms);
    else if (match.state === 'pending-cancel') wait.push(terms);
  }
  return { cancel: unmatched.filter(isCancellable), place, wait };
}

/** The terms that are left when each of `done` takes one of its kind away. */
export function without(wanted: readonly OrderTerms[], done: readonly OrderTerms[]): readonly OrderTerms[] {
  if (done.length === 0) return wanted;
  const left = [...done];
  return wanted.filter((terms) => {
    const at = left.findIndex((other) => sameTerms(other, terms));
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

function isCancellable(order: OwnOrder): boolean {
  return order.isCancellable;
}
