import { UsageError } from '../model/errors.js';
import { gridOfDecimals, scaledText, stepsOf } from '../model/grid.js';
import type { MarketSpec } from '../model/market.js';
import { assetsOf } from './pair-assets.js';

/** A grid has no more. */
const MOST_DECIMALS = 12;
const ENOUGH_FOR_STEP = 1_000;

/** The share of values off every grid up to which they are noise of floats among values that are clean. */
const MOST_NOISE = 0.01;
/** Single precision holds so many decimal digits at most. */
const SINGLE_DIGITS = 9;
/** How many digits of the smallest value are kept where values have more than a grid. */
const KEPT_DIGITS = 8;
/** A filter that is there, and in nobody's way: this many times what was seen. */
const ROOM = 10;

/** Fees where nothing is known: a common taker fee and no rebate, so that a result is not too good. */
const ASSUMED_FEES = { maker: '0.0002', taker: '0.0006' } as const;

/** Where no print shows the lot: fine enough for most, and small beside any volume. */
const UNKNOWN_DECIMALS = 3;
const UNKNOWN_QUANTITY = { min: '0.001', max: '1000000000', step: '0.001' } as const;

/** What of a market is told by its prints; more of them may tell another one. */
export type InferredGrid = Required<Pick<MarketSpec, 'quotePrecision' | 'price' | 'quantity'>>;

/** The steps that were chosen by size, as plain decimals, where the prints have more digits than a grid. */
export interface FinerThanGrid {
  readonly price?: string;
  readonly quantity?: string;
}

/**
 * Guesses the grid of a market from its prints: the fewest digits that hold every price and quantity, and from a
 * thousand prints on the largest step that all of them are multiples of (a tick of 0.5 shows only so). Prints that no
 * grid holds, as quotients and single-precision numbers are, tell no step: it is chosen by their size.
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

  /** `undefined` where the grids hold what was seen. */
  get finerThanGrid(): FinerThanGrid | undefined {
    const [price, quantity] = [this.#price, this.#quantity];
    if (!price.isBySize && !quantity.isBySize) return undefined;
    return {
      ...(price.isBySize && { price: price.range().step }),
      ...(quantity.isBySize && { quantity: quantity.range().step }),
    };
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
  /** Holds all values but those that no grid holds. */
  #grid = gridOfDecimals(0);
  #offGrids = 0;
  #smallest = Infinity;
  #largest = 0;
  /** Greatest common divisor of all values on the grid, in steps of it. */
  #divisor = 0;

  add(value: number): void {
    this.count += 1;
    if (value > this.#largest) this.#largest = value;
    if (value < this.#smallest) this.#smallest = value;
    if (isSinglePrecision(value)) {
      this.#offGrids += 1;
      return;
    }
    let steps = stepsOf(this.#grid, value);
    const { decimals } = this.#grid;
    for (let more = 1; Number.isNaN(steps) && decimals + more <= MOST_DECIMALS; more++) {
      const finer = gridOfDecimals(decimals + more);
      steps = stepsOf(finer, value);
      if (Number.isNaN(steps)) continue;
      this.#grid = finer;
      this.#divisor *= 10 ** more;
    }
    if (Number.isNaN(steps)) this.#offGrids += 1;
    else if (this.#divisor !== 1) this.#divisor = divisor(this.#divisor, steps);
  }

  /** Whether the values have more digits than a grid, or than one on which they are safe integers with some room. */
  get isBySize(): boolean {
    const { count } = this;
    // One value is noise in however short a file, unless there is no other.
    const isNoise = this.#offGrids <= Math.max(1, count * MOST_NOISE) && this.#offGrids < count;
    return count > 0 && !(isNoise && this.#hasRoom(this.#grid.decimals));
  }

  get decimals(): number {
    if (!this.isBySize) return this.#grid.decimals;
    const wanted = KEPT_DIGITS - 1 - exponentOf(this.#smallest);
    let decimals = Math.min(Math.max(wanted, 0), MOST_DECIMALS);
    while (!this.#hasRoom(decimals)) decimals -= 1;
    return decimals;
  }

  range(): { readonly min: string; readonly max: string; readonly step: string } {
    const { decimals } = this;
    const units = this.count >= ENOUGH_FOR_STEP && !this.isBySize ? Math.max(1, this.#divisor) : 1;
    const steps = Math.min(
      Math.ceil((this.#largest * ROOM * 10 ** decimals) / units),
      Math.floor(Number.MAX_SAFE_INTEGER / units),
    );
    const text = (count: number) => scaledText(BigInt(count), decimals);
    return { min: text(units), max: text(steps * units), step: text(units) };
  }

  /** Whole numbers of whatever size are left as they are: there is no coarser grid. */
  #hasRoom(decimals: number): boolean {
    return decimals === 0 || this.#largest * ROOM * 10 ** decimals <= Number.MAX_SAFE_INTEGER;
  }
}

/**
 * Whether a number was kept in single precision, whose binary digits behind the point are decimal ones that nobody
 * printed: above 4,096 they would all be on a grid, such as that of 1/512.
 */
function isSinglePrecision(value: number): boolean {
  return Math.fround(value) === value && !Number.isInteger(value) && digitsOf(value) > SINGLE_DIGITS;
}

/** Of the shortest decimal that is this number, without zeros at its ends. */
function digitsOf(value: number): number {
  return value.toExponential().replace(/e.*$/, '').replace('.', '').length;
}

/** Of the power of ten that a number above 0 begins at. */
function exponentOf(value: number): number {
  return Number(value.toExponential().split('e')[1]);
}

function divisor(a: number, b: number): number {
  let x = a;
  let y = b;
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
