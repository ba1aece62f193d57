import { NumberColumn } from './number-column.js';

/** Quote units, and the time of the newest print, ms. */
interface Close {
  readonly equity: number;
  readonly price: number;
  readonly printed: number;
  /** Trigger price of the stop at the venue; NaN, the default, where there is none. */
  readonly stop?: number;
}

/**
 * Equity and price at the end of each UTC interval, as of the newest print before it. If their number is bounded, every
 * other one is dropped when the bound is reached, and the interval doubles.
 */
export class EquityCloses {
  readonly #most: number;
  #intervalMs: number;
  #equity = new NumberColumn();
  #price = new NumberColumn();
  #printed = new NumberColumn();
  #stop = new NumberColumn();
  #first = Number.NaN;
  #next = Number.POSITIVE_INFINITY;

  constructor(intervalMs: number, most = Number.POSITIVE_INFINITY) {
    this.#intervalMs = intervalMs;
    this.#most = most;
  }

  /** The session begins. */
  open(time: number): void {
    this.#first = (Math.floor(time / this.#intervalMs) + 1) * this.#intervalMs;
    this.#next = this.#first;
  }

  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** Time of the close that comes next, ms. */
  get next(): number {
    return this.#next;
  }

  get count(): number {
    return this.#equity.length;
  }

  /** Quote units at the close number `index`. */
  equityAt(index: number): number {
    return this.#equity.at(index);
  }

  priceAt(index: number): number {
    return this.#price.at(index);
  }

  /** Time of the newest print before it, ms. */
  printedAt(index: number): number {
    return this.#printed.at(index);
  }

  /** NaN where there was none. */
  stopAt(index: number): number {
    return this.#stop.at(index);
  }

  timeAt(index: number): number {
    return this.#first + index * this.#intervalMs;
  }

  /**
   * Everything before `time` is known: closes the intervals that end by then with the state at the newest print,
   * `printed` ms.
   */
  closeUntil(time: number, { equity, price, printed, stop = Number.NaN }: Close): void {
    while (this.#next <= time) {
      this.#equity.push(equity);
      this.#price.push(price);
      this.#printed.push(printed);
      this.#stop.push(stop);
      this.#next += this.#intervalMs;
      if (this.count === this.#most) this.#thin();
    }
  }

  #thin(): void {
    const equity = this.#equity;
    const price = this.#price;
    const printed = this.#printed;
    const stop = this.#stop;
    const count = equity.length;
    const doubled = 2 * this.#intervalMs;
    const start = this.#first % doubled === 0 ? 0 : 1;
    this.#equity = new NumberColumn();
    this.#price = new NumberColumn();
    this.#printed = new NumberColumn();
    this.#stop = new NumberColumn();
    for (let i = start; i < count; i += 2) {
      this.#equity.push(equity.at(i));
      this.#price.push(price.at(i));
      this.#printed.push(printed.at(i));
      this.#stop.push(stop.at(i));
    }
    this.#first += start * this.#intervalMs;
    this.#intervalMs = doubled;
    this.#next = this.#first + this.count * doubled;
  }
}
