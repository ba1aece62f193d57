import { type Amount, type Money, moneyOfAmount, sumOf } from '../model/money.js';

/** What was traded and paid. */
export class Traded {
  /** Quote units, both sides of a round trip counted. */
  volume = 0;
  fills = 0;
  #fees: Amount = 0;

  /** Paid, positive; negative for rebates. */
  get fees(): Money {
    return moneyOfAmount(this.#fees);
  }

  add(volume: number, fee: Amount): void {
    this.volume += volume;
    this.fills++;
    this.#fees = sumOf(this.#fees, fee);
  }
}
