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
  /** The initial price, ticks. */
  readonly startTicks: number;
  /** Mean ms between two moves of the street; default 3 000. */
  readonly everyMs?: number | undefined;
  /** Largest move of the price at a time, as a fraction of it; default 0.0005. */
  readonly step?: number | undefined;
  /** An everyday quantity of the street, lots; default: worth some 1 200 quote units. */
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
/** Share of the moves at which somebody on the street takes; strength of the pull towards the initial price. */
const TAKES = 0.6;
const PULL = 0.002;
/** The far quotes: their distance in steps, and their size in everyday quantities. */
const FAR_STEPS = 8;
const FAR_SIZE = 50;
/** The largest premium of the quotes on the index, as a fraction, and for how many moves on average it lasts. */
const PREMIUM = 0.001;
const PREMIUM_LASTS = 500;

/**
 * A market that takes little computing time. Every few seconds, the street moves its quotes around a seeded price,
 * takes the best orders, and reports the index. A resting order fills when the price reaches it, in part or in full; a
 * taker finds a small quantity near the price, and a large one far away. The prices need not be realistic.
 */
export class LightStreet implements MarketDriver {
  readonly pair: string;
  readonly #core: VenueCore;
  readonly #street: CoreStreet;
  readonly #random: Random;
  readonly #market: Market;
  readonly #everyMs: number;
  readonly #step: number;
  /** The price that the current price is pulled to, ticks. */
  #start: number;
  readonly #everydayLots: number;
  #near: readonly StreetOrder[] = [];
  #far: { readonly orders: readonly StreetOrder[]; readonly around: number } = { orders: [], around: 0 };
  /**
   * The index in ticks, and how far from it the street trades, as a fraction. With a fair quantity, this leads to
   * funding.
   */
  #price: number;
  #premium = 0;
  #isPremiumGiven = false;
  /** Half the spread, as a fraction of the price; `undefined`: of the size of a move. */
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

  /** The price around which the street trades, rounded to ticks. */
  get ticks(): number {
    return Math.round(this.#price);
  }

  /** Multiplies the price by `factor` at the next move; liquidations may follow. */
  jump(factor: number): void {
    this.#factor *= factor;
  }

  /**
   * Changes the quotes from the next move on. `halfSpread`: the distance of the near quotes from the centre, as a
   * fraction of the price; `undefined`: the initial one · `premium`: the distance of the centre from the index, as a
   * fraction, for good
   */
  quoteWith(how: { readonly halfSpread?: number | undefined; readonly premium?: number }): void {
    if ('halfSpread' in how) this.#halfSpread = how.halfSpread;
    if (how.premium === undefined) return;
    this.#premium = how.premium;
    this.#isPremiumGiven = true;
  }

  /** Suspends the street for `ms`; its quotes stay. */
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
    // The price must not return by itself, so the level that it is pulled to moves as well.
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

  /** The centre of the street's quotes, ticks. */
  get #centre(): number {
    return this.#price * (1 + this.#premium);
  }

  #requote(half: number): void {
    const away = FAR_STEPS * 2 * half;
    const { orders: far, around } = this.#far;
    // A far quote may be missing, because it was outside of the band or would have crossed somebody's order.
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

  /** Lets the street take orders that the price has passed, in part or in full. */
  #takeWhatCrosses(): void {
    const { bestBid, bestAsk } = this.#street;
    if (bestBid !== undefined && bestBid > this.#centre) {
      this.#street.take('sell', this.#ticksAt(this.#centre, 'sell'), this.#lots(10));
    }
    if (bestAsk !== undefined && bestAsk < this.#centre) {
      this.#street.take('buy', this.#ticksAt(this.#centre, 'buy'), this.#lots(10));
    }
  }

  /** The nearest valid price that is not more aggressive: bids round down, asks round up. */
  #ticksAt(exact: number, side: Side): Ticks {
    const { tickSize, min, max } = this.#market.filters.price;
    const steps = exact / tickSize;
    const ticks = (side === 'buy' ? Math.floor(steps) : Math.ceil(steps)) * tickSize;
    return Math.min(Math.max(ticks, min), max) as Ticks;
  }

  /** Everyday quantities, as lots. */
  #lots(size: number): Lots {
    const { step, min, max } = this.#market.filters.quantity;
    const lots = Math.round((size * this.#everydayLots) / step) * step;
    return Math.min(Math.max(lots, min, step), max) as Lots;
  }
}
