import { InvariantError } from '../../model/errors.js';

/** Resolves once all promises that can continue without an event have done so. */
export type Drain = () => Promise<void>;

/** An event that is to happen at a certain time. */
export interface Scheduled {
  /** Prevents the event; has no effect after it has happened. */
  cancel(): void;
}

/** Times are multiples of this many ms, so that sums of them are exact on every machine. */
export const GRAIN_MS = 1 / 1_024;

/** Rounds up to the next multiple of the grain. */
function onGrain(ms: number): number {
  return Math.ceil(ms * 1_024) / 1_024;
}

class Event implements Scheduled {
  readonly time: number;
  readonly order: number;
  /** `undefined` once it was cancelled or has happened. */
  run: (() => void) | undefined;
  readonly #cancelled: () => void;

  constructor(time: number, order: number, run: () => void, cancelled: () => void) {
    this.time = time;
    this.order = order;
    this.run = run;
    this.#cancelled = cancelled;
  }

  cancel(): void {
    if (this.run === undefined) return;
    this.run = undefined;
    this.#cancelled();
  }
}

/** The heap is cleaned when it has more cancelled events than this, and more of them than of others. */
const MOST_DEAD = 1_024;

/**
 * The time line of a world. It runs events in order of (time, order of scheduling), each with all that follows from it.
 */
export class Scheduler {
  readonly #drain: Drain;
  #heap: Event[] = [];
  #now = 0;
  #order = 0;
  #dead = 0;
  #events = 0;
  #drains = 0;
  /** Whether promises may be able to continue. True at first, as code under test may have been called before. */
  #isAwake = true;
  #isRunning = false;
  #afterwards: (() => void)[] = [];
  readonly #cancelled = () => {
    this.#dead += 1;
    if (this.#dead > MOST_DEAD && this.#dead * 2 > this.#heap.length) this.#bury();
  };

  constructor({ drain }: { readonly drain: Drain }) {
    this.#drain = drain;
  }

  /** Virtual ms since the beginning of the world, with fractions. */
  get now(): number {
    return this.#now;
  }

  /** Number of events that happened. */
  get events(): number {
    return this.#events;
  }

  /** How often the scheduler waited for promises. */
  get drains(): number {
    return this.#drains;
  }

  /** Time of the next event; Infinity if there is none. */
  get nextTime(): number {
    this.#dropDead();
    return this.#heap[0]?.time ?? Number.POSITIVE_INFINITY;
  }

  /** Schedules `run` at `time`, or next if that is past. It may call code under test. */
  at(time: number, run: () => void): Scheduled {
    return this.quietly(time, () => {
      this.#isAwake = true;
      run();
    });
  }

  /**
   * Like `at`, for tasks that neither call code under test nor settle its promises, or that call `wake` when they do.
   * Costs less.
   */
  quietly(time: number, run: () => void): Scheduled {
    if (Number.isNaN(time)) throw new InvariantError('an event must have a time, received NaN');
    const event = new Event(Math.max(this.#now, onGrain(time)), this.#order++, run, this.#cancelled);
    this.#push(event);
    return event;
  }

  /** Makes the scheduler wait for promises before the next event. Then runs `afterwards`, still at this time. */
  wake(afterwards?: () => void): void {
    this.#isAwake = true;
    if (afterwards !== undefined) this.#afterwards.push(afterwards);
  }

  /** Runs all events up to and including `time`, and then sets `now` to `time`. */
  async runUntil(time: number): Promise<void> {
    await this.runUntilDone(NEVER, time);
  }

  /** Stops early, before the next event, once `done()` holds. Returns false if it does not hold by `time`. */
  async runUntilDone(done: () => boolean, time: number): Promise<boolean> {
    if (this.#isRunning) throw new InvariantError('a scheduler must be run by one caller at a time');
    this.#isRunning = true;
    try {
      // The caller may have called code under test before.
      await this.#settle();
      for (;;) {
        if (done()) return true;
        this.#dropDead();
        const event = this.#heap[0];
        if (event === undefined || event.time > time) break;
        this.#pop();
        this.#now = event.time;
        this.#events += 1;
        const { run } = event;
        event.run = undefined;
        run?.();
        if (this.#isAwake) await this.#settle();
      }
      this.#now = Math.max(this.#now, time);
      return false;
    } finally {
      this.#isRunning = false;
      this.#isAwake = true;
    }
  }

  async #settle(): Promise<void> {
    do {
      this.#isAwake = false;
      this.#drains += 1;
      await this.#drain();
      if (this.#afterwards.length > 0) {
        const tasks = this.#afterwards;
        this.#afterwards = [];
        for (const task of tasks) task();
      }
      // What runs afterwards may let promises continue again.
    } while (this.#isAwake);
  }

  #dropDead(): void {
    while (this.#heap.length > 0 && this.#heap[0]?.run === undefined) {
      this.#pop();
      this.#dead -= 1;
    }
  }

  #bury(): void {
    const living = this.#heap.filter(({ run }) => run !== undefined);
    // A sorted array is a valid heap.
    this.#heap = living.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.#dead = 0;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Event;
      if (!isBefore(event, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    const size = heap.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && isBefore(heap[right] as Event, heap[child] as Event)) child = right;
      const below = heap[child] as Event;
      if (!isBefore(below, last)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

const NEVER = () => false;

function isBefore(a: Event, b: Event): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
