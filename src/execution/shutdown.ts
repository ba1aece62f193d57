import type { OrderRecord } from '../model/venue-records.js';
import { type Clock, sleep, type Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { type VenueApi, VenueError } from '../ports/venue-api.js';
import { AskedCancels } from './asked-cancels.js';
import type { OwnOrders } from './own-orders.js';
import type { PairWatch } from './pair-watch.js';
import type { TrackedOrder } from './tracked-order.js';

export interface CancelAllOptions {
  readonly api: Pick<VenueApi, 'cancelMany'>;
  readonly own: OwnOrders;
  readonly watch: Pick<PairWatch, 'read' | 'list'>;
  /** True for an order of ours, whether or not the books know its id. */
  readonly isOurs: (record: OrderRecord) => boolean;
  /** True for a live order of ours that is to stay. Asked in each round, since fills may change the answer. */
  readonly isKept: (order: TrackedOrder) => boolean;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  readonly visibilityMs: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Least pause between two rounds, ms. It also separates the two lists of the proof where `visibilityMs` is shorter. */
const ROUND_PAUSE_MS = 100;
const PROOFS = 2;

/**
 * Cancels until two lists in a row, far enough apart for every write to show, hold no active or waiting order of ours but
 * those that are kept, and every other live order has given its last report. Orders that the books hold as live are canceled
 * without a read before, since cancels may get through where reads do not; but only lists prove the end. Gives up at the
 * deadline.
 */
export async function cancelAllOwn(options: CancelAllOptions): Promise<void> {
  const { api, own, watch, isOurs, isKept, timers, clock, log, visibilityMs, deadlineMs, signal } = options;
  const deadline = clock.monotonic() + deadlineMs;
  const pause = Math.max(ROUND_PAUSE_MS, visibilityMs);
  const cancels = new AskedCancels(api, clock);
  let proofs = 0;
  let readAt = clock.monotonic();
  let told: string | undefined;
  while (clock.monotonic() < deadline && !signal.aborted) {
    const looks = clock.monotonic() >= readAt;
    let heldBack = 0;
    try {
      await cancels.askKnown(liveIds(ending()));
      if (looks) {
        const list = await watch.list();
        const kept = new Set(own.at('live').flatMap((order) => (isKept(order) ? [order.orderId] : [])));
        const seen = list.filter((record) => isOurs(record) && !kept.has(record.id)).map(({ id }) => id);
        const isNone = seen.length === 0 && liveIds(ending()).length === 0 && own.at('sent').length === 0;
        proofs = isNone ? proofs + 1 : 0;
        await cancels.askSeen(seen);
        for (const order of own.at('live')) await watch.read(order);
      }
    } catch (error) {
      proofs = 0;
      heldBack = heldBackMs(error);
      const cause = String(error).replaceAll(/\d+/g, '#');
      // A read that our own client holds back follows from a failure that was logged before: do not log it again each round.
      if (cause !== told && (heldBack === 0 || told === undefined)) {
        log.warn('the end of the orders cannot be proven yet', { error: String(error) });
        told = cause;
      }
    }
    if (proofs >= PROOFS && ending().length === 0) return;
    const now = clock.monotonic();
    if (looks) readAt = now + Math.max(pause, heldBack);
    const next = Math.min(deadline, readAt, cancels.nextAt(liveIds(ending())));
    await sleep(timers, Math.max(0, next - now), signal).catch(() => undefined);
  }

  /** Live orders of ours that have to end. */
  function ending(): readonly TrackedOrder[] {
    return own.at('live').filter((order) => !isKept(order));
  }
}

/** Ids of orders for which no record has shown a final status. */
function liveIds(orders: readonly TrackedOrder[]): readonly string[] {
  return orders.flatMap(({ ended, orderId = '' }) => (ended || orderId === '' ? [] : [orderId]));
}

/** How long our own client holds reads back, ms; 0: it does not. A request before that is in vain. */
function heldBackMs(error: unknown): number {
  return error instanceof VenueError && error.kind === 'unreachable' ? (error.retryAfterMs ?? 0) : 0;
}

/** Resolves when nothing is under way any more, or after `ms`. */
export async function settledWithin(
  ms: number,
  timers: Timers,
  clock: Clock,
  underWay: () => ReadonlySet<Promise<void>>,
): Promise<void> {
  const deadline = clock.monotonic() + ms;
  while (underWay().size > 0 && clock.monotonic() < deadline) {
    const over = new AbortController();
    const timeout = sleep(timers, deadline - clock.monotonic(), over.signal).catch(() => undefined);
    await Promise.race([Promise.allSettled(underWay()), timeout]);
    over.abort(new Error('settled'));
  }
}
