import { MARK_FRESH_MS } from '../../model/ticker.js';

/** The price that values positions: a recorded mark while it is fresh, else the last print. Prices in quote units. */
export class RecordedMark {
  /** Whether a recorded mark is in force. */
  isKnown = false;
  /** NaN before the first mark. */
  price = Number.NaN;
  /** The last moment at which the recorded mark is fresh, ms; Infinity without one. */
  ends = Number.POSITIVE_INFINITY;
  /** A recorded mark was once too old. */
  #isLost = false;
  /** The account had a fill before the first recorded mark. */
  #hasUnmarkedFill = false;

  /**
   * What positions were valued at. `mixed`: recorded marks, and the last print before the first mark or after one grew
   * too old.
   */
  get source(): 'recorded' | 'last' | 'mixed' {
    if (this.#isLost) return 'mixed';
    if (!this.isKnown) return 'last';
    return this.#hasUnmarkedFill ? 'mixed' : 'recorded';
  }

  /** Notes a mark of this time, ms. `hasFilled`: whether the account has had a fill. */
  see(time: number, price: number, hasFilled: boolean): void {
    if (!this.isKnown && !this.#isLost) this.#hasUnmarkedFill = hasFilled;
    this.isKnown = true;
    this.price = price;
    this.ends = time + MARK_FRESH_MS;
  }

  /** The mark is too old: the last print is used from now on. */
  lose(): void {
    this.isKnown = false;
    this.#isLost = true;
    this.ends = Number.POSITIVE_INFINITY;
  }
}
