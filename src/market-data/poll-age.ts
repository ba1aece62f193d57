/**
 * The age of the newest data of one poll. It counts from the start of the request: whatever happened after that may be
 * missing from the answer, however late the answer comes.
 */
export class PollAge {
  readonly #what: string;
  readonly #mostMs: number;
  #startedAt: number | undefined;

  constructor(what: string, mostMs: number) {
    this.#what = what;
    this.#mostMs = mostMs;
  }

  /** Notes that an answer was handled whose request started at this monotonic ms. */
  handled(startedAt: number): void {
    this.#startedAt = Math.max(this.#startedAt ?? startedAt, startedAt);
  }

  /** Drops all answers so far: the data is stale until the next one. */
  forget(): void {
    this.#startedAt = undefined;
  }

  /** The last monotonic ms at which the newest answer is fresh; `undefined`: there is no answer. */
  get freshUntil(): number | undefined {
    return this.#startedAt === undefined ? undefined : this.#startedAt + this.#mostMs;
  }

  /**
   * Why the data is stale at `now` (monotonic ms); `undefined`:
   * it is fresh. The words do not change while it stays stale.
   */
  reason(now: number): string | undefined {
    if (this.#startedAt === undefined) return `no poll of the ${this.#what} was handled yet`;
    if (now - this.#startedAt <= this.#mostMs) return undefined;
    return `no poll of the ${this.#what} was handled for more than ${this.#mostMs / 1_000} s`;
  }
}
