import type { WorldFact } from '../model/world-fact.js';

/** Facts of a recording as they are needed: up to the time of the trades that are read. */
export class FactReader {
  readonly #batches: AsyncIterator<readonly WorldFact[]>;
  /** Read, and later than what was asked for. */
  #waiting: readonly WorldFact[] = [];
  #isOver = false;

  constructor(batches: AsyncIterable<readonly WorldFact[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Those that were not handed out yet, up to and including `time`, ms. */
  async until(time: number): Promise<readonly WorldFact[]> {
    while (!this.#isOver && (this.#waiting.at(-1)?.time ?? Number.NEGATIVE_INFINITY) <= time) {
      const next = await this.#batches.next();
      if (next.done === true) this.#isOver = true;
      else this.#waiting = [...this.#waiting, ...next.value];
    }
    const due = this.#waiting.filter((fact) => fact.time <= time);
    if (due.length > 0) this.#waiting = this.#waiting.slice(due.length);
    return due;
  }
}
