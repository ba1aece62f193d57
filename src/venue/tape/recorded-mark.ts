import { MARK_FRESH_MS } from '../../model/ticker.js';

/** Which price counts: a recorded mark, for as long as it is fresh, or else the last print. Prices are in quote units. */
export class RecordedMark {
  /** A recorded mark counts. */
  isKnown = false;
  /** NaN before the first. */
  price = Number.NaN;
  /** The last moment at which it counts, ms; Infinity where none does. */
  ends = Number.POSITIVE_INFINITY;
  /** One grew too old. */
  #isLost = false;
  /** The account had a fill before there was one. */
  #hasUnmarkedFill = false;

  /** What positions are valued at; `mixed`: recorded marks, and the last print before the first and where they grew too old. */
  get source(): 'recorded' | 'last' | 'mixed' {
    if (this.#isLost) return 'mixed';
    if (!this.isKnown) return 'last';
    return this.#hasUnmarkedFill ? 'mixed' : 'recorded';
  }

  /** A mark of this time, ms. `hasFilled`: the account has had a fill. */
  see(time: number, price: number, hasFilled: boolean): void {
    if (!this.isKnown && !this.#isLost) this.#hasUnmarkedFill = hasFilled;
    this.isKnown = true;
    this.price = price;
    this.ends = time + MARK_FRESH_MS;
  }

  /** It is too old: the last print counts from now on. */
  lose(): void {
    this.isKnown = false;
    this.#isLost = true;
    this.ends = Number.POSITIVE_INFINITY;
  }
}
