/**
 * The ids of the newest trades, so that overlapping pages give no trade twice. Bounded
 * by time and by number. When the number forces ids out, `floor` tells up to which
 * time: pages at or below it must not be read again, or trades would come twice.
 */
export class SeenTrades {
  readonly #capacity: number;
  /** Id → venue ms, oldest first but for late arrivals. */
  readonly #times = new Map<string, number>();
  #floor = Number.NEGATIVE_INFINITY;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Venue ms up to which (inclusive) ids were forgotten for want of room. */
  get floor(): number {
    return this.#floor;
  }

  get size(): number {
    return this.#times.size;
  }

  has(id: string): boolean {
    return this.#times.has(id);
  }

  add(id: string, time: number): void {
    this.#times.set(id, time);
  }

  /** Forgets what is older than `horizon` (venue ms), and then the oldest until there is room. */
  prune(horizon: number): void {
    for (const [id, time] of this.#times) {
      const crowded = this.#times.size > this.#capacity;
      if (!crowded && time >= horizon) return;
      if (crowded) this.#floor = Math.max(this.#floor, time);
      this.#times.delete(id);
    }
  }
}
