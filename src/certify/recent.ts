/** Counts events within the last `windowMs`, and keeps the largest count so far. */
export class Recent {
  readonly #windowMs: number;
  #times: number[] = [];
  most = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Notes an event at `now`; returns the number within the window, this one included. */
  add(now: number): number {
    this.#times.push(now);
    const count = this.count(now);
    this.most = Math.max(this.most, count);
    return count;
  }

  count(now: number): number {
    const from = now - this.#windowMs;
    let gone = 0;
    while (gone < this.#times.length && (this.#times[gone] as number) <= from) gone++;
    if (gone > 0) this.#times = this.#times.slice(gone);
    return this.#times.length;
  }

  clear(): void {
    this.#times = [];
  }
}
