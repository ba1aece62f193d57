import type { TrackedOrder } from './tracked-order.js';

/** Orders wait here for their turn: one at a time, in the order in which they came. */
export class PlaceQueue {
  readonly #waiting: TrackedOrder[] = [];
  readonly #run: (order: TrackedOrder) => Promise<void>;
  #busy = false;

  /** `run` is called for one order at a time, and never twice for the same. */
  constructor(run: (order: TrackedOrder) => Promise<void>) {
    this.#run = run;
  }

  add(order: TrackedOrder): void {
    this.#waiting.push(order);
    this.#next();
  }

  /** Removes and returns the orders that still wait. */
  drain(): readonly TrackedOrder[] {
    return this.#waiting.splice(0);
  }

  #next(): void {
    if (this.#busy) return;
    const order = this.#waiting.shift();
    if (order === undefined) return;
    this.#busy = true;
    void this.#run(order).finally(() => {
      this.#busy = false;
      this.#next();
    });
  }
}
