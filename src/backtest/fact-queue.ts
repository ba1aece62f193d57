import type { WorldFact } from '../model/world-fact.js';

/** What is known besides trades and not yet learned, in the order in which it is. */
export class FactQueue {
  #facts: WorldFact[] = [];
  #next = 0;
  /** When funding is paid, ms. */
  #funded: ReadonlySet<number> = new Set();
  /** The first fact is learned before the first print with a later time than this, ms; Infinity without any. */
  nextTime = Number.POSITIVE_INFINITY;

  /** All that is known of a time comes at once. */
  add(facts: readonly WorldFact[]): void {
    if (facts.length === 0) return;
    const left = [...this.#facts.slice(this.#next), ...facts];
    this.#funded = new Set(left.filter(({ kind }) => kind === 'funding').map(({ time }) => time));
    this.#facts = left.sort((a, b) => this.#dueTime(a) - this.#dueTime(b));
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
    this.nextTime = next === undefined ? Number.POSITIVE_INFINITY : this.#dueTime(next);
  }

  /**
   * Times are whole: funding is paid after all else of the millisecond before it, and before the prints of its own. It goes
   * by the rules and the mark of its millisecond, which on each market of an account come before the funding of any.
   */
  #dueTime({ kind, time }: WorldFact): number {
    if (kind === 'depth' || !this.#funded.has(time)) return time;
    return kind === 'funding' ? time - 0.5 : time - 0.75;
  }
}
