import type { Lots } from '../model/grid.js';
import type { OrderTerms } from '../model/order.js';
import { wholeLots } from '../model/whole-lots.js';
import type { OwnOrder } from './own-order.js';
import type { StandingWant } from './standing-want.js';

export interface StopPlan {
  /** Stops that are not wanted and can be cancelled now. */
  readonly cancel: readonly OwnOrder[];
  /** The stop that is missing and can be placed now. */
  readonly place: OrderTerms | undefined;
  /** The stop that is missing, and has to wait until the venue has answered for those before it. */
  readonly wait: OrderTerms | undefined;
}

/** Stops of one side at once: the one that protects, and the one that is to replace it. */
const MOST_STOPS = 2;

/**
 * The stops that have to wait at the venue. Pure, like `plan`. `stops`: the live orders with a trigger.
 *
 * A stop is as large as the target, or the position where that is larger: reduce-only, it never executes more than is held,
 * so it need not follow partial fills. A stop that moves is placed before the old one is cancelled, and stops stay until
 * what they protect is closed: the position is bare only from its first fill to the venue's answer. A stop that moves
 * again before the venue has answered waits for the answer, or a slow venue would get an order with each move.
 */
export function planStop(
  want: StandingWant,
  position: Lots,
  stops: readonly OwnOrder[],
  lot: number,
  most = Number.POSITIVE_INFINITY,
): StopPlan {
  const target = want.kind === 'position' ? want.lots : want.kind === 'flat' ? 0 : undefined;
  const isKept = target !== undefined && position !== 0;
  const isOpening = isKept && target * position > 0;
  if (!isKept || (isOpening && (want.kind !== 'position' || want.stop === undefined))) {
    return { cancel: stops.filter(isCancellable), place: undefined, wait: undefined };
  }
  const side = position > 0 ? 'sell' : 'buy';
  const strays = stops.filter((order) => order.terms.side !== side && order.isCancellable);
  if (!isOpening || want.kind !== 'position' || want.stop === undefined) {
    return { cancel: strays, place: undefined, wait: undefined };
  }
  const wanted = Math.max(Math.abs(target), Math.abs(position));
  const lots = wholeLots(Math.min(wanted, most), lot) as Lots;
  const at = want.stop;
  const protecting = stops.filter(({ terms }) => terms.side === side);
  const fitting = protecting.filter(
    ({ terms, leaves, state }) => terms.trigger?.ticks === at && leaves >= lots && state !== 'pending-cancel',
  );
  const kept = fitting.find(({ state }) => state === 'working') ?? fitting[0];
  if (kept !== undefined) {
    return {
      cancel: kept.state === 'working' ? allBut(kept, stops) : strays,
      place: undefined,
      wait: undefined,
    };
  }
  const missing: OrderTerms = {
    side,
    type: 'market',
    ticks: undefined,
    lots,
    timeInForce: 'IOC',
    postOnly: false,
    reduceOnly: true,
    trigger: { ticks: at, event: 'last' },
  };
  if (protecting.length < MOST_STOPS) return { cancel: strays, place: missing, wait: undefined };
  // None of them is wanted any more: the newest that works protects until the missing one does, the others make room.
  const newest = protecting.findLast(({ state }) => state === 'working');
  return { cancel: newest === undefined ? strays : allBut(newest, stops), place: undefined, wait: missing };
}

function allBut(kept: OwnOrder, stops: readonly OwnOrder[]): readonly OwnOrder[] {
  return stops.filter((order) => order !== kept && order.isCancellable);
}

function isCancellable(order: OwnOrder): boolean {
  return order.isCancellable;
}
