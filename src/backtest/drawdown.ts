import type { Market } from '../model/market.js';
import { type Position, settled } from '../model/position.js';

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
  }

  mark(price: number): void {
    const equity = this.#base + this.#quantity * price;
    if (equity > this.#peak) this.#peak = equity;
    else if (equity < this.#peak * (1 + this.#worst)) this.#worst = equity / this.#peak - 1;
  }
}
