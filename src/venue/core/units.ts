import type { Money } from '../../model/money.js';

/**
 * A sum of money in units. It is a double as long as that is exact, which is nearly always, and above that a bigint with
 * a double beside it. Adding costs a nanosecond, where every sum of bigints allocates an object.
 */
export class Units {
  /** The sum, without `#base`. */
  #rest = 0;
  /** 0 as long as the sum is an exact double. */
  #base: Money = 0n;
  /** `#base` as a double, which is exact up to 2^106. */
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

  /** The nearest double (above 2^106 possibly a neighbour of it); the exact sum if `isExact`. */
  get number(): number {
    return this.#baseNumber + this.#rest;
  }

  /** May be false for a sum that has become small again by `add` alone. */
  get isExact(): boolean {
    return this.#baseNumber === 0;
  }

  clear(): void {
    this.#rest = 0;
    if (this.#baseNumber === 0) return;
    this.#base = 0n;
    this.#baseNumber = 0;
  }

  /** Adds a safe integer. */
  add(units: number): void {
    const sum = this.#rest + units;
    if (sum <= Number.MAX_SAFE_INTEGER && sum >= Number.MIN_SAFE_INTEGER) this.#rest = sum;
    else this.value += BigInt(units);
  }
}
