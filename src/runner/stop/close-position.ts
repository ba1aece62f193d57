import { lotsOf } from '../../execution/cut.js';
import type { Execution } from '../../execution/execution.js';
import { check, isRefusal } from '../../gate/gate.js';
import { NO_LIMITS } from '../../gate/limits.js';
import { Risk } from '../../gate/risk.js';
import { type Lots, textOf } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { FLAT } from '../../model/position.js';
import type { ExecutionReport } from '../../model/report.js';
import { wholeLots } from '../../model/whole-lots.js';
import { type Clock, sleep, type Timers } from '../../ports/clock.js';
import type { VenueApi } from '../../ports/venue-api.js';
import type { CloseOrder } from './stop-proof.js';

export interface CloseOptions {
  readonly api: Pick<VenueApi, 'position'>;
  readonly execution: Pick<Execution, 'send' | 'reports$'>;
  readonly market: Market;
  /** True for an intent that was sent and that the venue cannot execute any more. */
  readonly isOver: (intent: number) => Promise<boolean>;
  /** Gives the next intent number. */
  readonly nextIntent: () => number;
  /** Largest quantity of one order, lots; `undefined`: what the pair's filter allows. */
  readonly slice: Lots | undefined;
  readonly visibilityMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Monotonic ms. */
  readonly deadline: number;
}

export interface Closing {
  /** Lots, signed, at the first and at the last read; `undefined`: no read worked. */
  readonly before: Lots | undefined;
  readonly after: Lots | undefined;
  /** Reads in a row, at the end, that showed no position. */
  readonly flatReads: number;
  readonly closes: readonly CloseOrder[];
  readonly failure: string | undefined;
}

const PROOFS = 2;
const LEAST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** The longest wait for the end of one order, ms. After it the position tells what the order did. */
const ORDER_MS = 15_000;
const OVER_LOOK_MS = 250;

/**
 * Closes a position with reduce-only market orders in slices. Each is sent once, for the position that the venue has just
 * shown. Whatever is lost or doubled on the way, a reduce-only order cannot turn the position round.
 */
export async function closePosition(options: CloseOptions): Promise<Closing> {
  const { api, market, visibilityMs, clock, timers, deadline, slice } = options;
  const closes: CloseOrder[] = [];
  let before: Lots | undefined;
  let after: Lots | undefined;
  let flatReads = 0;
  let failure: string | undefined;
  let pause = Math.max(LEAST_PAUSE_MS, visibilityMs);
  const { max, step: lot } = market.filters.quantity;
  // At least one step of the filter, or the gate would refuse the order.
  const largest = Math.max(lot, Math.min(slice ?? Number.POSITIVE_INFINITY, max));
  for (;;) {
    try {
      after = lotsOf(market, await api.position(market.pair));
      before ??= after;
      flatReads = after === 0 ? flatReads + 1 : 0;
      if (after === 0) failure = undefined;
      // One more order at the very end would not be heard of, and would only hide why those before it did nothing.
      else if (closes.length === 0 || clock.monotonic() < deadline) {
        const closed = await closeOnce(
          options,
          after,
          wholeLots(Math.min(Math.abs(after), largest), lot) as Lots,
        );
        closes.push(closed.order);
        failure = closed.failure;
        pause = closed.failure === undefined ? Math.max(LEAST_PAUSE_MS, visibilityMs) : longer(pause);
      }
    } catch (error) {
      flatReads = 0;
      failure = error instanceof Error ? error.message : String(error);
      pause = longer(pause);
    }
    if (flatReads >= PROOFS || clock.monotonic() >= deadline) break;
    await sleep(timers, Math.min(pause, Math.max(0, deadline - clock.monotonic())));
  }
  return { before, after, flatReads, closes, failure };
}

async function closeOnce(
  { execution, market, nextIntent, isOver, timers, clock, deadline }: CloseOptions,
  position: Lots,
  lots: Lots,
): Promise<{ readonly order: CloseOrder; readonly failure: string | undefined }> {
  const intent = nextIntent();
  const side = position > 0 ? 'sell' : 'buy';
  const terms = {
    side,
    type: 'market',
    ticks: undefined,
    lots,
    timeInForce: 'IOC',
    postOnly: false,
    reduceOnly: true,
  } as const;
  const command = { kind: 'place', intentId: intent, pair: market.pair, terms, want: undefined } as const;
  const facts = { now: 0, lastPrice: Number.NaN, position: FLAT };
  const verdict = check(
    market,
    NO_LIMITS,
    new Risk({ market, limits: NO_LIMITS, funds: undefined, facts }),
    command,
  );
  const told = (outcome: string, failure?: string) => ({
    order: { intent, side, quantity: textOf(market.quantityGrid, lots), outcome } as const,
    failure,
  });
  if (isRefusal(verdict)) return told(`refused: ${verdict.reason}`, verdict.reason);
  const over = new AbortController();
  const ended = new Promise<string>((resolve) => {
    let filled = 0;
    const listening = execution.reports$.subscribe((report) => {
      if (!('intentId' in report) || report.intentId !== intent) return;
      if (report.kind === 'filled') filled += report.fill.lots;
      const outcome = outcomeOf(report, filled, lots);
      if (outcome !== undefined) resolve(outcome);
    });
    over.signal.addEventListener('abort', () => listening.unsubscribe(), { once: true });
  });
  execution.send(verdict);
  const waited = Math.min(ORDER_MS, Math.max(0, deadline - clock.monotonic()));
  const late = sleep(timers, waited, over.signal).then(
    () => 'in doubt: not heard of in time',
    () => '',
  );
  const outcome = await Promise.race([ended, late, dead()]);
  over.abort(new Error('heard'));
  return told(outcome, /^(rejected|in doubt|canceled unfilled)/.test(outcome) ? outcome : undefined);

  /** Ends the wait for an order that cannot be executed any more: the position tells what it did. */
  async function dead(): Promise<string> {
    for (;;) {
      await sleep(timers, OVER_LOOK_MS, over.signal).catch(() => undefined);
      if (over.signal.aborted) return '';
      if (await isOver(intent)) return 'in doubt: not heard of while it could be executed';
    }
  }
}

function outcomeOf(report: ExecutionReport, filled: number, lots: Lots): string | undefined {
  switch (report.kind) {
    case 'rejected':
      return `rejected: ${report.reason}`;
    case 'canceled':
      // All fills of an order are told before its end.
      return `${filled > 0 ? 'canceled' : 'canceled unfilled'}: ${report.reason}`;
    case 'filled':
      return filled >= lots ? 'filled' : undefined;
    default:
      return undefined;
  }
}

function longer(pause: number): number {
  return Math.min(LONGEST_PAUSE_MS, 2 * pause);
}
