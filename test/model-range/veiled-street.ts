import type { Lots, Ticks } from '../../src/model/grid.js';
import { hashedUnit, seedOfText } from '../../src/model/hashed-unit.js';
import type { Market } from '../../src/model/market.js';
import type { OrderOptions } from '../../src/model/order.js';
import type { Side } from '../../src/model/side.js';
import type { VenueCore } from '../../src/venue/core/venue-core.js';
import { CoreStreet } from '../../src/venue/synthetic/core-street.js';
import type { Street, StreetOrder } from '../../src/venue/synthetic/street.js';

/** Of what rests, by number of orders: hidden, and in slices of which one is shown. */
const HIDDEN = 0.08;
const ICEBERG = 0.12;
const SLICES = 4;

/**
 * The street's account, some of whose orders the depth does not show. Which ones is a hash of the order itself: a stream
 * would be shifted by every order that a participant more lets in or keeps out.
 */
export class VeiledStreet implements Street {
  readonly #core: VenueCore;
  readonly #market: Market;
  readonly #plain: CoreStreet;
  readonly #key: number;
  /** Lots that came to rest, and how many of them the depth did not show. */
  rested = 0;
  veiled = 0;

  constructor(core: VenueCore, market: Market, options: { readonly seed: string; readonly now: number }) {
    this.#core = core;
    this.#market = market;
    this.#plain = new CoreStreet(core, market.pair, options.now);
    this.#key = seedOfText(`${options.seed}/veil`);
  }

  get now(): number {
    return this.#plain.now;
  }

  set now(time: number) {
    this.#plain.now = time;
  }

  get bestBid(): Ticks | undefined {
    return this.#plain.bestBid;
  }

  get bestAsk(): Ticks | undefined {
    return this.#plain.bestAsk;
  }

  rest(side: Side, ticks: Ticks, lots: Lots): StreetOrder | undefined {
    const options = this.#veil(side, ticks, lots);
    const placed = this.#core.place(
      this.#core.street,
      {
        pair: this.#market.pair,
        terms: { side, type: 'limit', ticks, lots, timeInForce: 'GTC', postOnly: true, reduceOnly: false },
        options,
      },
      this.now,
    );
    if (placed.kind !== 'accepted' || placed.order.status !== 'active') return undefined;
    this.rested += lots;
    if (options.hidden === true) this.veiled += lots;
    else if (options.icebergs !== undefined) this.veiled += lots - Math.ceil(lots / options.icebergs);
    return placed.order;
  }

  take(side: Side, limit: Ticks, lots: Lots): void {
    this.#plain.take(side, limit, lots);
  }

  cancel(order: StreetOrder): void {
    this.#plain.cancel(order);
  }

  #veil(side: Side, ticks: Ticks, lots: Lots): OrderOptions {
    const draw = hashedUnit(this.#key, this.now, side === 'buy' ? ticks : -ticks);
    if (draw < HIDDEN) return { hidden: true };
    const { min, step } = this.#market.filters.icebergs;
    const canSlice = lots >= SLICES * Math.max(min, step) && lots % (SLICES * step) === 0;
    return draw < HIDDEN + ICEBERG && canSlice ? { icebergs: SLICES } : {};
  }
}
