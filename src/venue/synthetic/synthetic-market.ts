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

/** Minutes of candles before the first trade: 500 five-minute candles and a few to spare. */
const HISTORY_MINUTES = 2_525;
/** At least this much is simulated trade by trade before `startTime`, at intensity 1. */
const WARM_UP_MS = 5.5 * MINUTE_MS;

export interface SyntheticMarketOptions {
  readonly core: VenueCore;
  /** One of the core's markets, a book: without a tape. */
  readonly market: Market;
  readonly seed: string | number;
  /** Venue time, whole ms. What happened before it is there already when the market is made. */
  readonly startTime: number;
  /** Multiplies how much goes on, 0.1 to 20; default 1, some six prints a second. */
  readonly intensity?: number | undefined;
  /** Default: the catalogue's. */
  readonly profile?: SyntheticProfile | undefined;
  /** Candles and trades from before `startTime`; default true. */
  readonly history?: boolean | undefined;
}

/**
 * A made-up market: agents of the street around a fair price that nobody sees. All that happens is a function of
 * (seed, start time, venue time) and of what clients do, in however many steps time advances; clients meet the agents
 * in the book and shift nobody's random numbers.
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
  /** The fair price that the venue knows of. */
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

  /** What the market is really worth now, quote units; no participant sees it. */
  get fairPrice(): number {
    return this.#latent.price;
  }

  advanceTo(now: number): void {
    for (let due = this.nextTime; due <= now; due = this.nextTime) {
      // What the venue does at this moment by itself comes before what anybody on the street sees or does.
      this.#core.update(due);
      this.#street.now = due;
      this.#agents.act(due);
      this.#tellIndex(due);
    }
  }

  /** The fair price is the venue's index, from its next update on. */
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

/** On a whole minute, so that the candles made up before it and those of the trades after it do not share one. */
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
