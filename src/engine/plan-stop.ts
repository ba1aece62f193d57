import type { Lots } from '../model/grid.js';
import type { OrderTerms } from '../model/order.js';
import { wholeLots } from '../model/whole-lots.js';
import type { OwnOrder } from './own-order.js';
import type { StandingWant } from './standing-want.js';

export interface StopPlan {
  /** Stops that are not wanted and can be cancelled now. */
  readonly cancel: readonly OwnOrder[];
  /** The stop that is missing. */
  readonly place: OrderTerms | undefined;
}

const NONE: readonly never[] = [];

/**
 * The stops that have to wait at the venue. Pure, like `plan`. `stops`: the live orders with a trigger.
 *
 * A stop is as large as the target, or the position where that is larger: reduce-only, it never executes more than is held,
 * so it need not follow partial fills. A stop that moves is placed before the old one is cancelled, and stops stay until
 * what they protect is closed: the position is bare only from its first fill to the venue's answer.
 */
export function planStop(
  want: StandingWant,
  position: Lots,
  stops: readonly OwnOrder[],
  lot: number,
): StopPlan {
  const target = want.kind === 'position' ? want.lots : want.kind === 'flat' ? 0 : undefined;
  const isKept = target !== undefined && position !== 0;
  const isOpening = isKept && target * position > 0;
  if (!isKept || (isOpening && (want.kind !== 'position' || want.stop === undefined))) {
    return { cancel: stops.filter(isCancellable), place: undefined };
  }
  const side = position > 0 ? 'sell' : 'buy';
  const strays = stops.filter((order) => order.terms.side !== side && order.isCancellable);
  if (!isOpening || want.kind !== 'position' || want.stop === undefined) {
    return { cancel: strays, place: undefined };
  }
  const lots = wholeLots(Math.max(Math.abs(target), Math.abs(position)), lot) as Lots;
  const at = want.stop;
  const fitting = stops.filter(
    ({ terms, leaves, state }) =>
      terms.side === side && terms.trigger?.ticks === at && leaves >= lots && state !== 'pending-cancel',
  );
  const kept = fitting.find(({ state }) => state === 'working') ?? fitting[0];
  if (kept === undefined) {
    const place: OrderTerms = {
      side,
      type: 'market',
      ticks: undefined,
      lots,
      timeInForce: 'IOC',
      postOnly: false,
      reduceOnly: true,
      trigger: { ticks: at, event: 'last' },
    };
    return { cancel: strays, place };
  }
  if (kept.state !== 'working') return { cancel: strays, place: undefined };
  const cancel = stops.filter((order) => order !== kept && order.isCancellable);
  return { cancel: cancel.length === 0 ? NONE : cancel, place: undefined };
}

function isCancellable(order: OwnOrder): boolean {
  return order.isCancellable;
}
