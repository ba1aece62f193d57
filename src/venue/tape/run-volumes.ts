/** Finished runs of one aggressor that the mean is taken over. */
export const RUNS_KEPT = 500;

/**
 * How much trades at a price before the market moves on: the mean volume of the last 500 finished runs, for each
 * hitting aggressor. It stands for the quantity displayed at a level when no depth was recorded.
 *
 * A run is the unbroken sequence of prints of one aggressor at one price. It is finished by the next print of the
 * whole tape that has another price or the other aggressor, whatever the time between them; the newest run is
 * therefore never finished and never counts.
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
    // The very first print finishes nothing.
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

/** The last values and their sum. Values are whole, so the sum is exact however long it runs. */
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
