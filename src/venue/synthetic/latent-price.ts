import type { Random } from '../../model/random.js';
import type { SyntheticProfile } from './profile.js';

/** What the agents of a synthetic market know about the world, as of the last step. */
export interface Latent {
  /** Fair price, quote units. */
  readonly price: number;
  /** Current standard deviation of the log return over one second. */
  readonly volatility: number;
  /** `volatility` divided by its long-run root mean square. */
  readonly heat: number;
  /** The mood of the order flow, with unit variance. If positive, takers tend to buy, and the price drifts up. */
  readonly mood: number;
  /** Whether the price jumped in the last step. */
  readonly jumped: boolean;
}

const SECONDS_A_DAY = 86_400;

/** Half-lives in seconds. Volatility has two speeds, so that it clusters in 1 s returns and in 5 min candles alike. */
const HALF_LIFE = { price: 12 * 3_600, fast: 40, slow: 2_700, mood: 8 } as const;
const FAST_WEIGHT = 0.42;
const SLOW_WEIGHT = 0.38;
/** Bound of the absolute log of the heat. */
const LOG_HEAT_BOUND = 1.5;
/** Drift per second and per unit of mood, in one-second standard deviations. */
const MOOD_DRIFT = 0.1;
/**
 * Mean seconds between jumps; their standard deviation in one-second ones; how far a jump raises the fast log factor.
 */
const JUMP = { everySeconds: 500, size: 5, stir: 1.2 } as const;
/**
 * Variance per second of diffusion, mood (drift² × twice its mean life) and jumps, relative to that of the diffusion.
 */
const VARIANCE_OF_PARTS =
  1 + (MOOD_DRIFT * MOOD_DRIFT * 2 * HALF_LIFE.mood) / Math.LN2 + (JUMP.size * JUMP.size) / JUMP.everySeconds;

interface StepWeights {
  readonly seconds: number;
  readonly fastKeep: number;
  readonly slowKeep: number;
  readonly moodKeep: number;
  readonly pull: number;
}

/**
 * A log price with stochastic volatility (two mean-reverting log factors), rare jumps that raise it, a persistent mood
 * of the order flow, and a weak pull to its reference, so that a market that runs for months stays in a plausible
 * range.
 *
 * The synthetic market must not use `**`: the last bit of its result differs between releases of Node, that of exp, log
 * and cos does not, and a seed must give the same tape everywhere.
 */
export class LatentPrice implements Latent {
  readonly #random: Random;
  readonly #reference: number;
  readonly #baseVolatility: number;
  #weights: StepWeights = weightsOf(1);
  #logDeviation = 0;
  #fast: number;
  #slow: number;
  price: number;
  volatility: number;
  heat = 1;
  mood: number;
  jumped = false;

  constructor(random: Random, { referencePrice, dailyVolatility }: SyntheticProfile) {
    this.#random = random;
    this.#reference = referencePrice;
    this.#baseVolatility = dailyVolatility / Math.sqrt(SECONDS_A_DAY * VARIANCE_OF_PARTS);
    this.#fast = random.normal();
    this.#slow = random.normal();
    this.mood = random.normal();
    this.price = referencePrice;
    this.volatility = this.#baseVolatility;
    this.#warm();
  }

  /** Advances by `seconds`: exactly for the factors, by an Euler step for the price. */
  step(seconds: number): void {
    if (this.#weights.seconds !== seconds) this.#weights = weightsOf(seconds);
    const { fastKeep, slowKeep, moodKeep, pull } = this.#weights;
    const random = this.#random;
    const diffusion = random.normal() * Math.sqrt(seconds);
    this.jumped = random.next() < seconds / JUMP.everySeconds;
    const jump = this.jumped ? random.normal() * JUMP.size : 0;
    const shift = diffusion + MOOD_DRIFT * this.mood * seconds + jump;
    this.#logDeviation += this.volatility * shift - pull * this.#logDeviation;
    this.price = this.#reference * Math.exp(this.#logDeviation);
    this.#fast = this.#fast * fastKeep + Math.sqrt(1 - fastKeep * fastKeep) * random.normal();
    this.#slow = this.#slow * slowKeep + Math.sqrt(1 - slowKeep * slowKeep) * random.normal();
    this.mood = this.mood * moodKeep + Math.sqrt(1 - moodKeep * moodKeep) * random.normal();
    if (this.jumped) this.#fast += JUMP.stir;
    this.#warm();
  }

  #warm(): void {
    const logHeat =
      FAST_WEIGHT * this.#fast +
      SLOW_WEIGHT * this.#slow -
      FAST_WEIGHT * FAST_WEIGHT -
      SLOW_WEIGHT * SLOW_WEIGHT;
    this.heat = Math.exp(Math.min(LOG_HEAT_BOUND, Math.max(-LOG_HEAT_BOUND, logHeat)));
    this.volatility = this.#baseVolatility * this.heat;
  }
}

function weightsOf(seconds: number): StepWeights {
  const keep = (halfLife: number) => Math.exp((-Math.LN2 * seconds) / halfLife);
  return {
    seconds,
    fastKeep: keep(HALF_LIFE.fast),
    slowKeep: keep(HALF_LIFE.slow),
    moodKeep: keep(HALF_LIFE.mood),
    pull: 1 - keep(HALF_LIFE.price),
  };
}
