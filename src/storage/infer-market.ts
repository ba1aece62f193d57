import { UsageError } from '../model/errors.js';
import { gridOfDecimals, scaledText, stepsOf } from '../model/grid.js';
import type { MarketSpec } from '../model/market.js';
import { assetsOf } from './pair-assets.js';

/** A grid has no more. */
const MOST_DECIMALS = 12;
const ENOUGH_FOR_STEP = 1_000;

/** Fees where nothing is known: a common taker fee and no rebate, so that a result is not too good. */
const ASSUMED_FEES = { maker: '0.0002', taker: '0.0006' } as const;

/** Where no print shows the lot: fine enough for most, and small beside any volume. */
const UNKNOWN_DECIMALS = 3;
const UNKNOWN_QUANTITY = { min: '0.001', max: '1000000000', step: '0.001' } as const;

/** What of a market is told by its prints; more of them may tell another one. */
export type InferredGrid = Required<Pick<MarketSpec, 'quotePrecision' | 'price' | 'quantity'>>;

/**
 * Guesses the grid of a market from its prints: the fewest digits that hold every price and quantity, and from a
 * thousand prints on the largest step that all of them are multiples of (a tick of 0.5 shows only so).
 */
export class MarketGuess {
  readonly #price = new StepGuess();
  readonly #quantity = new StepGuess();

  add(price: number, quantity: number): void {
    this.#price.add(price);
    this.#quantity.add(quantity);
  }

  /** A price of a bar; volumes of bars are sums, and tell nothing of the lot. */
  addPrice(price: number): void {
    this.#price.add(price);
  }

  /** @throws UsageError when there was nothing to infer from. */
  spec(pair: string): MarketSpec {
    if (this.#price.count === 0) {
      throw new UsageError(
        'TICKWRIGHT_E_MARKET',
        `${pair}: a market can only be inferred from trades, received none`,
      );
    }
    const { base, quote } = assetsOf(pair);
    const lotDecimals = this.#quantity.count === 0 ? UNKNOWN_DECIMALS : this.#quantity.decimals;
    const decimals = this.#price.decimals + lotDecimals;
    return {
      pair,
      base,
      quote,
      contract: 'linear',
      quotePrecision: Math.max(8, decimals),
      price: this.#price.range(),
      quantity: this.#quantity.count === 0 ? UNKNOWN_QUANTITY : this.#quantity.range(),
      fees: ASSUMED_FEES,
    };
  }
}

class StepGuess {
  count = 0;
  #grid = gridOfDecimals(0);
  #largest = 0;
  /** Greatest common divisor of all values, in steps of the grid. */
  #divisor = 0;

  get decimals(): number {
    return this.#grid.decimals;
  }

  add(value: number): void {
    this.count += 1;
    if (value > this.#largest) this.#largest = value;
    let steps = stepsOf(this.#grid, value);
    for (let more = 1; Number.isNaN(steps) && this.decimals + more <= MOST_DECIMALS; more++) {
      const finer = gridOfDecimals(this.decimals + more);
      steps = stepsOf(finer, value);
      if (Number.isNaN(steps)) continue;
      this.#grid = finer;
      this.#divisor *= 10 ** more;
    }
    // A number with more digits than a grid may have is noise of floats; it stays off the grid.
    if (this.#divisor !== 1 && !Number.isNaN(steps)) this.#divisor = divisor(this.#divisor, steps);
  }

  range(): { readonly min: string; readonly max: string; readonly step: string } {
    const units = this.count >= ENOUGH_FOR_STEP ? Math.max(1, this.#divisor) : 1;
    // Ten times what was seen, in whole steps: a filter that is there, and in nobody's way.
    const steps = Math.min(
      Math.ceil((this.#largest * 10 * this.#grid.scale) / units),
      Math.floor(Number.MAX_SAFE_INTEGER / units),
    );
    return { min: this.#text(units), max: this.#text(steps * units), step: this.#text(units) };
  }

  #text(units: number): string {
    return scaledText(BigInt(units), this.decimals);
  }
}

function divisor(a: number, b: number): number {
  let x = a;
  let y = b;
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
