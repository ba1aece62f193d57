/**
 * Derives the least commands that lead from the present position and orders to the want. Pure: it depends on nothing but its
 * arguments, so a restart, a lost answer and a partial fill need no code of their own.
 */
import { appended } from '../model/appended.js';
import type { Lots } from '../model/grid.js';
import { type OrderTerms, sameTerms } from '../model/order.js';
import type { Side } from '../model/side.js';
import { wholeLots } from '../model/whole-lots.js';
import type { OwnOrder } from './own-order.js';
import type { StandingWant } from './standing-want.js';
import { UnmatchedTerms } from './unmatched-terms.js';

export interface Plan {
  /** Orders that the want does not ask for and that can be cancelled now. */
  readonly cancel: readonly OwnOrder[];
  /** Orders that can be placed now. */
  readonly place: readonly OrderTerms[];
  /** Orders that have to wait until cancels are confirmed, the position is flat, or there is a position to reduce. */
  readonly wait: readonly OrderTerms[];
}

/** What became of orders of an `orders` want while it stood. */
export interface EndedOrders {
  /** Terms that have ended, whether filled whole or not. */
  readonly done: readonly OrderTerms[];
  /** The unfilled rests of those that ended partly filled: they are still wanted. */
  readonly rests: readonly OrderTerms[];
}

const NONE: readonly never[] = [];
const EMPTY: Plan = { cancel: NONE, place: NONE, wait: NONE };

/**
 * `live`: the strategy's orders that are not done. Orders that the strategy submitted itself are left alone, except by
 * `flat`. `lot`: the quantity step of the filter, in lots of the grid; `most`: the largest order that the filter lets pass. A
 * position that is larger is left in as many orders as it takes.
 */
export function plan(
  want: StandingWant,
  position: Lots,
  live: readonly OwnOrder[],
  { done, rests }: EndedOrders,
  lot: number,
  most = Number.POSITIVE_INFINITY,
): Plan {
  switch (want.kind) {
    case 'none':
      return EMPTY;
    case 'flat':
      return planTarget(0 as Lots, position, live, { lot, most });
    case 'position':
      return planTarget(want.lots, position, derived(live), { lot, most });
    case 'quote':
      return planQuote(want, live);
    case 'orders':
      return planOrders(rests.length === 0 ? want.orders : [...want.orders, ...rests], position, {
        live: derived(live),
        done,
      });
  }
}

/**
 * `plan` for a target while no order works or waits, without building lists: the one order that reaches the target, or
 * `none` when the target is held already. `undefined`: it takes more than one order, or the want is not a target.
 */
export function soleStep(
  want: StandingWant,
  position: Lots,
  lot: number,
  most = Number.POSITIVE_INFINITY,
): OrderTerms | 'none' | undefined {
  if (want.kind !== 'position' && want.kind !== 'flat') return undefined;
  const target = want.kind === 'flat' ? 0 : want.lots;
  if (target === position) return 'none';
  if (target * position < 0) return undefined;
  return market(target - position, Math.abs(target) < Math.abs(position), { lot, most });
}

function derived(live: readonly OwnOrder[]): readonly OwnOrder[] {
  if (live.length === 0) return live;
  return live.filter((order) => order.want !== undefined);
}

/**
 * One market order at a time. A target on the other side of zero takes two orders: a reduce-only one to flat, and the
 * opening one only once the position is known to be flat. A duplicated POST then overshoots by at most one order.
 */
function planTarget(target: Lots, position: Lots, live: readonly OwnOrder[], sizes: Sizes): Plan {
  if (target === position) {
    return live.length === 0 ? EMPTY : { cancel: live.filter(isCancellable), place: NONE, wait: NONE };
  }
  const flips = target * position < 0;
  const first = flips
    ? market(-position, true, sizes)
    : market(target - position, Math.abs(target) < Math.abs(position), sizes);
  const rest = flips ? [market(target, false, sizes)] : NONE;
  if (live.length === 0) return { cancel: NONE, place: [first], wait: rest };
  const only = live.length === 1 ? live[0] : undefined;
  if (only !== undefined && carriesOut(only, first, sizes)) return { cancel: NONE, place: NONE, wait: rest };
  return { cancel: live.filter(isCancellable), place: NONE, wait: [first, ...rest] };
}

interface Sizes {
  readonly lot: number;
  readonly most: number;
}

