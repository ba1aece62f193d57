import type { Money } from '../model/money.js';
import { type Position, settled } from '../model/position.js';
import type { LossPause } from './limits.js';

export interface LosingStreakOptions {
  readonly limit: LossPause;
  /** As an earlier session noted them: losses in a row, and venue ms until which no order may add risk. */
  readonly losses: number;
  readonly pausedUntil: number;
  /** What that session's open round trip had settled, in units of the quote asset. */
  readonly open: Money;
  /** Called when `losses`, `pausedUntil` or `open` has changed. */
  readonly tell: () => void;
}

/**
 * Counts losing round trips in a row. A round trip lasts from flat, or a change of side, to the next; it loses by what it
 * realised, fees and funding included. At the limit no order may add risk for a while, and the count begins anew.
 */
export class LosingStreak {
  readonly #options: LosingStreakOptions;
  #losses: number;
  #pausedUntil: number;
  /** Settled amount when the open round trip began, units of the quote asset. */
  #before: Money;
  #settled: Money = 0n;
  #sign = 0;

  constructor(options: LosingStreakOptions) {
    this.#options = options;
    this.#losses = options.losses;
    this.#pausedUntil = options.pausedUntil;
    this.#before = -options.open;
  }

  get losses(): number {
    return this.#losses;
  }

  /** Venue ms; 0 when there was never a pause. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** What the open round trip has settled so far, in units of the quote asset; 0: there is none. */
  get open(): Money {
    return this.#settled - this.#before;
  }

  /** Takes the position after a fill or funding. */
  look(position: Position, time: number): void {
    const { open, losses, pausedUntil } = this;
    const sign = Math.sign(position.lots);
    const now = settled(position);
    this.#settled = now;
    if (sign !== this.#sign) {
      const result = now - this.#before;
      // The fee of an opening fill belongs to the trip that it opens. A fill that turns the side closes one trip and opens
      // the next: its whole fee is counted with the one that it closes.
      if (this.#sign !== 0) {
        this.#before = now;
        this.#count(result, time);
      }
      this.#sign = sign;
    } else if (sign === 0) this.#before = now; // An open trip of an earlier session was closed by somebody else.
    if (open !== this.open || losses !== this.#losses || pausedUntil !== this.#pausedUntil)
      this.#options.tell();
  }

  #count(result: Money, time: number): void {
    const { limit } = this.#options;
    this.#losses = result < 0n ? this.#losses + 1 : 0;
    if (this.#losses < limit.losses) return;
    this.#losses = 0;
    this.#pausedUntil = time + limit.forMs;
  }
}
