const FIRST_CAPACITY = 256;

/** A growing list of numbers outside the garbage-collected heap. */
export class NumberColumn {
  #values = new Float64Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** NaN where there is nothing. */
  at(index: number): number {
    return index < this.#length ? (this.#values[index] as number) : Number.NaN;
  }
}
