import type { Ticks } from '../../src/model/grid.js';
import type { Market } from '../../src/model/market.js';
import { seededRandom } from '../../src/model/random.js';
import type { VenueCore } from '../../src/venue/core/venue-core.js';
import type { MarketDriver } from '../../src/venue/market-driver.js';
import { Agents } from '../../src/venue/synthetic/agents.js';
import { LatentPrice } from '../../src/venue/synthetic/latent-price.js';
import type { SyntheticProfile } from '../../src/venue/synthetic/profile.js';
import { scaleOf } from '../../src/venue/synthetic/street.js';
import { VeiledStreet } from './veiled-street.js';

/**
 * Agents that quote and take around an exogenous price: it is drawn from a stream of its own and nobody's orders move
 * it. A participant more changes what the agents find in the book, never what they draw.
 */
export class CoverageMarket implements MarketDriver {
  readonly pair: string;
  readonly street: VeiledStreet;
  /** The fair price at each of its steps: the same whoever trades. */
  readonly path: number[] = [];
  readonly #core: VenueCore;
  readonly #agents: Agents;
  readonly #latent: LatentPrice;
  readonly #market: Market;

  constructor(options: {
    readonly core: VenueCore;
    readonly market: Market;
    readonly profile: SyntheticProfile;
    readonly seed: string;
    readonly startTime: number;
  }) {
    const { core, market, profile, seed, startTime } = options;
    const random = seededRandom(seed);
    this.pair = market.pair;
    this.#core = core;
    this.#market = market;
    this.#latent = new LatentPrice(random.fork('latent'), profile);
    this.street = new VeiledStreet(core, market, { seed, now: startTime });
    this.#agents = new Agents({
      latent: this.#latent,
      street: this.street,
      scale: scaleOf(market, profile.referencePrice),
      random,
      intensity: 1,
      startTime,
    });
    this.#tellIndex(startTime);
  }

  get nextTime(): number {
    return this.#agents.next;
  }

  advanceTo(now: number): void {
    for (let due = this.nextTime; due <= now; due = this.nextTime) {
      this.#core.update(due);
      this.street.now = due;
      this.#agents.act(due);
      if (this.#latent.price !== this.path.at(-1)) this.#tellIndex(due);
    }
  }

  #tellIndex(now: number): void {
    const { price } = this.#latent;
    this.path.push(price);
    const { tickSize } = this.#market.filters.price;
    const ticks = Math.round((price * this.#market.priceGrid.scale) / tickSize) * tickSize;
    this.#core.setIndex(this.pair, ticks as Ticks, now);
  }
}
