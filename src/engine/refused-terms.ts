import type { OrderTerms } from '../model/order.js';

const AGAIN_MS = { first: 1_000, most: 60_000 };

/**
 * The terms of the standing want that the gate refused. They are not tried at every event, but again when the want, the
 * position, a working order or the permission changed, and when time or the market may have changed the gate's answer.
 */
export class RefusedTerms {
  #terms: OrderTerms[] = [];
  #rounds = 0;
  #dueAt = Number.POSITIVE_INFINITY;

  get terms(): readonly OrderTerms[] {
    return this.#terms;
  }

  /** Event time at which they are tried again although nothing of ours changed; Infinity: never. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** `until` as in the refusal. A time up to `now` means that nobody knows when: then tries follow at growing pauses. */
  add(terms: OrderTerms, now: number, until: number | undefined): void {
    this.#terms.push(terms);
    if (until === undefined) return;
    const wait = Math.min(AGAIN_MS.most, AGAIN_MS.first * 2 ** this.#rounds);
    this.#dueAt = Math.min(this.#dueAt, until > now ? until : now + wait);
  }

  /** Something of ours changed: all terms may be tried, and the pauses begin anew. */
  forget(): void {
    if (this.#terms.length > 0) this.#clear(0);
  }

  /** `dueAt` has come: all terms may be tried, and the next pause is longer. */
  due(): void {
    this.#clear(this.#rounds + 1);
  }

  #clear(rounds: number): void {
    this.#terms = [];
    this.#rounds = rounds;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
