import type { Trade } from '../model/trade.js';
import type { CandleRow } from './daemon-api.js';

const MINUTE_MS = 60_000;
/** Two days. */
const KEPT = 2_880;
/** Of a candle: start, open, high, low, close, volume. */
const [TIME, OPEN, HIGH, LOW, CLOSE, VOLUME, WIDTH] = [0, 1, 2, 3, 4, 5, 6];

/**
 * One-minute candles of the trades that a feed delivered, for display and not for strategies. A minute without trades has
 * no candle. The memory is allocated at once and does not grow.
 */
export class CandleStore {
  /** Ring buffer: candle number n overwrites candle n − KEPT. */
  readonly #ring = new Float64Array(KEPT * WIDTH);
  /** Number of candles so far, overwritten ones included. */
  #count = 0;

  add({ time, price, quantity }: Pick<Trade, 'time' | 'price' | 'quantity'>): void {
    const start = Math.floor(time / MINUTE_MS) * MINUTE_MS;
    let index = this.#count - 1;
    while (index >= this.#oldest && this.#at(index, TIME) > start) index--;
    if (index >= this.#oldest && this.#at(index, TIME) === start) {
      this.#merge(index, price, quantity);
    } else if (index === this.#count - 1) {
      this.#ring.set([start, price, price, price, price, quantity], (this.#count++ % KEPT) * WIDTH);
    }
    // Otherwise the trade is late: its minute has no candle, or the candle was overwritten. The trade is dropped.
  }

  /** Oldest first. */
  newest(most: number): readonly CandleRow[] {
    const length = Math.max(0, Math.min(most, this.#count - this.#oldest));
    return Array.from({ length }, (_, n) => {
      const index = this.#count - length + n;
      return {
        time: this.#at(index, TIME),
        open: this.#at(index, OPEN),
        high: this.#at(index, HIGH),
        low: this.#at(index, LOW),
        close: this.#at(index, CLOSE),
        volume: this.#at(index, VOLUME),
      };
    });
  }

  get #oldest(): number {
    return Math.max(0, this.#count - KEPT);
  }

  #merge(index: number, price: number, quantity: number): void {
    const ring = this.#ring;
    const at = (index % KEPT) * WIDTH;
    ring[at + HIGH] = Math.max(this.#at(index, HIGH), price);
    ring[at + LOW] = Math.min(this.#at(index, LOW), price);
    if (index === this.#count - 1) ring[at + CLOSE] = price;
    ring[at + VOLUME] = this.#at(index, VOLUME) + quantity;
  }

  #at(index: number, column: number): number {
    return this.#ring[(index % KEPT) * WIDTH + column] as number;
  }
}
