import type { Random } from '../../model/random.js';
import type { Latent } from './latent-price.js';

/** Base rate of taker orders per second at heat 1 and intensity 1, before excitation. */
const BASE_RATE = 1.6;
/** The rate is proportional to this power of the heat. */
export const HEAT_POWER = 0.7;
/**
 * Mean number of further orders that one order causes directly; must be below 1, or the activity would grow without
 * bound.
 */
const BRANCHING = 0.6;
/** Decay of excitation per second. */
const DECAY = 0.45;
/** Excitation that a jump of the fair price adds, as the number of orders that it directly causes. */
const JUMP_EXCITEMENT = 12;
/** Excitation saturates at this multiple of the base rate. */
const MOST_EXCITED = 30;

/**
 * Self-exciting arrival times: a Hawkes process with an exponential kernel, by Ogata's thinning. Orders cause further
 * orders, and a volatile or jumping price causes more of them. The times do not depend on the book, so no participant
 * changes them.
 */
export class Arrivals {
  readonly #random: Random;
  readonly #rate: number;
  #excitation = 0;

  /** `intensity` multiplies the mean rate. */
  constructor(random: Random, intensity: number) {
    this.#random = random;
    this.#rate = BASE_RATE * intensity;
  }

  /** Calls back with each arrival in [from, to), whole ms, ascending. */
  between(from: number, to: number, latent: Latent, arrive: (time: number) => void): void {
    const base = this.#rate * Math.min(3, Math.max(0.6, Math.exp(HEAT_POWER * Math.log(latent.heat))));
    if (latent.jumped) this.#excite(JUMP_EXCITEMENT * DECAY);
    let time = from;
    for (;;) {
      const bound = base + this.#excitation;
      const next = time + (this.#random.exponential() / bound) * 1_000;
      this.#excitation *= Math.exp((-DECAY * (Math.min(next, to) - time)) / 1_000);
      if (next >= to) return;
      time = next;
      if (this.#random.next() * bound < base + this.#excitation) {
        this.#excite(BRANCHING * DECAY);
        arrive(Math.floor(time));
      }
    }
  }

  #excite(amount: number): void {
    this.#excitation = Math.min(this.#excitation + amount, MOST_EXCITED * this.#rate);
  }
}
