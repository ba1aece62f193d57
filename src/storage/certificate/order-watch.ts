/** A stretch of misplaced rows: all of them sort before an earlier row. Times are ms, inclusive. */
export interface Displaced {
  readonly firstId: string;
  readonly lastId: string;
  readonly from: number;
  readonly to: number;
  readonly trades: number;
}

const MOST_STRETCHES = 10_000;

/** Finds the stretches of a tape that are misplaced, such as a page that came after the one that should follow it. */
export class OrderWatch {
  #open: { -readonly [name in keyof Displaced]: Displaced[name] } | undefined;
  readonly #stretches: Displaced[] = [];
  #trades = 0;

  /** Number of misplaced rows. */
  get trades(): number {
    return this.#trades;
  }

  /** The first stretches, about ten thousand at most, in the order of the tape. */
  get stretches(): readonly Displaced[] {
    return this.#open === undefined ? this.#stretches : [...this.#stretches, this.#open];
  }

  /** Takes a row that sorts behind all earlier rows. */
  inPlace(): void {
    if (this.#open === undefined) return;
    if (this.#stretches.length < MOST_STRETCHES) this.#stretches.push(this.#open);
    this.#open = undefined;
  }

  /** Takes a row that sorts before an earlier row and is not a repeat. */
  misplaced(id: string, time: number): void {
    this.#trades += 1;
    const open = this.#open;
    // Times within a stretch ascend, so a step back begins another stretch.
    if (open !== undefined && time >= open.to) {
      this.#open = { ...open, lastId: id, to: time, trades: open.trades + 1 };
      return;
    }
    this.inPlace();
    this.#open = { firstId: id, lastId: id, from: time, to: time, trades: 1 };
  }
}
