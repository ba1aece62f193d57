import type { Random } from '../../model/random.js';
import { type Side, signOf } from '../../model/side.js';
import type { Arrivals } from './arrivals.js';
import type { Latent } from './latent-price.js';
import { clamp, type Scale, type Street } from './street.js';

/** How far the mood of the flow and a quote away from the fair price can move the probability of a buy from one half. */
const ODDS = { mood: 0.24, mispricing: 0.14 } as const;
/** Log-normal sizes, in everyday orders; `sweepFactor`: how many times larger a sweep is. */
const SIZE = { median: 0.8, spread: 1.35, most: 90, sweepChance: 0.13, sweepFactor: 11 } as const;
/** How far an order may reach beyond the touch, as a share of the price. */
const REACH = { order: 0.000_06, sweep: 0.000_5 } as const;
/** Takers pay or accept at most this share of the fair price beyond it. */
const SANE = 0.001;

interface Intention {
  readonly time: number;
  /** A random number in [0, 1): the order is a buy if this is below the probability of a buy. */
  readonly lean: number;
  readonly size: number;
  readonly reach: number;
}

/**
 * Impatient traders: clustered arrivals, heavy-tailed sizes, and occasional sweeps through several levels. Their times,
 * sizes and reach are drawn beforehand, independently of the book; what they get depends on the book.
 */
export class Takers {
  readonly #random: Random;
  readonly #arrivals: Arrivals;
  readonly #street: Street;
  readonly #scale: Scale;
  #queue: Intention[] = [];
  #head = 0;

  constructor(options: {
    readonly random: Random;
    readonly arrivals: Arrivals;
    readonly street: Street;
    readonly scale: Scale;
  }) {
    this.#random = options.random;
    this.#arrivals = options.arrivals;
    this.#street = options.street;
    this.#scale = options.scale;
  }

  /** Venue time of the next planned order; Infinity without one. */
  get next(): number {
    return this.#queue[this.#head]?.time ?? Number.POSITIVE_INFINITY;
  }

  /** Plans the orders that arrive in [from, to). */
  plan(from: number, to: number, latent: Latent): void {
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    }
    const random = this.#random;
    this.#arrivals.between(from, to, latent, (time) => {
      const lean = random.next();
      const everyday = SIZE.median * Math.exp(SIZE.spread * random.normal());
      const sweeps = random.next() < SIZE.sweepChance;
      this.#queue.push({
        time,
        lean,
        size: Math.min(SIZE.most, sweeps ? everyday * SIZE.sweepFactor : everyday),
        reach: (sweeps ? REACH.sweep : REACH.order) * random.next(),
      });
    });
  }

  act(latent: Latent): void {
    const intention = this.#queue[this.#head++];
    if (intention === undefined) return;
    const { bestBid, bestAsk } = this.#street;
    const { exactTicks, priceFor, lots, everydayLots } = this.#scale;
    const fair = exactTicks(latent.price);
    const quoted = ((bestBid ?? bestAsk ?? fair) + (bestAsk ?? bestBid ?? fair)) / 2;
    const mispricing = clamp((fair - quoted) / (fair * latent.volatility), -1, 1);
    const odds = 0.5 + ODDS.mood * Math.tanh(latent.mood) + ODDS.mispricing * mispricing;
    const side: Side = intention.lean < odds ? 'buy' : 'sell';
    const touch = side === 'buy' ? bestAsk : bestBid;
    if (touch === undefined) return;
    const sign = signOf(side);
    const wanted = touch + sign * intention.reach * fair;
    const sane = fair * (1 + sign * SANE);
    const limit = priceFor(side, side === 'buy' ? Math.min(wanted, sane) : Math.max(wanted, sane));
    this.#street.take(side, limit, lots(intention.size * everydayLots));
  }
}
