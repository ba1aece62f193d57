const FIRST_CAPACITY = 16;

/**
 * Items on their way, in the order of their arrival times; items of the same time in the order in which they were sent.
 */
export class LatencyQueue<T> {
  /**
   * A ring whose capacity is a power of two, so that a bit mask gives the index. Slots of items that have arrived are
   * `undefined`.
   */
  #items: (T | undefined)[] = emptyRing(FIRST_CAPACITY);
  #times: number[] = zeros(FIRST_CAPACITY);
  #head = 0;
  #size = 0;
  #nextTime = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#size;
  }

  /** When the first item arrives; Infinity when none is on its way. */
  get nextTime(): number {
    return this.#nextTime;
  }

  push(item: T, time: number): void {
    if (this.#size === this.#items.length) this.#grow();
    const mask = this.#items.length - 1;
    let at = this.#size++;
    for (; at > 0; at--) {
      const before = (this.#head + at - 1) & mask;
      if ((this.#times[before] as number) <= time) break;
      this.#put(at, this.#items[before] as T, this.#times[before] as number);
    }
    this.#put(at, item, time);
    if (time < this.#nextTime) this.#nextTime = time;
  }

  /** Removes and returns the first item; `undefined` when none is on its way. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    this.#size--;
    this.#nextTime = this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#times[this.#head] as number);
    return item;
  }

  /** `at` is the distance from the head. */
  #put(at: number, item: T, time: number): void {
    const place = (this.#head + at) & (this.#items.length - 1);
    this.#items[place] = item;
    this.#times[place] = time;
  }

  #grow(): void {
    const items = [...this.#items.slice(this.#head), ...this.#items.slice(0, this.#head)];
    const times = [...this.#times.slice(this.#head), ...this.#times.slice(0, this.#head)];
    this.#items = [...items, ...emptyRing<T>(items.length)];
    this.#times = [...times, ...zeros(times.length)];
    this.#head = 0;
  }
}

function emptyRing<T>(capacity: number): (T | undefined)[] {
  return Array.from<undefined, T | undefined>({ length: capacity }, () => undefined);
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}
