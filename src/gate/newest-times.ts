const NEVER = Number.NEGATIVE_INFINITY;

/** The newest times at which something happened, ms: enough of them to tell when `bound` within a window are reached. */
export class NewestTimes {
  readonly #bound: number;
  #times: number[] = [];

  constructor(bound: number) {
    this.#bound = bound;
  }

  add(time: number): void {
    // News may be older than the newest print; the window is counted from the later of the two.
    this.#times.push(Math.max(time, this.#times.at(-1) ?? NEVER));
    if (this.#times.length >= 2 * this.#bound) this.#times = this.#times.slice(-this.#bound);
  }

  /** From when on there is room for one more; before everything when there was never a lack of it. */
  freeAt(windowMs: number): number {
    const oldest = this.#times[this.#times.length - this.#bound];
    return oldest === undefined ? NEVER : oldest + windowMs;
  }

  /** How many there were in the window that ends at `time`, the bound at most. */
  within(windowMs: number, time: number): number {
    const newest = this.#times.slice(-this.#bound);
    return newest.filter((at) => at > time - windowMs).length;
  }
}
