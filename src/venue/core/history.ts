/** The newest `limit` of what happened, in order; older entries are forgotten, O(1) each. */
export class History<T> {
  readonly limit: number;
  readonly #items: T[] = [];
  /** Where the oldest stands once the ring is full. */
  #start = 0;
  /** How many were ever pushed. */
  #pushed = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.#items.length;
  }

  /** How many were ever pushed: the place, counted from 0, that the next one will have. */
  get pushed(): number {
    return this.#pushed;
  }

  /** What it had to forget, `undefined` when there was room; the item itself with a limit of 0. */
  push(item: T): T | undefined {
    this.#pushed++;
    if (this.limit === 0) return item;
    if (this.#items.length < this.limit) {
      this.#items.push(item);
      return undefined;
    }
    const forgotten = this.#items[this.#start];
    this.#items[this.#start] = item;
    this.#start = this.#start + 1 === this.limit ? 0 : this.#start + 1;
    return forgotten;
  }

  /** By its place; `undefined` when it was forgotten or is still to come. */
  at(place: number): T | undefined {
    return this.newest(this.#pushed - 1 - place);
  }

  /** The n-th newest; 0 is the newest. */
  newest(n: number): T | undefined {
    const { length } = this.#items;
    if (n < 0 || n >= length) return undefined;
    const at = this.#start - 1 - n;
    return this.#items[at < 0 ? at + length : at];
  }
}
