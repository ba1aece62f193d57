import { type EngineEvent, timeOfEvent } from '../../model/event.js';
import type { DecidedInBrief } from './deeds.js';
import type { Decided } from './what-if.js';

/** What one session decided over all inputs. */
export interface DecisionCounts {
  readonly orders: number;
  readonly cancels: number;
  readonly refusals: number;
  /** Lots that its orders asked for, by side. */
  readonly buys: number;
  readonly sells: number;
}

/** One input on which the two decided differently. */
export interface DecisionDifference {
  /** Number of the input, from 1. */
  readonly input: number;
  /** Kind of the input. */
  readonly event: EngineEvent['kind'];
  /** Venue ms; `undefined` for what has no time. */
  readonly time: number | undefined;
  readonly unchanged: Decided;
  readonly changed: Decided;
}

export interface DecisionDiff {
  readonly inputs: number;
  /** Inputs on which they decided differently. */
  readonly differing: number;
  /** The first of them, at most as many as asked for. */
  readonly differences: readonly DecisionDifference[];
  /** With the session's own settings, under the same fills as `changed`. */
  readonly unchanged: DecisionCounts;
  readonly changed: DecisionCounts;
}

/** Compares the decisions of two sessions on the same inputs. */
export class DecisionDiffer {
  readonly #most: number;
  readonly #differences: DecisionDifference[] = [];
  readonly #unchanged = new DecisionCount();
  readonly #changed = new DecisionCount();
  #inputs = 0;
  #differing = 0;

  /** `most`: how many differences are kept; all are counted. */
  constructor(most: number) {
    this.#most = most;
  }

  add(event: EngineEvent, unchanged: Decided, changed: Decided): void {
    this.#inputs++;
    this.#unchanged.add(unchanged);
    this.#changed.add(changed);
    if (JSON.stringify(unchanged) === JSON.stringify(changed)) return;
    this.#differing++;
    if (this.#differences.length >= this.#most) return;
    const { kind } = event;
    this.#differences.push({
      input: this.#inputs,
      event: kind,
      time: timeOfEvent(event),
      unchanged,
      changed,
    });
  }

  get diff(): DecisionDiff {
    return {
      inputs: this.#inputs,
      differing: this.#differing,
      differences: this.#differences,
      unchanged: this.#unchanged.counts,
      changed: this.#changed.counts,
    };
  }
}

/** Adds up decisions. */
export class DecisionCount {
  #orders = 0;
  #cancels = 0;
  #refusals = 0;
  readonly #lots = { buy: 0, sell: 0 };

  add({ places, cancels, refusals }: Decided): void {
    this.note({ places, cancels: cancels.length, refusals: refusals.length });
  }

  note({ places, cancels, refusals }: DecidedInBrief): void {
    this.#orders += places.length;
    this.#cancels += cancels;
    this.#refusals += refusals;
    for (const { side, lots } of places) this.#lots[side] += lots;
  }

  get counts(): DecisionCounts {
    const { buy: buys, sell: sells } = this.#lots;
    return { orders: this.#orders, cancels: this.#cancels, refusals: this.#refusals, buys, sells };
  }
}
