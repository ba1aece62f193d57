/** Things on their way, by the time at which they arrive; those of one time in the order in which they were sent. */
export class LatencyQueue<T> {
  readonly #items: (T | undefined)[] = [];
  readonly #times: number[] = [];
  /** Where the first stands; what is before it has arrived. */
  #head = 0;
  #nextTime = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#items.length - this.#head;
  }

  /** When the first arrives; Infinity when nothing is on its way. */
  get nextTime(): number {
    return this.#nextTime;
  }

  push(item: T, time: number): void {
    let at = this.#items.length;
    while (at > this.#head && (this.#times[at - 1] as number) > time) at--;
    if (at === this.#items.length) {
      this.#items.push(item);
      this.#times.push(time);
    } else {
      this.#items.splice(at, 0, item);
      this.#times.splice(at, 0, time);
    }
    if (time < this.#nextTime) this.#nextTime = time;
  }

  /** Takes the first off; `undefined` when nothing is on its way. */
  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#items[this.#head] = undefined;
    this.#head++;
    if (this.#head === this.#items.length) this.#drop(this.#head);
    // What has arrived is dropped in one go when it is most of the list, so that taking off stays O(1).
    else if (this.#head > 1_024 && this.#head * 2 > this.#items.length) this.#drop(this.#head);
    this.#nextTime = this.#times[this.#head] ?? Number.POSITIVE_INFINITY;
    return item;
  }

  #drop(count: number): void {
    this.#items.splice(0, count);
    this.#times.splice(0, count);
    this.#head = 0;
  }
}
