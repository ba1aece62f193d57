/** How much was held and traded. Statistics in doubles, weighted by the market's own time. */
export class ExposureWatch {
  #since = Number.NaN;
  #leverage = 0;
  #heldMs = 0;
  #leverageMs = 0;
  #equityMs = 0;
  #totalMs = 0;
  #equity: number;
  #most = 0;

  constructor(capital: number) {
    this.#equity = capital;
  }

  /** Time with a position, and total time, ms. */
  get heldMs(): number {
    return this.#heldMs;
  }

  get totalMs(): number {
    return this.#totalMs;
  }

  /**
   * |position × price| / equity: its mean over time (as of each change of the position and each hour), and its maximum.
   */
  get meanLeverage(): number {
    return this.#totalMs === 0 ? 0 : this.#leverageMs / this.#totalMs;
  }

  get maxLeverage(): number {
    return this.#most;
  }

  /** Mean equity over time, quote units. */
  get meanEquity(): number {
    return this.#totalMs === 0 ? this.#equity : this.#equityMs / this.#totalMs;
  }

  /** Sets what is held from this time on. */
  hold(time: number, notional: number, equity: number): void {
    const ms = time - this.#since;
    if (ms > 0) {
      if (this.#leverage > 0) this.#heldMs += ms;
      // A position without own equity, covered by other markets of the account: its leverage is infinite.
      if (this.#leverage === Number.POSITIVE_INFINITY) this.#most = this.#leverage;
      this.#leverageMs += this.#leverage * ms;
      this.#equityMs += this.#equity * ms;
      this.#totalMs += ms;
    }
    if (!(time < this.#since)) this.#since = time;
    this.#equity = equity;
    if (notional === 0) this.#leverage = 0;
    else this.#leverage = equity > 0 ? Math.abs(notional) / equity : Number.POSITIVE_INFINITY;
    if (this.#leverage > this.#most && equity > 0) this.#most = this.#leverage;
  }

  /** A leverage that was reached between two calls of `hold`. */
  peak(notional: number, equity: number): void {
    const leverage = Math.abs(notional) / equity;
    if (leverage > this.#most) this.#most = leverage;
  }
}
