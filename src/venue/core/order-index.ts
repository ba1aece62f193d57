import type { CoreOrder } from './account.js';

const PAGE = 1_024;
/** Copying this array is a hundred times faster than building one of the same length. */
const EMPTY = Array.from<undefined, CoreOrder | undefined>({ length: PAGE }, () => undefined);

interface Page {
  readonly orders: (CoreOrder | undefined)[];
  kept: number;
}

/**
 * Orders by their ascending numbers, in pages that are freed once none of their orders is kept. This costs a few
 * nanoseconds an order, where a hash map that constantly grows and shrinks costs a hundred.
 */
export class OrderIndex {
  readonly #pages = new Map<number, Page>();
  /** The page for new orders. */
  #newest = -1;
  #newestPage: Page | undefined = undefined;
  /** Cache of the other page that was used last. */
  #number = -1;
  #page: Page | undefined = undefined;

  get(sequence: number): CoreOrder | undefined {
    return this.#find(Math.floor(sequence / PAGE))?.orders[sequence % PAGE];
  }

  add(order: CoreOrder): void {
    const { sequence } = order;
    const number = Math.floor(sequence / PAGE);
    const page = this.#find(number) ?? this.#open(number);
    page.orders[sequence % PAGE] = order;
    page.kept++;
  }

  remove({ sequence }: CoreOrder): void {
    const number = Math.floor(sequence / PAGE);
    const page = this.#find(number);
    if (page === undefined) return;
    page.orders[sequence % PAGE] = undefined;
    page.kept--;
    // The newest page stays, because new orders will come to it.
    if (page.kept > 0 || number === this.#newest) return;
    this.#pages.delete(number);
    this.#forget();
  }

  #open(number: number): Page {
    if (this.#newestPage?.kept === 0) this.#pages.delete(this.#newest);
    this.#forget();
    const page = { orders: EMPTY.slice(), kept: 0 };
    this.#pages.set(number, page);
    this.#newest = number;
    this.#newestPage = page;
    return page;
  }

  /** Clears the cache, whose page may have changed. */
  #forget(): void {
    this.#number = -1;
    this.#page = undefined;
  }

  #find(number: number): Page | undefined {
    if (number === this.#newest) return this.#newestPage;
    if (number !== this.#number) {
      this.#number = number;
      this.#page = this.#pages.get(number);
    }
    return this.#page;
  }
}
