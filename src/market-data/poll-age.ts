/**
 * How old the newest data of one poll is. It counts from the start of its request: what happened after that is not in
 * the answer, however late it comes.
 */
export class PollAge {
  readonly #what: string;
  readonly #mostMs: number;
  #startedAt: number | undefined;

  constructor(what: string, mostMs: number) {
    this.#what = what;
    this.#mostMs = mostMs;
  }

  /** An answer was handled whose request started at this monotonic ms. */
  handled(startedAt: number): void {
    this.#startedAt = Math.max(this.#startedAt ?? startedAt, startedAt);
  }

  /** Until the next answer it is as if there had never been one. */
  forget(): void {
    this.#startedAt = undefined;
  }

  /** The last monotonic ms at which the answer is not too old; `undefined` when there is none. */
  get freshUntil(): number | undefined {
    return this.#startedAt === undefined ? undefined : this.#startedAt + this.#mostMs;
  }

  /** Why it is too old; the same words for as long as it is. */
  reason(now: number): string | undefined {
    if (this.#startedAt === undefined) return `no poll of the ${this.#what} was handled yet`;
    if (now - this.#startedAt <= this.#mostMs) return undefined;
    return `no poll of the ${this.#what} was handled for more than ${this.#mostMs / 1_000} s`;
  }
}
