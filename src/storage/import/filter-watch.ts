import { type DecimalSource, parseDecimal } from '../../model/decimal.js';
import type { MarketSpec } from '../../model/market.js';

/** Prints that exceed the market's own filters. They come from another market, are in other units, or are damaged. */
export interface BeyondFilters {
  readonly prints: number;
  /** `file:line` of the first such print. The fields below state which of its values exceeds which limit. */
  readonly where: string;
  readonly field: 'price' | 'quantity';
  readonly received: number;
  readonly max: number;
}

/** Counts prints above the largest price or quantity that the market allows for an order. */
export class FilterWatch {
  readonly #maxPrice: number;
  readonly #maxQuantity: number;
  #prints = 0;
  #first: Omit<BeyondFilters, 'prints'> | undefined;

  /** `market`: `undefined` when it is to be inferred from these prints, which then cannot exceed it. */
  constructor(market: MarketSpec | undefined) {
    this.#maxPrice = market === undefined ? Infinity : limitOf(market.price.max);
    this.#maxQuantity = market === undefined ? Infinity : limitOf(market.quantity.max);
  }

  /**
   * For a bar, `price` is its highest price and `quantity` is 0, because a bar's volume is a sum that no filter bounds.
   */
  next(where: string, price: number, quantity: number): void {
    if (price <= this.#maxPrice && quantity <= this.#maxQuantity) return;
    this.#prints += 1;
    this.#first ??=
      price > this.#maxPrice
        ? { where, field: 'price', received: price, max: this.#maxPrice }
        : { where, field: 'quantity', received: quantity, max: this.#maxQuantity };
  }

  get beyond(): BeyondFilters | undefined {
    return this.#first === undefined ? undefined : { prints: this.#prints, ...this.#first };
  }
}

function limitOf(max: DecimalSource): number {
  return parseDecimal(max)?.toNumber() ?? Infinity;
}
