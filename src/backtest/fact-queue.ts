import type { WorldFact } from '../model/world-fact.js';

/** Recorded facts that the session has not learned yet, in the order in which it will. */
export class FactQueue {
  #facts: WorldFact[] = [];
  #next = 0;
  /** Times at which funding is paid, ms. */
  #funded: ReadonlySet<number> = new Set();
  /**
   * The first fact is learned before the first print with a later time than this, ms; Infinity when the queue is empty.
   */
  nextTime = Number.POSITIVE_INFINITY;

  /** All facts of one time must be added in one call. */
  add(facts: readonly WorldFact[]): void {
    if (facts.length === 0) return;
    const left = [...this.#facts.slice(this.#next), ...facts];
    this.#funded = new Set(left.filter(({ kind }) => kind === 'funding').map(({ time }) => time));
    this.#facts = left.sort((a, b) => this.#dueTime(a) - this.#dueTime(b));
    this.#next = 0;
    this.#setNextTime();
  }

  /** Removes and returns the first fact. */
  take(): WorldFact {
    const fact = this.#facts[this.#next++] as WorldFact;
    this.#setNextTime();
    return fact;
  }

  #setNextTime(): void {
    const next = this.#facts[this.#next];
    this.nextTime = next === undefined ? Number.POSITIVE_INFINITY : this.#dueTime(next);
  }

  /**
   * Sort key of a fact. Times are whole: funding is paid after all else of the millisecond before it, and before the
   * prints of its own time. It depends on the rules and the mark of its own millisecond, which must come before it on
   * every market of an account.
   */
  #dueTime({ kind, time }: WorldFact): number {
    if (kind === 'depth' || !this.#funded.has(time)) return time;
    return kind === 'funding' ? time - 0.5 : time - 0.75;
  }
}
