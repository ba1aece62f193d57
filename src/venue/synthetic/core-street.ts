import type { Lots, Ticks } from '../../model/grid.js';
import type { OrderTerms } from '../../model/order.js';
import type { Side } from '../../model/side.js';
import type { VenueCore } from '../core/venue-core.js';
import type { Street, StreetOrder } from './street.js';

/** The street's account on a venue core. It has no margin and no fees; its orders are matched like those of clients. */
export class CoreStreet implements Street {
  readonly #core: VenueCore;
  readonly #pair: string;
  /** Venue time of the next action, ms. */
  now: number;

  constructor(core: VenueCore, pair: string, now: number) {
    this.#core = core;
    this.#pair = pair;
    this.now = now;
  }

  get bestBid(): Ticks | undefined {
    return this.#core.touch(this.#pair).bid;
  }

  get bestAsk(): Ticks | undefined {
    return this.#core.touch(this.#pair).ask;
  }

  rest(side: Side, ticks: Ticks, lots: Lots): StreetOrder | undefined {
    const order = this.#place({
      side,
      type: 'limit',
      ticks,
      lots,
      timeInForce: 'GTC',
      postOnly: true,
      reduceOnly: false,
    });
    return order?.status === 'active' ? order : undefined;
  }

  take(side: Side, limit: Ticks, lots: Lots): void {
    this.#place({
      side,
      type: 'limit',
      ticks: limit,
      lots,
      timeInForce: 'IOC',
      postOnly: false,
      reduceOnly: false,
    });
  }

  cancel(order: StreetOrder): void {
    this.#core.cancel(this.#core.street, order.id, this.now);
  }

  #place(terms: OrderTerms): StreetOrder | undefined {
    const placement = this.#core.place(this.#core.street, { pair: this.#pair, terms }, this.now);
    return placement.kind === 'accepted' ? placement.order : undefined;
  }
}
