import { dayOf } from '../model/calendar.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';

export interface SnapshotPaceOptions {
  /** Records from one snapshot to the next. */
  readonly every: number;
  /** Records that no snapshot holds by now. */
  readonly behind: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Never rejects. What it takes is what is known in the moment of the call. */
  readonly take: () => Promise<void>;
}

/** When to take a snapshot: every so many records, and with the first one of a UTC day. */
export class SnapshotPace {
  readonly #options: SnapshotPaceOptions;
  #behind: number;
  #day: number;
  #cancel: CancelTimer | undefined;

  constructor(options: SnapshotPaceOptions) {
    this.#options = options;
    this.#behind = options.behind;
    this.#day = dayOf(options.clock.wall());
  }

  get behind(): number {
    return this.#behind;
  }

  /** One record more. The snapshot is taken later: an order may wait for this call. */
  count(): void {
    const { every, clock, timers, take } = this.#options;
    this.#behind += 1;
    const day = dayOf(clock.wall());
    if ((this.#behind < every && day === this.#day) || this.#cancel !== undefined) return;
    this.#cancel = timers.soon(() => {
      this.#cancel = undefined;
      this.#behind = 0;
      this.#day = day;
      void take();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
