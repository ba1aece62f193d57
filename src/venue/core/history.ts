/** The newest `limit` items in order. Older ones are forgotten, in O(1) each. */
export class History<T> {
  readonly limit: number;
  readonly #items: T[] = [];
  /** Index of the oldest item once the ring is full. */
  #start = 0;
  /** How many were ever pushed. */
  #pushed = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Number of items ever pushed; also the place, from 0, of the next one. */
  get pushed(): number {
    return this.#pushed;
  }

  /** Returns the item that had to be forgotten; `undefined` when there was room; `item` itself when the limit is 0. */
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

  /** The item at a place; `undefined` when it was forgotten or does not exist yet. */
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
