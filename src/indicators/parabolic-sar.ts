import { type Candle, isCandle } from './indicator.js';
import { checkOptions } from './options.js';
import { received } from './received.js';

export interface SarOptions {
  /** By how much the factor grows with each new extreme, and where it begins; default 0.02. */
  readonly step?: number;
  /** Its largest value; default 0.2. */
  readonly most?: number;
}

export interface ParabolicSar {
  /** The stop that held for this bar, quote units: below the market in a rise, above it in a fall. NaN for the first bar. */
  next(bar: Candle): number;
}

/** Parabolic stop and reverse (Wilder). The first direction is that of the second bar. */
export function parabolicSar(options: SarOptions = {}): ParabolicSar {
  checkOptions('a parabolic sar', options, ['step', 'most']);
  const { step = 0.02, most = 0.2 } = options;
  if (!(Number.isFinite(step) && Number.isFinite(most) && step > 0 && most >= step && most <= 1)) {
    throw new RangeError(
      `a parabolic sar must have 0 < step <= most <= 1, received step ${received(step)} and most ${received(most)}`,
    );
  }
  return new Sar(step, most);
}

class Sar implements ParabolicSar {
  readonly #step: number;
  readonly #most: number;
  #last: Candle | undefined;
  #isRise = true;
  /** The stop for the next bar; NaN before the second one. */
  #stop = Number.NaN;
  /** The farthest that the trend has come. */
  #extreme = Number.NaN;
  #factor = 0;

  constructor(step: number, most: number) {
    this.#step = step;
    this.#most = most;
  }

  next(bar: Candle): number {
    if (!isCandle(bar)) return this.#stop;
    const { high, low, close } = bar;
    const before = this.#last;
    // The bar may be an object that is used again.
    this.#last = { high, low, close };
    if (before === undefined) return Number.NaN;
    if (Number.isNaN(this.#stop)) {
      this.#begin(before, bar);
      return this.#goOn(bar, bar);
    }
    return this.#goOn(before, bar);
  }

  #begin(first: Candle, second: Candle): void {
    const up = second.high - first.high;
    const down = first.low - second.low;
    this.#isRise = !(down > 0 && down > up);
    this.#stop = this.#isRise ? first.low : first.high;
    this.#extreme = this.#isRise ? second.high : second.low;
    this.#factor = this.#step;
  }

  /** Gives the stop for this bar and moves it for the next. A stop never lies within the two bars that it follows. */
  #goOn(before: Candle, bar: Candle): number {
    const isHit = this.#isRise ? bar.low <= this.#stop : bar.high >= this.#stop;
    if (isHit) {
      this.#isRise = !this.#isRise;
      this.#stop = this.#outside(this.#extreme, before, bar);
      this.#extreme = this.#isRise ? bar.high : bar.low;
      this.#factor = this.#step;
    } else if (this.#isRise ? bar.high > this.#extreme : bar.low < this.#extreme) {
      this.#extreme = this.#isRise ? bar.high : bar.low;
      this.#factor = Math.min(this.#factor + this.#step, this.#most);
    }
    const stop = this.#stop;
    this.#stop = this.#outside(stop + this.#factor * (this.#extreme - stop), before, bar);
    return stop;
  }

  #outside(stop: number, before: Candle, bar: Candle): number {
    return this.#isRise ? Math.min(stop, before.low, bar.low) : Math.max(stop, before.high, bar.high);
  }
}
