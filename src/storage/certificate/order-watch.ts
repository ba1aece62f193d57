/** Rows in a wrong place: all of them sort before a row that stands above them. Times are ms, inclusive. */
export interface Displaced {
  readonly firstId: string;
  readonly lastId: string;
  readonly from: number;
  readonly to: number;
  readonly trades: number;
}

const MOST_STRETCHES = 10_000;

/** Finds the stretches of a tape that stand in a wrong place, such as a page that came after the one behind it. */
export class OrderWatch {
  #open: { -readonly [name in keyof Displaced]: Displaced[name] } | undefined;
  readonly #stretches: Displaced[] = [];
  #trades = 0;

  /** Rows in a wrong place. */
  get trades(): number {
    return this.#trades;
  }

  /** The first ten thousand stretches, as they came. */
  get stretches(): readonly Displaced[] {
    return this.#open === undefined ? this.#stretches : [...this.#stretches, this.#open];
  }

  /** A row that sorts behind all before it. */
  inPlace(): void {
    if (this.#open === undefined) return;
    if (this.#stretches.length < MOST_STRETCHES) this.#stretches.push(this.#open);
    this.#open = undefined;
  }

  /** A row that sorts before one that came before it, and is not there twice. */
  misplaced(id: string, time: number): void {
    this.#trades += 1;
    const open = this.#open;
    // A stretch goes forward: a step back begins another one.
    if (open !== undefined && time >= open.to) {
      this.#open = { ...open, lastId: id, to: time, trades: open.trades + 1 };
      return;
    }
    this.inPlace();
    this.#open = { firstId: id, lastId: id, from: time, to: time, trades: 1 };
  }
}
