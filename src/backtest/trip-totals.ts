import type { Amount } from '../model/money.js';
import type { Side } from '../model/side.js';

/** Sums over round trips that won, or that lost. */
export interface TripSums {
  readonly count: number;
  /** Quote units. */
  readonly sum: number;
  readonly largest: number;
  /** The most in a row. */
  readonly longestStreak: number;
}

/** Totals over all round trips. P&L is net of fees and funding, in quote units. */
export class TripTotals {
  readonly #unitsPerQuote: number;
  #count = 0;
  #long = 0;
  #inGaps = 0;
  #sum = 0;
  /** Welford's algorithm, because the difference of a sum of squares and a squared sum would cancel. */
  #mean = 0;
  #squares = 0;
  #holdingMs = 0;
  #last = 0;
  readonly #winners = new Streaks();
  readonly #losers = new Streaks();

  constructor(unitsPerQuote: number) {
    this.#unitsPerQuote = unitsPerQuote;
  }

  get count(): number {
    return this.#count;
  }

  /** How many were long. */
  get long(): number {
    return this.#long;
  }

  get inGaps(): number {
    return this.#inGaps;
  }

  get sum(): number {
    return this.#sum;
  }

  /** Sum of the squared differences from the mean; exactly 0 when all P&Ls are equal. */
  get squaredDeviations(): number {
    return this.#squares;
  }

  get holdingMs(): number {
    return this.#holdingMs;
  }

  get last(): number {
    return this.#last;
  }

  get winners(): TripSums {
    return this.#winners;
  }

  /** Sums are negative. Round trips with a P&L of exactly 0 are neither winners nor losers. */
  get losers(): TripSums {
    return this.#losers;
  }

  add(side: Side, holdingMs: number, pnl: Amount, isInGap: boolean): void {
    const result = Number(pnl) / this.#unitsPerQuote;
    this.#last = result;
    this.#count++;
    if (side === 'buy') this.#long++;
    if (isInGap) this.#inGaps++;
    this.#sum += result;
    const difference = result - this.#mean;
    this.#mean += difference / this.#count;
    this.#squares += difference * (result - this.#mean);
    this.#holdingMs += holdingMs;
    if (result > 0) this.#winners.add(result);
    else this.#winners.end();
    if (result < 0) this.#losers.add(result);
    else this.#losers.end();
  }
}

class Streaks implements TripSums {
  count = 0;
  sum = 0;
  largest = 0;
  longestStreak = 0;
  #streak = 0;

  add(result: number): void {
    this.count++;
    this.sum += result;
    if (Math.abs(result) > Math.abs(this.largest)) this.largest = result;
    if (++this.#streak > this.longestStreak) this.longestStreak = this.#streak;
  }

  end(): void {
    this.#streak = 0;
  }
}