/** Only an exit is cut to the largest order: what adds risk and is too large has to be refused, with its reason. */
function market(signedLots: number, reduceOnly: boolean, { lot, most }: Sizes): OrderTerms {
  const size = Math.abs(signedLots);
  return {
    side: signedLots > 0 ? 'buy' : 'sell',
    type: 'market',
    ticks: undefined,
    lots: wholeLots(reduceOnly ? Math.min(size, most) : size, lot) as Lots,
    timeInForce: 'IOC',
    postOnly: false,
    reduceOnly,
    trigger: undefined,
  };
}

/** The order's unfilled rest is exactly the step that is still to be done, or a part of one that takes several orders. */
function carriesOut(order: OwnOrder, step: OrderTerms, { lot, most }: Sizes): boolean {
  const isPart = step.reduceOnly && step.lots === wholeLots(most, lot) && order.leaves < step.lots;
  return (
    order.state !== 'pending-cancel' &&
    (order.leaves === step.lots || isPart) &&
    order.terms.side === step.side &&
    order.terms.type === 'market' &&
    order.terms.reduceOnly === step.reduceOnly
  );
}

/**
 * Replaces the quote of a side: the old order is cancelled first, and the new one follows when that is confirmed. So there
 * are never two orders of one side at the venue, and a quote takes no more of the exposure limit than its quantity.
 */
function planQuote(want: Extract<StandingWant, { kind: 'quote' }>, live: readonly OwnOrder[]): Plan {
  const bid = keptQuote('buy', want.bid, live);
  const ask = keptQuote('sell', want.ask, live);
  let cancel: readonly OwnOrder[] = NONE;
  for (const order of live) {
    if (order.want === undefined || order.terms.side !== 'buy') continue;
    if (order !== bid && order.isCancellable) cancel = appended(cancel, order);
  }
  for (const order of live) {
    if (order.want === undefined || order.terms.side !== 'sell') continue;
    if (order !== ask && order.isCancellable) cancel = appended(cancel, order);
  }
  let place: readonly OrderTerms[] = NONE;
  let wait: readonly OrderTerms[] = NONE;
  if (want.bid !== undefined && bid === undefined) place = [want.bid];
  else if (want.bid !== undefined && bid === 'another') wait = [want.bid];
  if (want.ask !== undefined && ask === undefined) place = appended(place, want.ask);
  else if (want.ask !== undefined && ask === 'another') wait = appended(wait, want.ask);
  return { cancel, place, wait };
}

/** The order of a side with the wanted terms; `another`: the side has only other orders; `undefined`: it has none. */
function keptQuote(
  side: Side,
  terms: OrderTerms | undefined,
  live: readonly OwnOrder[],
): OwnOrder | 'another' | undefined {
  let found: 'another' | undefined;
  for (const order of live) {
    if (order.want === undefined || order.terms.side !== side) continue;
    if (terms !== undefined && order.state !== 'pending-cancel' && sameTerms(order.terms, terms))
      return order;
    found = 'another';
  }
  return found;
}

/** A reduce-only order waits until there is a position that it can reduce: the venue would reject it each time. */
function planOrders(
  wanted: readonly OrderTerms[],
  position: Lots,
  { live, done }: { readonly live: readonly OwnOrder[]; readonly done: readonly OrderTerms[] },
): Plan {
  const open = without(wanted, done);
  const unmatched = new UnmatchedTerms(live.map(({ terms }) => terms));
  const place: OrderTerms[] = [];
  const wait: OrderTerms[] = [];
  for (const terms of open) {
    const at = unmatched.take(terms);
    if (at === -1) (canReduce(terms, position) ? place : wait).push(terms);
    else if (live[at]?.state === 'pending-cancel') wait.push(terms);
  }
  const cancel = live.filter((order, at) => !unmatched.isTaken(at) && order.isCancellable);
  return { cancel, place, wait };
}

function canReduce({ reduceOnly, side }: OrderTerms, position: Lots): boolean {
  return !reduceOnly || (side === 'buy' ? position < 0 : position > 0);
}

/** `wanted` without one equal entry for each entry of `done`. */
export function without(wanted: readonly OrderTerms[], done: readonly OrderTerms[]): readonly OrderTerms[] {
  if (done.length === 0) return wanted;
  const left = new UnmatchedTerms([...done]);
  return wanted.filter((terms) => left.take(terms) === -1);
}

function isCancellable(order: OwnOrder): boolean {
  return order.isCancellable;
}
