import type { OrderRecord } from '../model/venue-records.js';
import { type Clock, sleep, type Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { type VenueApi, VenueError } from '../ports/venue-api.js';
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
 * write to show, and every order that was live has given its last report. Ends early at the deadline.
 */
export async function cancelAllOwn(options: CancelAllOptions): Promise<void> {
  const { own, watches, isOurs, timers, clock, log, visibilityMs, deadlineMs, signal } = options;
  const deadline = clock.monotonic() + deadlineMs;
  const pause = Math.max(ROUND_PAUSE_MS, visibilityMs);
  let proofs = 0;
  let told: string | undefined;
  while (clock.monotonic() < deadline && !signal.aborted) {
    let wait = pause;
    try {
      const lists = await Promise.all(watches.map((watch) => watch.list()));
      const alive = lists
        .flat()
        .filter(isOurs)
        .map(({ id }) => id);
      const pending = own.at('live').filter((order) => !order.ended);
      const ids = new Set([...alive, ...pending.map(({ orderId }) => orderId ?? '')]);
      ids.delete('');
      proofs = ids.size === 0 && own.at('sent').length === 0 ? proofs + 1 : 0;
      await cancelEach(options.api, [...ids]);
      for (const watch of watches) {
        for (const order of own.at('live')) await watch.read(order);
      }
    } catch (error) {
      proofs = 0;
      const heldBack = heldBackMs(error);
      wait = Math.max(pause, heldBack);
      const cause = String(error).replaceAll(/\d+/g, '#');
      // What our own client keeps back is for what was told already, and round by round it is the same.
      if (cause !== told && (heldBack === 0 || told === undefined)) {
        log.warn('orders cannot be canceled yet', { error: String(error) });
        told = cause;
      }
    }
    if (proofs >= PROOFS && own.at('live').length === 0) return;
    await sleep(timers, Math.min(wait, Math.max(0, deadline - clock.monotonic())), signal).catch(
      () => undefined,
    );
  }
}

/** How long our own client lets no read through, ms: nothing is asked before. */
function heldBackMs(error: unknown): number {
  return error instanceof VenueError && error.kind === 'unreachable' ? (error.retryAfterMs ?? 0) : 0;
}

/** Without ids the venue would cancel every order of the account, so none is asked for. */
async function cancelEach(api: Pick<VenueApi, 'cancelMany'>, ids: readonly string[]): Promise<void> {
  const [first, ...rest] = ids;
  if (first !== undefined) await api.cancelMany([first, ...rest]);
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
