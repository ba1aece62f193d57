import type { Random } from '../../model/random.js';
import { Arrivals } from './arrivals.js';
import { Ladder } from './ladder.js';
import type { LatentPrice } from './latent-price.js';
import { PatientTraders } from './patient-traders.js';
import type { Scale, Street } from './street.js';
import { Takers } from './takers.js';

/** How often the fair price moves. */
const LATENT_STEP_MS = 200;

/**
 * Everybody on the street, in time order. Within one millisecond: the fair price first, then the market maker, the
 * takers, the patient. Each draws from a stream of its own.
 */
export class Agents {
  readonly #latent: LatentPrice;
  readonly #ladder: Ladder;
  readonly #takers: Takers;
  readonly #patient: PatientTraders;
  #nextStep: number;

  constructor(options: {
    readonly latent: LatentPrice;
    readonly street: Street;
    readonly scale: Scale;
    readonly random: Random;
    readonly intensity: number;
    readonly startTime: number;
  }) {
    const { latent, street, scale, random, intensity, startTime } = options;
    this.#latent = latent;
    this.#nextStep = startTime;
    this.#ladder = new Ladder({ random: random.fork('ladder'), street, scale, intensity, startTime });
    const arrivals = new Arrivals(random.fork('arrivals'), intensity);
    this.#takers = new Takers({ random: random.fork('takers'), arrivals, street, scale });
    this.#patient = new PatientTraders({
      random: random.fork('patient'),
      street,
      scale,
      intensity,
      startTime,
    });
  }

  /** Venue time of the next thing that anybody does. */
  get next(): number {
    return Math.min(this.#nextStep, this.#ladder.next, this.#takers.next, this.#patient.next);
  }

  /** Does one thing that is due at `now`, which is `next`. */
  act(now: number): void {
    if (this.#nextStep === now) {
      this.#latent.step(LATENT_STEP_MS / 1_000);
      this.#nextStep = now + LATENT_STEP_MS;
      this.#takers.plan(now, this.#nextStep, this.#latent);
    } else if (this.#ladder.next === now) {
      this.#ladder.look(now, this.#latent);
    } else if (this.#takers.next === now) {
      this.#takers.act(this.#latent);
    } else {
      this.#patient.act(now, this.#latent);
    }
  }
}
