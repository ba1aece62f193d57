import type { Random } from '../../model/random.js';
import { Arrivals } from './arrivals.js';
import { Ladder } from './ladder.js';
import type { LatentPrice } from './latent-price.js';
import { PatientTraders } from './patient-traders.js';
import type { Scale, Street } from './street.js';
import { Takers } from './takers.js';

/** Venue ms between two moves of the fair price. */
const LATENT_STEP_MS = 200;

/**
 * All agents of the street, in order of time. Within one millisecond, the fair price comes first, then the market
 * maker, the takers and the patient traders. Each has a random stream of its own.
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

  /** Venue time of the next action of any agent. */
  get next(): number {
    return Math.min(this.#nextStep, this.#ladder.next, this.#takers.next, this.#patient.next);
  }

  /** Performs one action that is due at `now`, which must equal `next`. */
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
