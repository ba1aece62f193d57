import type { Bar } from '../model/bar.js';
import type { TradeGap } from '../model/trade.js';

/** A bar of a recording, shorter than ours or as long. */
export type RecordedBar = Pick<Bar, 'openTime' | 'endTime' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

/** Columns of recorded trades, ascending by time. */
export interface BarRows {
  /** ms. */
  readonly time: Float64Array;
  /** Quote units. */
  readonly price: Float64Array;
  /** Base units. */
  readonly quantity: Float64Array;
}

/**
 * Builds the bars of one interval. A bar covers [open, end) and starts at a multiple of the interval since the epoch. It
 * never closes itself: the engine closes it once the feed has covered its end.
 */
export class BarBuilder {
  readonly intervalMs: number;
  #openTime = Number.NaN;
  /**
   * End of the open bar, venue ms; Infinity before the first trade, so that a single comparison tells whether one is due.
   */
  endTime = Number.POSITIVE_INFINITY;
  #open = 0;
  #high = 0;
  #low = 0;
  #close = 0;
  #volume = 0;
  #trades = 0;
  #gaps: readonly TradeGap[] = [];
  /** The first trade came after the first bar's open: trades of the bar's beginning may be missing. */
  #beganInside = false;

  constructor(intervalMs: number) {
    this.intervalMs = intervalMs;
  }

  /** Adds a trade to the open bar. Returns false when the bar of that trade is closed already. */
  add(time: number, price: number, quantity: number): boolean {
    if (time < this.#openTime) return false;
    if (this.#trades === 0) {
      if (this.endTime === Number.POSITIVE_INFINITY) {
        this.#openTime = Math.floor(time / this.intervalMs) * this.intervalMs;
        this.endTime = this.#openTime + this.intervalMs;
        this.#beganInside = time > this.#openTime;
      }
      this.#open = this.#high = this.#low = price;
    } else if (price > this.#high) this.#high = price;
    else if (price < this.#low) this.#low = price;
    this.#close = price;
    this.#volume += quantity;
    this.#trades++;
    return true;
  }

  /** The first trade has come, so the end of the open bar is known. */
  get hasBegun(): boolean {
    return this.endTime !== Number.POSITIVE_INFINITY;
  }

  /** `add` for rows before the end of the open bar, after the first trade; returns how many of them came too late. */
  addRows({ time, price, quantity }: BarRows, from: number, to: number): number {
    let late = 0;
    let row = from;
    for (; row < to && this.#trades === 0; row++) {
      if (!this.add(time[row] as number, price[row] as number, quantity[row] as number)) late++;
    }
    const openTime = this.#openTime;
    let high = this.#high;
    let low = this.#low;
    let close = this.#close;
    let volume = this.#volume;
    let trades = this.#trades;
    for (; row < to; row++) {
      if ((time[row] as number) < openTime) {
        late++;
        continue;
      }
      close = price[row] as number;
      if (close > high) high = close;
      else if (close < low) low = close;
      volume += quantity[row] as number;
      trades++;
    }
    this.#high = high;
    this.#low = low;
    this.#close = close;
    this.#volume = volume;
    this.#trades = trades;
    return late;
  }

  /**
   * Takes in a whole recorded bar, which lies within one of ours, as one trade. Returns false when ours is closed already.
   * A bar without volume whose price stayed at our last close tells of a stretch without trades and counts as none. Where
   * its price moved, something was traded, although the recording does not say how much.
   */
  addBar({ openTime, open, high, low, close, volume }: RecordedBar): boolean {
    if (volume === 0 && this.endTime !== Number.POSITIVE_INFINITY) {
      const stood = this.#close;
      if (open === stood && high === stood && low === stood && close === stood) return true;
    }
    if (!this.add(openTime, open, 0)) return false;
    if (high > this.#high) this.#high = high;
    if (low < this.#low) this.#low = low;
    this.#close = close;
    this.#volume += volume;
    return true;
  }

  /** Marks the bars that a gap touches as incomplete. Adding the same gap again does nothing. */
  addGap(gap: TradeGap): void {
    if (!this.#gaps.includes(gap)) this.#gaps = [...this.#gaps, gap];
  }

  /** Closes the open bar and opens the next one. */
  close(): Bar {
    const openTime = this.#openTime;
    const endTime = this.endTime;
    const empty = this.#trades === 0;
    const bar: Bar = {
      openTime,
      endTime,
      intervalMs: this.intervalMs,
      open: empty ? this.#close : this.#open,
      high: empty ? this.#close : this.#high,
      low: empty ? this.#close : this.#low,
      close: this.#close,
      volume: this.#volume,
      trades: this.#trades,
      empty,
      complete: !this.#beganInside && !this.#gaps.some((gap) => gap.from < endTime && gap.to >= openTime),
    };
    this.#beganInside = false;
    if (this.#gaps.length > 0) this.#gaps = this.#gaps.filter((gap) => gap.to >= endTime);
    this.#openTime = endTime;
    this.endTime = endTime + this.intervalMs;
    this.#volume = 0;
    this.#trades = 0;
    return bar;
  }
}
