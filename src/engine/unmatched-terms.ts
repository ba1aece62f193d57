import { type OrderTerms, sameTerms } from '../model/order.js';

/** So many terms are compared one by one before a hash table of the rest is built: short lists never need one. */
const WALK = 12;
const NONE = -1;

/** Matches terms with equal terms of a list, each entry once and the first of equal ones first, in constant time each. */
export class UnmatchedTerms {
  readonly #left: (OrderTerms | undefined)[];
  /** Index below which all entries are taken. */
  #first = 0;
  /** Hash table: the index where the chain of a hash begins, and the next index in the chain of each entry; ascending. */
  #heads: Int32Array | undefined;
  #next: Int32Array | undefined;

  /** Takes ownership of `terms`, and empties it. */
  constructor(terms: OrderTerms[]) {
    this.#left = terms;
  }

  isTaken(at: number): boolean {
    return this.#left[at] === undefined;
  }

  /** Takes the first entry with equal terms that was not taken before. Returns its index; −1 when there is none. */
  take(wanted: OrderTerms): number {
    const at = this.#heads === undefined ? this.#walk(wanted) : this.#lookUp(wanted);
    if (at !== NONE) this.#left[at] = undefined;
    return at;
  }

  #walk(wanted: OrderTerms): number {
    const left = this.#left;
    const count = left.length;
    while (this.#first < count && left[this.#first] === undefined) this.#first++;
    const end = Math.min(this.#first + WALK, count);
    for (let at = this.#first; at < end; at++) {
      const terms = left[at];
      if (terms !== undefined && sameTerms(terms, wanted)) return at;
    }
    if (end === count) return NONE;
    this.#index();
    return this.#lookUp(wanted);
  }

  #index(): void {
    const count = this.#left.length;
    const heads = new Int32Array(2 ** Math.ceil(Math.log2(count * 2))).fill(NONE);
    const next = new Int32Array(count);
    for (let at = count - 1; at >= this.#first; at--) {
      const terms = this.#left[at];
      if (terms === undefined) continue;
      const hash = hashOf(terms) & (heads.length - 1);
      next[at] = heads[hash] as number;
      heads[hash] = at;
    }
    this.#heads = heads;
    this.#next = next;
  }

  #lookUp(wanted: OrderTerms): number {
    const heads = this.#heads as Int32Array;
    const next = this.#next as Int32Array;
    const hash = hashOf(wanted) & (heads.length - 1);
    let before = NONE;
    for (let at = heads[hash] as number; at !== NONE; at = next[at] as number) {
      if (sameTerms(this.#left[at] as OrderTerms, wanted)) {
        if (before === NONE) heads[hash] = next[at] as number;
        else next[before] = next[at] as number;
        return at;
      }
      before = at;
    }
    return NONE;
  }
}

/** Equal terms have equal hashes. The fields that it leaves out are rarely the only difference. */
function hashOf({ side, ticks, lots, postOnly, reduceOnly }: OrderTerms): number {
  const flags = (side === 'buy' ? 1 : 0) + (postOnly ? 2 : 0) + (reduceOnly ? 4 : 0);
  // Ticks and lots may exceed 32 bits; their lower 32 bits suffice.
  const mixed =
    Math.imul(Math.imul(ticks ?? 0, 0x9e3779b1) ^ lots, 0x85ebca6b) ^ Math.imul(flags, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}
