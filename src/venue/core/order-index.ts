import type { CoreOrder } from './account.js';

const PAGE = 1_024;
/** Copying it is a hundred times faster than making a list of as many. */
const EMPTY = Array.from<undefined, CoreOrder | undefined>({ length: PAGE }, () => undefined);

interface Page {
  readonly orders: (CoreOrder | undefined)[];
  kept: number;
}

/**
 * Orders by their ascending numbers, in pages that go when none of their orders is kept any more: a few nanoseconds an
 * order, where a hash map that grows and shrinks all the time costs a hundred.
 */
export class OrderIndex {
  readonly #pages = new Map<number, Page>();
  /** The page that was looked at last, mostly the right one. */
  #number = -1;
  #page: Page | undefined = undefined;
  #newest = -1;

  get(sequence: number): CoreOrder | undefined {
    return this.#find(sequence)?.orders[sequence % PAGE];
  }

  add(order: CoreOrder): void {
    const { sequence } = order;
    let page = this.#find(sequence);
    if (page === undefined) {
      if (this.#pages.get(this.#newest)?.kept === 0) this.#pages.delete(this.#newest);
      this.#newest = this.#number;
      page = { orders: EMPTY.slice(), kept: 0 };
      this.#pages.set(this.#number, page);
      this.#page = page;
    }
    page.orders[sequence % PAGE] = order;
    page.kept++;
  }

  remove({ sequence }: CoreOrder): void {
    const page = this.#find(sequence);
    if (page === undefined) return;
    page.orders[sequence % PAGE] = undefined;
    page.kept--;
    // More orders will come to the newest page.
    if (page.kept > 0 || this.#number === this.#newest) return;
    this.#pages.delete(this.#number);
    this.#page = undefined;
  }

  #find(sequence: number): Page | undefined {
    const number = Math.floor(sequence / PAGE);
    if (number !== this.#number) {
      this.#number = number;
      this.#page = this.#pages.get(number);
    }
    return this.#page;
  }
}
