import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import type { Clock } from '../ports/clock.js';
import type { Chronicle } from './chronicle.js';
import type { Cut } from './cut.js';
import type { OwnOrders } from './own-orders.js';

export interface TriggerLooksOptions {
  readonly market: Market;
  readonly own: OwnOrders;
  readonly chronicle: Chronicle;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly lateMs: number;
  readonly visibilityMs: number;
  /** Venue ms. */
  readonly now: () => number;
}

/** An order may have to wait so long for its connection after it was journalled, ms. */
const LEAVING_MS = 10_000;
/** How long an order that was judged not placed is looked for among the waiting ones, ms. */
const BURIED_MS = 600_000;

/**
 * Decides when a look has to read the venue's list of waiting triggers, which no other list holds. It does while an order
 * of ours may be in that list: one that is open, one that the network makes of a POST that it delivered twice, or one that
 * was given up and arrives after all. A pair that never had an order with a trigger costs no request.
 */
export class TriggerLooks {
  readonly #options: TriggerLooksOptions;
  #forget: (() => void) | undefined;
  /** The journal knows an order with a trigger, of this life or an earlier one. */
  #hasSent = false;
  /** Monotonic ms from which a look shows all that sent requests became; `undefined`: such a look was made. */
  #settledAt: number | undefined;

  constructor(options: TriggerLooksOptions) {
    this.#options = options;
  }

  /** Begins to listen for orders that leave. What an earlier life sent may arrive as late as if it had left now. */
  start(): void {
    const { chronicle, market } = this.#options;
    const { pair } = market;
    if (chronicle.books.intents(pair).some(({ terms }) => hasTrigger(terms))) this.#sent();
    this.#forget ??= chronicle.hear((record) => {
      if (record.kind === 'prep' && record.pair === pair && hasTrigger(record.terms)) this.#sent();
    });
  }

  stop(): void {
    this.#forget?.();
  }

  get isNeeded(): boolean {
    if (!this.#hasSent) return false;
    if (this.#settledAt !== undefined) return true;
    const { own, chronicle, market, now } = this.#options;
    if (own.all().some(({ terms, stage }) => stage !== 'queued' && hasTrigger(terms))) return true;
    return chronicle.books.tombstones(market.pair, now() - BURIED_MS).some(({ terms }) => hasTrigger(terms));
  }

  /** Takes in a look that has read the list. */
  looked({ startedAt, lack }: Pick<Cut, 'startedAt' | 'lack'>): void {
    if (lack === undefined && startedAt >= (this.#settledAt ?? 0)) this.#settledAt = undefined;
  }

  #sent(): void {
    const { clock, lateMs, visibilityMs } = this.#options;
    this.#hasSent = true;
    this.#settledAt = clock.monotonic() + LEAVING_MS + lateMs + visibilityMs;
  }
}

function hasTrigger({ trigger }: OrderTerms): boolean {
  return trigger !== undefined;
}
