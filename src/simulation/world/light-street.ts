import type { Lots, Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { type Random, seededRandom } from '../../model/random.js';
import type { Side } from '../../model/side.js';
import type { VenueCore } from '../../venue/core/venue-core.js';
import type { MarketDriver } from '../../venue/market-driver.js';
import { CoreStreet } from '../../venue/synthetic/core-street.js';
import type { StreetOrder } from '../../venue/synthetic/street.js';

export interface WorldMarket {
  readonly market: Market;
  /** Where the price starts, ticks. */
  readonly startTicks: number;
  /** Mean ms between two moves of the street. Default 3 000. */
  readonly everyMs?: number | undefined;
  /** Largest move of the price each time, as a fraction of it. Default 0.0005. */
  readonly step?: number | undefined;
  /** An everyday quantity of the street, lots. Default: worth some 1 200 quote units. */
  readonly lots?: number | undefined;
}

export interface LightStreetOptions extends WorldMarket {
  readonly core: VenueCore;
  readonly seed: string;
  /** Venue time, whole ms. */
  readonly startTime: number;
}

const EVERY_MS = 3_000;
const STEP = 0.0005;
const NOTIONAL = 1_200;
/** Of each move, how often somebody on the street takes; how far a price is pulled back to where it started. */
const TAKES = 0.6;
const PULL = 0.002;
/** The far quotes: this many steps away, and this many everyday quantities. */
const FAR_STEPS = 8;
const FAR_SIZE = 50;
/** Quotes stand this much beside the index at most, a fraction, for so many moves on average. */
const PREMIUM = 0.001;
const PREMIUM_LASTS = 500;

/**
 * A market that costs next to nothing: every few seconds the street moves its quotes around a seeded price, takes what
 * is best, and tells the index. A resting order fills when the price comes to it, in part or wholly; an order that
 * takes finds a small quantity near and a large one far away. Its prices are not meant to look like any real ones.
 */
export class LightStreet implements MarketDriver {
  readonly pair: string;
  readonly #core: VenueCore;
  readonly #street: CoreStreet;
  readonly #random: Random;
  readonly #market: Market;
  readonly #everyMs: number;
  readonly #step: number;
  /** What the price is pulled to. */
  #start: number;
  readonly #everydayLots: number;
  #near: readonly StreetOrder[] = [];
  #far: { readonly orders: readonly StreetOrder[]; readonly around: number } = { orders: [], around: 0 };
  /** What the index is, and how far beside it the street trades: with a fair quantity, funding comes of it. */
  #price: number;
  #premium = 0;
  #isPremiumGiven = false;
  /** Half of what is between the quotes, a fraction of the price; `undefined`: as the moves are large. */
  #halfSpread: number | undefined;
  #factor = 1;
  #next: number;

  constructor(options: LightStreetOptions) {
    const { core, market, seed, startTime, startTicks } = options;
    this.pair = market.pair;
    this.#core = core;
    this.#market = market;
    this.#street = new CoreStreet(core, market.pair, startTime);
    this.#random = seededRandom(seed).fork(market.pair);
    this.#drawPremium();
    this.#everyMs = options.everyMs ?? EVERY_MS;
    this.#step = options.step ?? STEP;
    this.#start = startTicks;
    this.#price = startTicks;
    this.#everydayLots =
      options.lots ?? (NOTIONAL / (startTicks / market.priceGrid.scale)) * market.quantityGrid.scale;
    this.#next = startTime;
    this.advanceTo(startTime);
  }

  get nextTime(): number {
    return this.#next;
  }

  /** Where the street believes the price is, ticks. */
  get ticks(): number {
    return Math.round(this.#price);
  }

  /** The price is this multiple of itself from the next move on; liquidations may follow. */
  jump(factor: number): void {
    this.#factor *= factor;
  }

  /**
   * From the next move on. `halfSpread`: how far the near quotes stand from what they are around, a fraction of the price;
   * `undefined` as at first · `premium`: how far the street trades beside the index, a fraction of it, for good
   */
  quoteWith(how: { readonly halfSpread?: number | undefined; readonly premium?: number }): void {
    if ('halfSpread' in how) this.#halfSpread = how.halfSpread;
    if (how.premium === undefined) return;
    this.#premium = how.premium;
    this.#isPremiumGiven = true;
  }

  /** Nobody on the street does anything for so much longer, ms; its quotes stay. */
  pause(ms: number): void {
    this.#next += Math.round(ms);
  }

  advanceTo(now: number): void {
    for (let due = this.#next; due <= now; due = this.#next) {
      this.#core.update(due);
      this.#street.now = due;
      this.#move(due);
      this.#next = due + this.#random.integer(1, 2 * this.#everyMs - 1);
    }
  }

  #move(due: number): void {
    const random = this.#random;
    const largest = this.#step * this.#price;
    this.#price *= this.#factor;
    // It does not come back by itself.
    this.#start *= this.#factor;
    this.#factor = 1;
    this.#price += (2 * random.next() - 1) * largest + PULL * (this.#start - this.#price);
    if (random.next() * PREMIUM_LASTS < 1 && !this.#isPremiumGiven) this.#drawPremium();
    this.#core.setIndex(this.pair, this.#ticksAt(this.#price, 'buy'), due);
    const half = this.#halfSpread === undefined ? largest / 2 : this.#halfSpread * this.#price;
    this.#requote(Math.max(this.#market.filters.price.tickSize, half));
    if (random.next() < TAKES) {
      const side = random.next() < 0.5 ? 'buy' : 'sell';
      const near = largest * (1 + 2 * random.next());
      const reach = this.#halfSpread === undefined ? near : near + half;
      const limit = this.#ticksAt(this.#centre + (side === 'buy' ? reach : -reach), side);
      this.#street.take(side, limit, this.#lots(2 * random.next()));
    }
  }

  #drawPremium(): void {
    this.#premium = PREMIUM * (2 * this.#random.next() - 1);
  }

  /** What the street quotes around, ticks. */
  get #centre(): number {
    return this.#price * (1 + this.#premium);
  }

  #requote(half: number): void {
    const away = FAR_STEPS * 2 * half;
    const { orders: far, around } = this.#far;
    // One of them may have been out of the band, or in the way of somebody's order.
    const isFarStale =
      far.length < 2 ||
      Math.abs(around - this.#centre) > away / 2 ||
      far.some(({ status }) => status !== 'active');
    for (const order of isFarStale ? [...this.#near, ...far] : this.#near) {
      if (order.status === 'active') this.#street.cancel(order);
    }
    this.#takeWhatCrosses();
    this.#near = this.#restAround(half, () => 3 * this.#random.next());
    if (isFarStale) this.#far = { orders: this.#restAround(away, () => FAR_SIZE), around: this.#centre };
  }

  #restAround(half: number, size: () => number): readonly StreetOrder[] {
    const bid = this.#street.rest('buy', this.#ticksAt(this.#centre - half, 'buy'), this.#lots(size()));
    const ask = this.#street.rest('sell', this.#ticksAt(this.#centre + half, 'sell'), this.#lots(size()));
    return [bid, ask].filter((order) => order !== undefined);
  }

  /** Orders that the price has gone through: the street takes them, a few or all. */
  #takeWhatCrosses(): void {
    const { bestBid, bestAsk } = this.#street;
    if (bestBid !== undefined && bestBid > this.#centre) {
      this.#street.take('sell', this.#ticksAt(this.#centre, 'sell'), this.#lots(10));
    }
    if (bestAsk !== undefined && bestAsk < this.#centre) {
      this.#street.take('buy', this.#ticksAt(this.#centre, 'buy'), this.#lots(10));
    }
  }

  /** Nearest price of the filter that is no more aggressive: bids down, asks up. */
  #ticksAt(exact: number, side: Side): Ticks {
    const { tickSize, min, max } = this.#market.filters.price;
    const steps = exact / tickSize;
    const ticks = (side === 'buy' ? Math.floor(steps) : Math.ceil(steps)) * tickSize;
    return Math.min(Math.max(ticks, min), max) as Ticks;
  }

  /** Everyday quantities, so many. */
  #lots(size: number): Lots {
    const { step, min, max } = this.#market.filters.quantity;
    const lots = Math.round((size * this.#everydayLots) / step) * step;
    return Math.min(Math.max(lots, min, step), max) as Lots;
  }
}
