const REJECTED_MS = { first: 1_000, most: 60_000 };
const CANCELED_MS = { first: 250, most: 10_000 };

/**
 * Puts the next order off after the venue rejected one, cancelled what was left of it or refused to cancel it, longer each
 * time until something fills, so that a want that cannot be met never becomes a storm. On event time.
 */
export class RetryDelay {
  #rejections = 0;
  #cancellations = 0;
  #exitFailed = false;
  /** When trying again is due; Infinity when nothing is put off. */
  time = Number.POSITIVE_INFINITY;

  holds(now: number): boolean {
    return this.time !== Number.POSITIVE_INFINITY && now < this.time;
  }

  /** The time came. */
  over(): void {
    this.time = Number.POSITIVE_INFINITY;
  }

  /** It never left, and nothing is wrong but the moment. A delay that is there stands. */
  tooSoon(now: number): void {
    if (!this.holds(now)) this.time = now + REJECTED_MS.first;
  }

  /** What only reduces is not put off by what was to add, until it fails itself. */
  get letsExit(): boolean {
    return !this.#exitFailed;
  }

  /** What is rejected while nothing is sent was sent together with what was rejected before: it counts once. */
  rejected(now: number, reduceOnly: boolean): void {
    this.#exitFailed ||= reduceOnly;
    if (this.#rejections > 0 && this.holds(now)) return;
    this.time = now + Math.min(REJECTED_MS.most, REJECTED_MS.first * 2 ** this.#rejections++);
  }

  canceled(now: number, reduceOnly: boolean): void {
    this.#exitFailed ||= reduceOnly;
    this.time = now + Math.min(CANCELED_MS.most, CANCELED_MS.first * 2 ** this.#cancellations++);
  }

  accepted(): void {
    this.#rejections = 0;
    this.#exitFailed = false;
  }

  filled(): void {
    this.#cancellations = 0;
  }

  /** A new want is tried at once, unless it was the venue that rejected the last order. */
  changedMind(): void {
    if (this.#rejections === 0) this.over();
    this.#cancellations = 0;
  }
}
