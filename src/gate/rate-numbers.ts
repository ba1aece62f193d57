import type { Market } from '../model/market.js';
import { rateNumber } from '../model/money.js';

/** The lowest rates of a market as doubles: of the margin that a position needs, and of the taker's fee. */
export interface LowestRates {
  readonly initial: number;
  readonly taker: number;
}

/** Keeps the rates of the market that was asked for last: their conversion from bigint costs more than a whole check. */
export class RateNumbers {
  #market: Market | undefined;
  #rates: LowestRates = { initial: 0, taker: 0 };

  of(market: Market): LowestRates {
    if (market !== this.#market) {
      const { margin, fees } = market;
      this.#market = market;
      this.#rates = { initial: rateNumber(margin.initial), taker: Math.max(0, rateNumber(fees.taker)) };
    }
    return this.#rates;
  }
}
