import type { Money } from '../model/money.js';
import { type Position, settled } from '../model/position.js';
import type { LossPause } from './limits.js';

export interface LosingStreakOptions {
  readonly limit: LossPause;
  /** What an earlier session noted: losses in a row, and until when they stop risk (venue ms). */
  readonly losses: number;
  readonly pausedUntil: number;
  /** One of the two has changed. */
  readonly tell: () => void;
}

/**
 * Round trips that lost money in a row: from flat, or from one side to the other, by what was realised, fees and
 * funding included. At the bound no risk is added for a while, and the count begins anew.
 */
export class LosingStreak {
  readonly #options: LosingStreakOptions;
  #losses: number;
  #pausedUntil: number;
  /** What had been settled when the open round trip began, units; and its side. */
  #before: Money = 0n;
  #sign = 0;

  constructor(options: LosingStreakOptions) {
    this.#options = options;
    this.#losses = options.losses;
    this.#pausedUntil = options.pausedUntil;
  }

  get losses(): number {
    return this.#losses;
  }

  /** Venue ms; 0 when there was never a pause. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** The position as it is after a fill. */
  look(position: Position, time: number): void {
    const sign = Math.sign(position.lots);
    if (sign === this.#sign) return;
    const wasOpen = this.#sign !== 0;
    const now = settled(position);
    const result = now - this.#before;
    this.#sign = sign;
    // The fee that opens a round trip is its own; only of one that turns the side it is counted with the one before.
    if (wasOpen) this.#before = now;
    if (wasOpen) this.#count(result, time);
  }

  #count(result: Money, time: number): void {
    const { limit, tell } = this.#options;
    const known = this.#losses;
    this.#losses = result < 0n ? known + 1 : 0;
    if (this.#losses >= limit.losses) {
      this.#losses = 0;
      this.#pausedUntil = time + limit.forMs;
    } else if (this.#losses === known) return;
    tell();
  }
}
