import { type DecimalSource, parseDecimal } from '../../model/decimal.js';
import type { MarketSpec } from '../../model/market.js';

/** Prints that the market's own filters would not let be: of another market, in other units, or damaged. */
export interface BeyondFilters {
  readonly prints: number;
  /** `file:line` of the first, and what it has above which limit. */
  readonly where: string;
  readonly field: 'price' | 'quantity';
  readonly received: number;
  readonly max: number;
}

/** Counts prints above the largest price or quantity that an order may have. */
export class FilterWatch {
  readonly #maxPrice: number;
  readonly #maxQuantity: number;
  #prints = 0;
  #first: Omit<BeyondFilters, 'prints'> | undefined;

  /** Without a market, as where it is inferred from these very prints, nothing is beyond it. */
  constructor(market: MarketSpec | undefined) {
    this.#maxPrice = market === undefined ? Infinity : limitOf(market.price.max);
    this.#maxQuantity = market === undefined ? Infinity : limitOf(market.quantity.max);
  }

  /** Of a bar the highest price; its volume is a sum, which no filter bounds: 0. */
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
