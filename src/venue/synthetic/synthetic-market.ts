import type { Ticks } from '../../model/grid.js';
import type { Market } from '../../model/market.js';
import { seededRandom } from '../../model/random.js';
import type { VenueCore } from '../core/venue-core.js';
import type { MarketDriver } from '../market-driver.js';
import { Agents } from './agents.js';
import { CoreStreet } from './core-street.js';
import { LatentPrice } from './latent-price.js';
import { MINUTE_MS, prehistory } from './prehistory.js';
import { checkedIntensity, profileOf, type SyntheticProfile } from './profile.js';
import { scaleOf } from './street.js';

/** Minutes of candles before the first trade: 500 five-minute candles, and some more. */
const HISTORY_MINUTES = 2_525;
/** Least time before `startTime` that is simulated trade by trade, at intensity 1. */
const WARM_UP_MS = 5.5 * MINUTE_MS;

export interface SyntheticMarketOptions {
  readonly core: VenueCore;
  /** One of the core's markets. It must have a book rather than a tape. */
  readonly market: Market;
  readonly seed: string | number;
  /** Venue time, whole ms. The constructor already makes what happened before. */
  readonly startTime: number;
  /** Multiplies the activity, 0.1 to 20; default 1, which gives some six prints per second. */
  readonly intensity?: number | undefined;
  /** Default: the catalogue's profile of the pair. */
  readonly profile?: SyntheticProfile | undefined;
  /** Whether to make candles and trades from before `startTime`; default true. */
  readonly history?: boolean | undefined;
}

/**
 * A synthetic market: agents of the street trade around a hidden fair price. What happens depends only on (seed, start
 * time, venue time) and on what clients do, but not on the number of steps in which time advances. Clients meet the
 * agents in the book, and cannot change anybody's random numbers.
 */
export class SyntheticMarket implements MarketDriver {
  readonly pair: string;
  readonly startTime: number;
  readonly #core: VenueCore;
  readonly #street: CoreStreet;
  readonly #agents: Agents;
  readonly #latent: LatentPrice;
  readonly #tick: number;
  readonly #gridScale: number;
  /** The fair price that was last reported to the venue, quote units; NaN before the first. */
  #told = Number.NaN;

  constructor(options: SyntheticMarketOptions) {
    const { core, market, startTime } = options;
    const intensity = checkedIntensity(options.intensity ?? 1);
    const profile = profileOf(market, options.profile);
    const random = seededRandom(`${options.seed}/${market.pair}`);
    const scale = scaleOf(market, profile.referencePrice);
    const withHistory = options.history ?? true;
    const begin = withHistory ? beginOfTrading(startTime, intensity) : startTime;
    this.pair = market.pair;
    this.startTime = startTime;
    this.#core = core;
    this.#tick = scale.tick;
    this.#gridScale = market.priceGrid.scale;
    this.#latent = new LatentPrice(random.fork('latent'), profile);
    this.#street = new CoreStreet(core, market.pair, begin);
    if (withHistory) {
      core.recordPast(
        market.pair,
        prehistory(this.#latent, {
          market,
          scale,
          random: random.fork('prehistory'),
          intensity,
          end: begin,
          minutes: HISTORY_MINUTES,
        }),
      );
    }
    this.#agents = new Agents({
      latent: this.#latent,
      street: this.#street,
      scale,
      random,
      intensity,
      startTime: begin,
    });
    this.#tellIndex(begin);
    this.advanceTo(startTime);
  }

  get nextTime(): number {
    return this.#agents.next;
  }

  /** The fair price, quote units, which no participant sees. */
  get fairPrice(): number {
    return this.#latent.price;
  }

  advanceTo(now: number): void {
    for (let due = this.nextTime; due <= now; due = this.nextTime) {
      // The venue's own events at this moment come before what anybody on the street sees or does.
      this.#core.update(due);
      this.#street.now = due;
      this.#agents.act(due);
      this.#tellIndex(due);
    }
  }

  /** Reports the fair price to the venue as its index, from the next index update on. */
  #tellIndex(now: number): void {
    const { price } = this.#latent;
    if (price === this.#told) return;
    this.#told = price;
    this.#core.tellIndex(this.pair, halfEven(price * this.#gridScale, this.#tick), now);
  }
}

export function createSyntheticMarket(options: SyntheticMarketOptions): SyntheticMarket {
  return new SyntheticMarket(options);
}

/** When detailed trading begins: on a whole minute, so that made-up candles and those of trades never share one. */
function beginOfTrading(startTime: number, intensity: number): number {
  const atLeast = startTime - WARM_UP_MS / Math.min(1, intensity);
  return atLeast - (atLeast % MINUTE_MS);
}

function halfEven(ticks: number, step: number): Ticks {
  const multiples = ticks / step;
  const below = Math.floor(multiples);
  const rest = multiples - below;
  return ((rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below) * step) as Ticks;
}
