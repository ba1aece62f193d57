import type { Amount, Money } from '../model/money.js';

const FIRST_CAPACITY = 256;

/** A growing list of numbers outside the garbage-collected heap. */
export class NumberColumn {
  #values = new Float64Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** NaN where there is nothing. */
  at(index: number): number {
    return index < this.#length ? (this.#values[index] as number) : Number.NaN;
  }
}

/** A growing list of amounts: doubles where they are exact, which is nearly always. */
export class MoneyColumn {
  readonly #amounts = new NumberColumn();
  /** The amounts that are no exact doubles, by index. */
  readonly #large = new Map<number, Money>();

  push(amount: Amount): void {
    if (typeof amount === 'number') {
      this.#amounts.push(amount);
      return;
    }
    const double = Number(amount);
    if (!Number.isSafeInteger(double)) this.#large.set(this.#amounts.length, amount);
    this.#amounts.push(double);
  }

  at(index: number): Money {
    return this.#large.get(index) ?? BigInt(this.#amounts.at(index));
  }
}
