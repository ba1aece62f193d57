import type { OrderRecord } from '../model/venue-records.js';
import { type Clock, sleep, type Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { type VenueApi, VenueError } from '../ports/venue-api.js';
import { AskedCancels } from './asked-cancels.js';
import type { OwnOrders } from './own-orders.js';
import type { PairWatch } from './pair-watch.js';

export interface CancelAllOptions {
  readonly api: Pick<VenueApi, 'cancelMany'>;
  readonly own: OwnOrders;
  readonly watches: readonly Pick<PairWatch, 'read' | 'list'>[];
  /** An order of ours, known or not. */
  readonly isOurs: (record: OrderRecord) => boolean;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  readonly visibilityMs: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Between two rounds, ms; also what separates the two lists of the proof when the venue shows everything at once. */
const ROUND_PAUSE_MS = 100;
const PROOFS = 2;

/**
 * Cancels and looks again until nothing of ours is active in two lists in a row that start far enough apart for every
 * write to show, and every order that was live has given its last report. What is known to live is canceled without a
 * look: cancels may get through where reads do not. Only lists prove anything. Ends early at the deadline.
 */
export async function cancelAllOwn(options: CancelAllOptions): Promise<void> {
  const { api, own, watches, isOurs, timers, clock, log, visibilityMs, deadlineMs, signal } = options;
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
      await cancels.askKnown(liveIds(own));
      if (looks) {
        const lists = await Promise.all(watches.map((watch) => watch.list()));
        const seen = lists
          .flat()
          .filter(isOurs)
          .map(({ id }) => id);
        const isNone = seen.length === 0 && liveIds(own).length === 0 && own.at('sent').length === 0;
        proofs = isNone ? proofs + 1 : 0;
        await cancels.askSeen(seen);
        for (const watch of watches) {
          for (const order of own.at('live')) await watch.read(order);
        }
      }
    } catch (error) {
      proofs = 0;
      heldBack = heldBackMs(error);
      const cause = String(error).replaceAll(/\d+/g, '#');
      // What our own client keeps back is for what was told already, and round by round it is the same.
      if (cause !== told && (heldBack === 0 || told === undefined)) {
        log.warn('the end of the orders cannot be proven yet', { error: String(error) });
        told = cause;
      }
    }
    if (proofs >= PROOFS && own.at('live').length === 0) return;
    const now = clock.monotonic();
    if (looks) readAt = now + Math.max(pause, heldBack);
    const next = Math.min(deadline, readAt, cancels.nextAt(liveIds(own)));
    await sleep(timers, Math.max(0, next - now), signal).catch(() => undefined);
  }
}

/** Orders of ours that no record has shown the end of. */
function liveIds(own: OwnOrders): readonly string[] {
  return own.at('live').flatMap(({ ended, orderId = '' }) => (ended || orderId === '' ? [] : [orderId]));
}

/** How long our own client lets no read through, ms: nothing is asked before. */
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
