import type { Market } from '../model/market.js';
import { type Position, settled } from '../model/position.js';

/** Far above the error of the sums in an equity, as a fraction of the amounts in them. */
const ROOM = 1e-12;

/**
 * Maximum drawdown of equity (capital + P&L net of fees, open position at the last print), marked at every print:
 * min(E / max(E so far) − 1), the capital included. A statistic in floats, never money.
 */
export class Drawdown {
  readonly #market: Market;
  readonly #capital: number;
  readonly #unitsPerQuote: number;
  #base: number;
  #quantity = 0;
  #peak: number;
  #worst = 0;
  /** A print strictly between these two prices changes nothing; NaN while that is not known. */
  quietAbove = Number.NaN;
  quietBelow = Number.NaN;

  constructor(market: Market, capital: number) {
    this.#market = market;
    this.#capital = capital;
    this.#unitsPerQuote = 10 ** market.quotePrecision;
    this.#base = capital;
    this.#peak = capital;
  }

  /** ≤ 0, a fraction of the peak. */
  get worst(): number {
    return this.#worst;
  }

  hold(position: Position): void {
    const { lots, cost } = position;
    const cash = settled(position);
    this.#base = this.#capital + Number(lots === 0 ? cash : cash - cost) / this.#unitsPerQuote;
    this.#quantity = lots / this.#market.quantityGrid.scale;
    this.quietAbove = Number.NaN;
    this.quietBelow = Number.NaN;
  }

  mark(price: number): void {
    if (price > this.quietAbove && price < this.quietBelow) return;
    const equity = this.#base + this.#quantity * price;
    if (equity > this.#peak) this.#peak = equity;
    else if (equity < this.#peak * (1 + this.#worst)) this.#worst = equity / this.#peak - 1;
    this.#bound();
  }

  /** Equity moves with the price on a line, so the prices at which it leaves its range are known; with room for floats. */
  #bound(): void {
    const quantity = this.#quantity;
    const base = this.#base;
    const room = ROOM * (Math.abs(base) + this.#peak);
    const gain = (this.#peak - room - base) / quantity;
    const loss = (this.#peak * (1 + this.#worst) + room - base) / quantity;
    if (quantity > 0) {
      this.quietAbove = loss;
      this.quietBelow = gain;
    } else if (quantity < 0) {
      this.quietAbove = gain;
      this.quietBelow = loss;
    } else {
      this.quietAbove = Number.NEGATIVE_INFINITY;
      this.quietBelow = Number.POSITIVE_INFINITY;
    }
  }
}
