import type { TapePrints } from '../liquidity.js';

/** The columns from which estimates are learned. */
export type LearnedPrints = Omit<TapePrints, 'time'>;

/** A copy of some rows, for columns that are about to be reused for other rows. */
export class KeptPrints implements LearnedPrints {
  price = new Float64Array(0);
  quantity = new Float64Array(0);
  isBuyerMaker = new Uint8Array(0);
  /** Rows that are valid. */
  count = 0;

  /** Replaces the kept rows by rows `from` to `to`. */
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
