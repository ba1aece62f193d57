import { type Clock, sleep, type Timers } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { CancelOutcome, VenueApi } from '../ports/venue-api.js';
import type { PairWatch } from './pair-watch.js';
import type { TrackedOrder } from './tracked-order.js';

export interface CancellationOptions {
  readonly api: Pick<VenueApi, 'cancel'>;
  readonly watch: Pick<PairWatch, 'read'>;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** How long an answered cancel may take to show in reads, ms. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

/** The most requests for one cancel. A cancel is idempotent by order id, so repeating it is harmless. */
const ATTEMPTS = 5;
const BASE_PAUSE_MS = 100;

/**
 * Cancels an order and reads it until the venue shows its end, since a cancel's own answer proves nothing. Resolves to
 * why the order is still alive, or to `undefined` when it has ended, by this cancel or otherwise.
 *
 * @throws the signal's reason when it aborts.
 */
export async function cancelUntilEnded(
  order: TrackedOrder,
  options: CancellationOptions,
): Promise<string | undefined> {
  const { timers, signal } = options;
  let reason = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(timers, BASE_PAUSE_MS * 2 ** attempt, signal);
    if (isOver(order)) return undefined;
    const outcome = await ask(order, options);
    const patience = outcome.kind === 'answered' ? options.settleMs : 0;
    const seen = await lookForEnd(order, patience, options);
    if (isOver(order)) return undefined;
    reason = outcome.kind === 'answered' ? 'the cancellation was answered and does not show' : outcome.reason;
    if (outcome.kind === 'refused' && seen) return reason;
  }
  return reason;
}

function isOver(order: TrackedOrder): boolean {
  return order.stage === 'done' || order.ended;
}

async function ask(order: TrackedOrder, { api, log }: CancellationOptions): Promise<CancelOutcome> {
  try {
    return await api.cancel(order.orderId ?? '');
  } catch (error) {
    log.error('the client failed on a cancel', { orderId: order.orderId, error: String(error) });
    return { kind: 'unanswered', reason: String(error) };
  }
}

/** Reads the order at least once, and until it has ended or `patienceMs` is over. True when the last read worked. */
async function lookForEnd(
  order: TrackedOrder,
  patienceMs: number,
  { watch, timers, clock, signal }: CancellationOptions,
): Promise<boolean> {
  const until = clock.monotonic() + patienceMs;
  for (let look = 0; ; look++) {
    const seen = await watch.read(order);
    const pause = BASE_PAUSE_MS * 2 ** look;
    if (isOver(order) || clock.monotonic() + pause > until) return seen;
    await sleep(timers, pause, signal);
  }
}
