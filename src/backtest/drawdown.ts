/** Far above the error of E / max(E) − 1. */
const ROUNDING = 1e-12;

/**
 * Maximum drawdown of equity (capital + P&L net of fees and funding, open position at the last print), marked at every
 * print: min(E / max(E so far) − 1), the capital included. A statistic in floats, never money.
 */
export class Drawdown {
  #peak: number;
  #peakTime = Number.NaN;
  #worst = 0;
  #worstPeakTime = Number.NaN;
  #worstTime = Number.NaN;

  constructor(capital: number) {
    this.#peak = capital;
  }

  /** ≤ 0, a fraction of the peak. */
  get worst(): number {
    return this.#worst;
  }

  /** When the equity before the worst point was highest, ms; NaN for the start, and without a drawdown. */
  get peakTime(): number {
    return this.#worstPeakTime;
  }

  /** When it was lowest, ms; NaN without a drawdown. */
  get valleyTime(): number {
    return this.#worstTime;
  }

  /** Whether equity up to this one makes no new peak. */
  isBelowPeak(highest: number): boolean {
    return highest <= this.#peak;
  }

  /** Equity above this is a smaller drawdown than this one, however both are rounded. */
  asLowAs(equity: number): number {
    return equity + this.#peak * ROUNDING;
  }

  /** Whether equity that stays between these bounds changes nothing here, whatever its order. */
  isQuiet(lowest: number, highest: number): boolean {
    return this.isBelowPeak(highest) && lowest >= this.#peak * (1 + this.#worst);
  }

  mark(equity: number, time: number): void {
    if (equity > this.#peak) {
      this.#peak = equity;
      this.#peakTime = time;
      return;
    }
    const drawdown = equity / this.#peak - 1;
    if (drawdown >= this.#worst) return;
    this.#worst = drawdown;
    this.#worstPeakTime = this.#peakTime;
    this.#worstTime = time;
  }
}
