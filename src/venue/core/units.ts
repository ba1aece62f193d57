import type { Money } from '../../model/money.js';

/**
 * A sum of money, in units. It is kept as a double as long as that is exact, which nearly every one is all its life, and
 * above that as a bigint and a double beside it: adding costs a nanosecond, where every sum of bigints is a new object.
 */
export class Units {
  /** The sum, without `#base`. */
  #rest = 0;
  /** 0 as long as the sum fits a double. */
  #base: Money = 0n;
  /** The same as a double, which it is exactly up to 2^106. */
  #baseNumber = 0;

  get value(): Money {
    const rest = BigInt(this.#rest);
    return this.#baseNumber === 0 ? rest : this.#base + rest;
  }

  set value(value: Money) {
    this.clear();
    const number = Number(value);
    if (Number.isSafeInteger(number)) {
      this.#rest = number;
      return;
    }
    const nearest = BigInt(number);
    const rest = Number(value - nearest);
    this.#baseNumber = number;
    if (Number.isSafeInteger(rest)) {
      this.#base = nearest;
      this.#rest = rest;
    } else {
      this.#base = value;
    }
  }

  /** The nearest double, above 2^106 the next but one at the most; the sum itself if `isExact`. */
  get number(): number {
    return this.#baseNumber + this.#rest;
  }

  /** False for some sums that came down again by `add` alone. */
  get isExact(): boolean {
    return this.#baseNumber === 0;
  }

  clear(): void {
    this.#rest = 0;
    if (this.#baseNumber === 0) return;
    this.#base = 0n;
    this.#baseNumber = 0;
  }

  /** A safe integer more. */
  add(units: number): void {
    const sum = this.#rest + units;
    if (sum <= Number.MAX_SAFE_INTEGER && sum >= Number.MIN_SAFE_INTEGER) this.#rest = sum;
    else this.value += BigInt(units);
  }
}
