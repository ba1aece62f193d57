/** Number of finished runs over which the mean is taken. */
export const RUNS_KEPT = 500;

/**
 * How much trades at a price before the market moves on: the mean volume of the last 500 finished runs of each aggressor.
 * It replaces the displayed quantity at a level when no depth was recorded.
 *
 * A run is an unbroken sequence of prints of one aggressor at one price. It is finished by the next print with another
 * price or the other aggressor, however late that comes. The newest run is therefore unfinished and does not count.
 */
export class RunVolumes {
  readonly #sold = new Ring();
  readonly #bought = new Ring();
  /** The run that is not finished yet. */
  #price = Number.NaN;
  #isSell = false;
  #lots = 0;

  /** True when the print began a new run. */
  print(price: number, lots: number, isBuyerMaker: boolean): boolean {
    if (price === this.#price && isBuyerMaker === this.#isSell) {
      this.#lots += lots;
      return false;
    }
    // The first print has no run before it.
    if (!Number.isNaN(this.#price)) (this.#isSell ? this.#sold : this.#bought).push(this.#lots);
    this.#price = price;
    this.#isSell = isBuyerMaker;
    this.#lots = lots;
    return true;
  }

  /** Mean lots of a finished run of sell aggressors (they hit bids); `undefined` with fewer than 20 of them. */
  get sold(): number | undefined {
    return this.#sold.mean;
  }

  /** Mean lots of a finished run of buy aggressors (they lift asks); `undefined` with fewer than 20 of them. */
  get bought(): number | undefined {
    return this.#bought.mean;
  }
}

const MINIMUM = 20;

/** The last values and their sum. The values are integers, so the running sum stays exact. */
class Ring {
  readonly #values = new Float64Array(RUNS_KEPT);
  #next = 0;
  #count = 0;
  #sum = 0;

  push(value: number): void {
    const at = this.#next;
    this.#sum += value - (this.#values[at] as number);
    this.#values[at] = value;
    this.#next = at + 1 === RUNS_KEPT ? 0 : at + 1;
    if (this.#count < RUNS_KEPT) this.#count++;
  }

  get mean(): number | undefined {
    return this.#count < MINIMUM ? undefined : this.#sum / this.#count;
  }
}
