import { dayOf } from '../model/calendar.js';
import type { CancelTimer, Clock, Timers } from '../ports/clock.js';

export interface SnapshotPaceOptions {
  /** Records from one snapshot to the next. */
  readonly every: number;
  /** Records since the newest snapshot. */
  readonly behind: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Takes a snapshot of the books as of the call. Never rejects. */
  readonly take: () => Promise<void>;
}

/** Decides when to take a snapshot: every `every` records, and with the first record of a UTC day. */
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

  /** Counts a record. A snapshot that is due is taken in a later turn, since an order may wait for this call. */
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
