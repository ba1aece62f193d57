import type { TrackedOrder } from './tracked-order.js';

interface Lane {
  readonly waiting: TrackedOrder[];
  busy: boolean;
}

/** Orders wait here for their turn: one at a time a pair, in the order in which they came. */
export class PlaceLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #run: (order: TrackedOrder) => Promise<void>;

  /** `run` is called for one order of a pair at a time, and never twice for the same. */
  constructor(run: (order: TrackedOrder) => Promise<void>) {
    this.#run = run;
  }

  add(order: TrackedOrder): void {
    const { pair } = order.market;
    const lane = this.#lanes.get(pair) ?? { waiting: [], busy: false };
    this.#lanes.set(pair, lane);
    lane.waiting.push(order);
    this.#next(lane);
  }

  /** Removes and returns the orders that still wait. */
  drain(): readonly TrackedOrder[] {
    return [...this.#lanes.values()].flatMap(({ waiting }) => waiting.splice(0));
  }

  #next(lane: Lane): void {
    if (lane.busy) return;
    const order = lane.waiting.shift();
    if (order === undefined) return;
    lane.busy = true;
    void this.#run(order).finally(() => {
      lane.busy = false;
      this.#next(lane);
    });
  }
}
