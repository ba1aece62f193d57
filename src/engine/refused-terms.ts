import type { OrderTerms } from '../model/order.js';

const AGAIN_MS = { first: 1_000, most: 60_000 };

/**
 * What the gate refused of the standing want. It is not asked at every event but when something of ours changed: the
 * want, the position, a working order, what is permitted; and when time or the market may have changed the answer.
 */
export class RefusedTerms {
  #terms: OrderTerms[] = [];
  #rounds = 0;
  #dueAt = Number.POSITIVE_INFINITY;

  get terms(): readonly OrderTerms[] {
    return this.#terms;
  }

  /** When asking again is due although nothing of ours changed, event time; Infinity when it never is. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** `until` as in the refusal: not after `now` means that nobody knows, then it is ever later. */
  add(terms: OrderTerms, now: number, until: number | undefined): void {
    this.#terms.push(terms);
    if (until === undefined) return;
    const wait = Math.min(AGAIN_MS.most, AGAIN_MS.first * 2 ** this.#rounds);
    this.#dueAt = Math.min(this.#dueAt, until > now ? until : now + wait);
  }

  /** Something of ours changed: whatever is refused after that is another question. */
  forget(): void {
    if (this.#terms.length > 0) this.#clear(0);
  }

  /** The time came. */
  due(): void {
    this.#clear(this.#rounds + 1);
  }

  #clear(rounds: number): void {
    this.#terms = [];
    this.#rounds = rounds;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
