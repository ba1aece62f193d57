/** How much was held and traded. Statistics in floats; time is weighed by the market's own clock. */
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

  /** ms with a position, and ms in all. */
  get heldMs(): number {
    return this.#heldMs;
  }

  get totalMs(): number {
    return this.#totalMs;
  }

  /** |position × price| / equity, its mean over time (as of each change of the position and each hour) and its highest. */
  get meanLeverage(): number {
    return this.#totalMs === 0 ? 0 : this.#leverageMs / this.#totalMs;
  }

  get maxLeverage(): number {
    return this.#most;
  }

  /** Mean over time, quote units. */
  get meanEquity(): number {
    return this.#totalMs === 0 ? this.#equity : this.#equityMs / this.#totalMs;
  }

  /** From this time on. */
  hold(time: number, notional: number, equity: number): void {
    const ms = time - this.#since;
    if (ms > 0) {
      if (this.#leverage > 0) this.#heldMs += ms;
      this.#leverageMs += this.#leverage * ms;
      this.#equityMs += this.#equity * ms;
      this.#totalMs += ms;
    }
    if (!(time < this.#since)) this.#since = time;
    this.#equity = equity;
    this.#leverage = notional === 0 ? 0 : Math.abs(notional) / equity;
    if (this.#leverage > this.#most) this.#most = this.#leverage;
  }

  /** Reached in between. */
  peak(notional: number, equity: number): void {
    const leverage = Math.abs(notional) / equity;
    if (leverage > this.#most) this.#most = leverage;
  }
}
