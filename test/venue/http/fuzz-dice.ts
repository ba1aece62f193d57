import type { Random } from '../../../src/model/random.js';

/** Dice of one fuzzing. */
export class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  integer(low: number, high: number): number {
    return this.#random.integer(low, high);
  }

  chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('there must be something to pick from');
    return from[this.#random.integer(0, from.length - 1)] as T;
  }
}
