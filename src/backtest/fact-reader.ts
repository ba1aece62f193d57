import type { WorldFact } from '../model/world-fact.js';

/** Reads the facts of a recording as they are needed, i.e. up to the time of the trades that are read. */
export class FactReader {
  readonly #batches: AsyncIterator<readonly WorldFact[]>;
  /** Facts that were read and not taken yet. */
  #waiting: WorldFact[] = [];
  #isOver = false;

  constructor(batches: AsyncIterable<readonly WorldFact[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /**
   * Reads until all facts up to and including `time`, ms, can be taken, or until `most` of them wait. Returns the time
   * before which no further facts can come; Infinity when all up to `time` have been read.
   */
  async reach(time: number, most: number): Promise<number> {
    for (;;) {
      const newest = this.#waiting.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
      if (this.#isOver || newest > time) return Number.POSITIVE_INFINITY;
      if (this.#waiting.length >= most) return newest;
      const next = await this.#batches.next();
      if (next.done === true) this.#isOver = true;
      else this.#waiting = [...this.#waiting, ...next.value];
    }
  }

  /** Takes the waiting facts up to and including `time`, ms. */
  take(time: number): readonly WorldFact[] {
    const later = this.#waiting.findIndex((fact) => fact.time > time);
    const due = later < 0 ? this.#waiting : this.#waiting.slice(0, later);
    if (due.length > 0) this.#waiting = this.#waiting.slice(due.length);
    return due;
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}
