import type { TapePrints } from '../liquidity.js';

/** What estimates are learned from. */
export type LearnedPrints = Omit<TapePrints, 'time'>;

/** Some rows of columns that are about to be used for others. */
export class KeptPrints implements LearnedPrints {
  price = new Float64Array(0);
  quantity = new Float64Array(0);
  isBuyerMaker = new Uint8Array(0);
  /** Rows that are valid. */
  count = 0;

  /** Rows `from` to `to`, in place of those that were kept before. */
  keep({ price, quantity, isBuyerMaker }: LearnedPrints, from: number, to: number): void {
    const count = to - from;
    if (this.price.length < count) {
      this.price = new Float64Array(count);
      this.quantity = new Float64Array(count);
      this.isBuyerMaker = new Uint8Array(count);
    }
    this.price.set(price.subarray(from, to));
    this.quantity.set(quantity.subarray(from, to));
    this.isBuyerMaker.set(isBuyerMaker.subarray(from, to));
    this.count = count;
  }

  clear(): void {
    this.count = 0;
  }
}
