const REJECTED_MS = { first: 1_000, most: 60_000 };
const CANCELED_MS = { first: 250, most: 10_000 };

/**
 * Delays the next order after the venue rejected an order, cancelled its rest or refused to cancel it, so that a want that
 * cannot be met never becomes a storm of orders. Rejections delay it longer each time until an order is accepted,
 * cancellations until one fills or the want changes. On event time.
 */
export class RetryDelay {
  #rejections = 0;
  #cancellations = 0;
  #exitFailed = false;
  /** Event time of the next try; Infinity: there is no delay. */
  time = Number.POSITIVE_INFINITY;

  holds(now: number): boolean {
    return this.time !== Number.POSITIVE_INFINITY && now < this.time;
  }

  /** `time` has come. */
  over(): void {
    this.time = Number.POSITIVE_INFINITY;
    this.#exitFailed = false;
  }

  /** An order was not sent because it came too early. That starts a delay, and leaves one that is running as it is. */
  tooSoon(now: number): void {
    if (this.holds(now)) return;
    this.over();
    this.time = now + REJECTED_MS.first;
  }

  /**
   * Reduce-only orders may leave during the delay, until one of them fails itself. Not even one that is accepted lets others
   * leave again before the delay is over: two that the venue ends in turn would be a storm.
   */
  get letsExit(): boolean {
    return !this.#exitFailed;
  }

  /** The position has to go now, by an order of another kind than the one that failed: it may leave during the delay. */
  exitAnew(): void {
    this.#exitFailed = false;
  }

  /** Orders that were sent together and are rejected together count once: nothing is sent during a delay. */
  rejected(now: number, reduceOnly: boolean): void {
    const isHeld = this.holds(now);
    this.#exitFailed = reduceOnly || (isHeld && this.#exitFailed);
    if (this.#rejections > 0 && isHeld) return;
    this.time = now + Math.min(REJECTED_MS.most, REJECTED_MS.first * 2 ** this.#rejections++);
  }

  canceled(now: number, reduceOnly: boolean): void {
    this.#exitFailed = reduceOnly || (this.holds(now) && this.#exitFailed);
    this.time = now + Math.min(CANCELED_MS.most, CANCELED_MS.first * 2 ** this.#cancellations++);
  }

  accepted(): void {
    this.#rejections = 0;
  }

  filled(): void {
    this.#cancellations = 0;
  }

  /** A new want is tried at once, unless the venue rejected the last order. */
  changedMind(): void {
    if (this.#rejections === 0) this.over();
    this.#cancellations = 0;
  }
}
