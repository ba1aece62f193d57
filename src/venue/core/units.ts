import type { Money } from '../../model/money.js';

/**
 * A sum of money, in units. It is kept as a double as long as that is exact, which nearly every one is all its life:
 * adding to it costs a nanosecond, where every sum of bigints is a new object.
 */
export class Units {
  #number = 0;
  /** The sum where it is too large for a double. */
  #large: Money | undefined = undefined;

  get value(): Money {
    return this.#large ?? BigInt(this.#number);
  }

  set value(value: Money) {
    const number = Number(value);
    this.#number = number;
    this.#large = Number.isSafeInteger(number) ? undefined : value;
  }

  /** The nearest double; the sum itself if `isExact`. */
  get number(): number {
    return this.#number;
  }

  get isExact(): boolean {
    return this.#large === undefined;
  }

  clear(): void {
    this.#number = 0;
    this.#large = undefined;
  }

  /** A safe integer more. */
  add(units: number): void {
    const sum = this.#number + units;
    if (this.#large === undefined && sum <= Number.MAX_SAFE_INTEGER && sum >= Number.MIN_SAFE_INTEGER) {
      this.#number = sum;
    } else {
      this.value += BigInt(units);
    }
  }
}
