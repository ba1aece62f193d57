import type { IntentId } from '../model/order.js';

const BITS = 8;

/** A set of intents, one bit each: a year of orders fits in a megabyte. Ids are integers from 0. */
export class IntentSet {
  #bits = new Uint8Array(64);

  has(id: IntentId): boolean {
    return ((this.#bits[Math.floor(id / BITS)] ?? 0) & (1 << (id % BITS))) !== 0;
  }

  /** Returns false when the set holds the intent already. */
  add(id: IntentId): boolean {
    if (this.has(id)) return false;
    const index = Math.floor(id / BITS);
    if (index >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(index + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[index] = (this.#bits[index] ?? 0) | (1 << (id % BITS));
    return true;
  }
}
