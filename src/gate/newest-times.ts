const NEVER = Number.NEGATIVE_INFINITY;

/** The newest times at which something happened, ms: as many as it takes to tell whether a window holds `bound` of them. */
export class NewestTimes {
  readonly #bound: number;
  #times: number[] = [];

  constructor(bound: number) {
    this.#bound = bound;
  }

  add(time: number): void {
    // Times may go back, as a report may be older than the newest print. The list stays sorted, and errs on the safe side.
    this.#times.push(Math.max(time, this.#times.at(-1) ?? NEVER));
    if (this.#times.length >= 2 * this.#bound) this.#times = this.#times.slice(-this.#bound);
  }

  /** Time from which there is room for one more; −Infinity: there were never `bound` of them. */
  freeAt(windowMs: number): number {
    const oldest = this.#times[this.#times.length - this.#bound];
    return oldest === undefined ? NEVER : oldest + windowMs;
  }

  /** How many there were in the window that ends at `time`; at most `bound`. */
  within(windowMs: number, time: number): number {
    const newest = this.#times.slice(-this.#bound);
    return newest.filter((at) => at > time - windowMs).length;
  }
}
