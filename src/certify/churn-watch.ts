import type { Limits } from '../gate/limits.js';
import type { PlaceCommand } from '../model/command.js';
import type { Market } from '../model/market.js';
import type { OrderTerms } from '../model/order.js';
import type { Side } from '../model/side.js';
import {
  LEAST_ORDERS,
  MINUTE_MS,
  MOST_NUDGES,
  MOST_ORDERS_PER_FILL,
  MOST_ORDERS_PER_MINUTE,
  MOST_PER_WANT,
  MOST_STOPS,
  NUDGE_TICKS,
  PACE_SLACK,
  TEN_MINUTES_MS,
} from './bounds.js';
import { Recent } from './recent.js';
import type { RuleName } from './rule.js';

export interface ChurnWatchOptions {
  readonly market: Market;
  readonly limits: Limits;
  readonly breach: (rule: RuleName, what: string) => void;
}

/** How often orders are made, and what for: many that nobody ever trades with only cost requests, the venue's and ours. */
export class ChurnWatch {
  readonly #options: ChurnWatchOptions;
  readonly #sent = new Recent(MINUTE_MS);
  readonly #forWant = new Recent(TEN_MINUTES_MS);
  #want: number | undefined;
  readonly #placed = new Recent(TEN_MINUTES_MS);
  readonly #filled = new Recent(TEN_MINUTES_MS);
  readonly #stops = new Recent(TEN_MINUTES_MS);
  readonly #nudges = new Recent(TEN_MINUTES_MS);
  readonly #last: Partial<Record<Side, Pick<OrderTerms, 'ticks' | 'lots'>>> = {};

  constructor(options: ChurnWatchOptions) {
    this.#options = options;
  }

  /** The most orders of any minute. */
  get mostPerMinute(): number {
    return this.#sent.most;
  }

  filled(now: number): void {
    this.#forWant.clear();
    this.#stops.clear();
    this.#filled.add(now);
  }

  placed(now: number, { terms, want }: PlaceCommand): void {
    const { limits, breach } = this.#options;
    const count = this.#sent.add(now);
    const most = Math.ceil(PACE_SLACK * (limits.maxOrdersPerMinute ?? MOST_ORDERS_PER_MINUTE));
    if (count > most)
      breach('orders-per-minute', `orders in 60 s must be at most ${most}, received ${count}`);
    if (want !== undefined) this.#lookAtWant(now, want);
    // A stop protects without ever being filled.
    if (terms.trigger !== undefined) {
      this.#lookAtStops(now);
      return;
    }
    this.#lookForNudge(now, terms);
    this.#lookAtFills(now);
  }

  #lookAtStops(now: number): void {
    const stops = this.#stops.add(now);
    if (stops <= MOST_STOPS) return;
    this.#options.breach('churn', `${stops} orders within 10 minutes that only move a stop`);
  }

  #lookAtWant(now: number, want: number): void {
    if (want !== this.#want) this.#forWant.clear();
    this.#want = want;
    const replaced = this.#forWant.add(now);
    if (replaced <= MOST_PER_WANT) return;
    const what = `${replaced} orders within 10 minutes for one want that did not change, none of them filled`;
    this.#options.breach('churn', what);
  }

  #lookAtFills(now: number): void {
    const orders = this.#placed.add(now);
    const fills = this.#filled.count(now);
    if (orders < LEAST_ORDERS || orders < MOST_ORDERS_PER_FILL * Math.max(1, fills)) return;
    const what = `${orders} orders within 10 minutes, and ${fills === 0 ? 'none' : fills} of them filled`;
    this.#options.breach('churn', what);
  }

  /** It takes the place of one that was nearly the same, as far as the last order of that side tells. */
  #lookForNudge(now: number, { side, ticks, lots }: OrderTerms): void {
    const last = this.#last[side];
    this.#last[side] = { ticks, lots };
    if (ticks === undefined || last?.ticks === undefined || last.lots !== lots || last.ticks === ticks)
      return;
    const { tickSize } = this.#options.market.filters.price;
    if (Math.abs(ticks - last.ticks) > NUDGE_TICKS * tickSize) return;
    const nudges = this.#nudges.add(now);
    if (nudges <= MOST_NUDGES) return;
    const what = `${nudges} orders within 10 minutes that move the last one by ${NUDGE_TICKS} ticks at most`;
    this.#options.breach('churn', what);
  }
}
