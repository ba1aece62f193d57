/**
 * Bounds for how long a position may have no stop at the venue that covers it whole. A stretch ends when such a stop works
 * or nothing is held any more; each counts alone, on event time.
 */
export class BareLimit {
  readonly #mostMs: number;
  /** Event time from which the present stretch is too long; Infinity: no such time is to come. */
  dueAt = Number.POSITIVE_INFINITY;
  /** The present stretch is too long: the position has to go, whatever is wanted meanwhile. */
  isOver = false;
  /** Stretches that were too long. */
  hits = 0;

  /** `mostMs`: at it a stretch is too long. */
  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** `since`: when the present stretch began; `undefined`: there is none. */
  look(since: number | undefined): void {
    if (since === undefined) this.isOver = false;
    this.dueAt = since === undefined || this.isOver ? Number.POSITIVE_INFINITY : since + this.#mostMs;
  }

  /** `dueAt` has come. */
  due(): void {
    this.dueAt = Number.POSITIVE_INFINITY;
    this.isOver = true;
    this.hits++;
  }
}
