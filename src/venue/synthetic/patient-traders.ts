import type { Random } from '../../model/random.js';
import { type Side, signOf } from '../../model/side.js';
import type { Latent } from './latent-price.js';
import type { Scale, Street, StreetOrder } from './street.js';

/** Orders per second at heat 1 and intensity 1. */
const RATE = 1.6;
/** Chance of a price inside the spread. Other prices lie behind the touch, by this share of the price on average. */
const PRICE = { improveChance: 0.4, behind: 0.000_06 } as const;
const LIFE = { leastMs: 400, meanMs: 6_000 } as const;
const SIZE = { median: 0.7, spread: 1 } as const;
/** Patient traders pay or accept at most this many one-second standard deviations beyond the fair price. */
const SANE = 0.4;

interface Resting {
  readonly order: StreetOrder;
  readonly until: number;
}

/**
 * Patient traders arrive one by one, rest an order at, behind or inside the touch, and cancel it after a while. Each
 * draws equally many random numbers, whether or not the book accepts the order.
 */
export class PatientTraders {
  readonly #random: Random;
  readonly #street: Street;
  readonly #scale: Scale;
  readonly #rate: number;
  /** By `until`, ascending. */
  readonly #resting: Resting[] = [];
  #nextArrival: number;

  constructor(options: {
    readonly random: Random;
    readonly street: Street;
    readonly scale: Scale;
    readonly intensity: number;
    readonly startTime: number;
  }) {
    this.#random = options.random;
    this.#street = options.street;
    this.#scale = options.scale;
    this.#rate = RATE * options.intensity;
    this.#nextArrival = options.startTime + this.#wait(1);
  }

  /** Venue time of the next arrival or cancellation. */
  get next(): number {
    return Math.min(this.#nextArrival, this.#resting[0]?.until ?? Number.POSITIVE_INFINITY);
  }

  act(now: number, latent: Latent): void {
    while (this.#resting[0] !== undefined && this.#resting[0].until <= now) {
      this.#street.cancel((this.#resting.shift() as Resting).order);
    }
    if (this.#nextArrival <= now) this.#arrive(now, latent);
  }

  #arrive(now: number, latent: Latent): void {
    const random = this.#random;
    this.#nextArrival = now + this.#wait(Math.sqrt(latent.heat));
    const side: Side = random.next() < 0.5 ? 'buy' : 'sell';
    const improves = random.next() < PRICE.improveChance;
    const depth = improves ? random.next() : random.exponential();
    const size = SIZE.median * Math.exp(SIZE.spread * random.normal());
    const until = now + LIFE.leastMs + Math.ceil(LIFE.meanMs * random.exponential());

    const { bestBid, bestAsk } = this.#street;
    if (bestBid === undefined || bestAsk === undefined) return;
    const sign = signOf(side);
    const { tick, exactTicks, priceFor, lots, everydayLots } = this.#scale;
    const fair = exactTicks(latent.price);
    const touch = side === 'buy' ? bestBid : bestAsk;
    const wanted = improves
      ? touch + sign * (tick + depth * 0.7 * (bestAsk - bestBid - tick))
      : touch - sign * depth * PRICE.behind * fair;
    const sane = fair * (1 + sign * SANE * latent.volatility);
    const inside =
      side === 'buy' ? Math.min(wanted, sane, bestAsk - tick) : Math.max(wanted, sane, bestBid + tick);
    const order = this.#street.rest(side, priceFor(side, inside), lots(size * everydayLots));
    if (order !== undefined) this.#remember({ order, until });
  }

  #remember(resting: Resting): void {
    let at = this.#resting.length;
    while (at > 0 && (this.#resting[at - 1] as Resting).until > resting.until) at--;
    this.#resting.splice(at, 0, resting);
  }

  #wait(haste: number): number {
    return Math.max(1, Math.ceil((this.#random.exponential() * 1_000) / (this.#rate * haste)));
  }
}
