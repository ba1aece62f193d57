/** Far above the rounding error of E / max(E) − 1. */
const ROUNDING = 1e-12;

/**
 * Maximum drawdown of equity (capital + P&L net of fees and funding, open position at the last print), marked at every
 * print: min(E / max(E so far) − 1), the capital included. A statistic in floats, never money.
 */
export class Drawdown {
  #peak: number;
  #peakTime = Number.NaN;
  /** The equity at that time. A later equity that is higher by rounding alone is no new peak. */
  #peakThen: number;
  #worst = 0;
  #worstPeakTime = Number.NaN;
  #worstTime = Number.NaN;
  #worstThen = 0;

  constructor(capital: number) {
    this.#peak = capital;
    this.#peakThen = capital;
  }

  /** ≤ 0, a fraction of the peak. */
  get worst(): number {
    return this.#worst;
  }

  /** When equity first reached the peak before the worst point, ms; NaN for the start, and without a drawdown. */
  get peakTime(): number {
    return this.#worstPeakTime;
  }

  /** When equity first reached the worst point, ms; NaN without a drawdown. */
  get valleyTime(): number {
    return this.#worstTime;
  }

  /** Whether equity up to this one makes no new peak. */
  isBelowPeak(highest: number): boolean {
    return highest <= this.#peak;
  }

  /** Equity above this gives a smaller drawdown than `equity`, whatever the rounding. */
  asLowAs(equity: number): number {
    return equity + this.#peak * ROUNDING;
  }

  /** Whether equity within these bounds, in any order, changes nothing. */
  isQuiet(lowest: number, highest: number): boolean {
    return this.isBelowPeak(highest) && lowest >= this.#peak * (1 + this.#worst);
  }

  mark(equity: number, time: number): void {
    if (equity > this.#peak) {
      this.#peak = equity;
      if (equity <= this.#peakThen * (1 + ROUNDING)) return;
      this.#peakTime = time;
      this.#peakThen = equity;
      return;
    }
    const drawdown = equity / this.#peak - 1;
    if (drawdown >= this.#worst) return;
    this.#worst = drawdown;
    if (drawdown >= this.#worstThen - ROUNDING) return;
    this.#worstPeakTime = this.#peakTime;
    this.#worstTime = time;
    this.#worstThen = drawdown;
  }
}
