import type { WorldFact } from '../model/world-fact.js';

/** What is known besides trades and not yet learned, in the order in which it is. */
export class FactQueue {
  #facts: WorldFact[] = [];
  #next = 0;
  /** The first fact is learned before the first print with a later time than this, ms; Infinity without any. */
  nextTime = Number.POSITIVE_INFINITY;

  add(facts: readonly WorldFact[]): void {
    if (facts.length === 0) return;
    this.#facts = [...this.#facts.slice(this.#next), ...facts].sort((a, b) => dueTime(a) - dueTime(b));
    this.#next = 0;
    this.#setNextTime();
  }

  /** The first one, off the queue. */
  take(): WorldFact {
    const fact = this.#facts[this.#next++] as WorldFact;
    this.#setNextTime();
    return fact;
  }

  #setNextTime(): void {
    const next = this.#facts[this.#next];
    this.nextTime = next === undefined ? Number.POSITIVE_INFINITY : dueTime(next);
  }
}

/** Times are whole: funding is paid after all else of the millisecond before it, and before the prints of its own. */
function dueTime({ kind, time }: WorldFact): number {
  return kind === 'funding' ? time - 0.5 : time;
}
