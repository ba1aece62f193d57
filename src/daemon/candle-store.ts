import type { Trade } from '../model/trade.js';
import type { CandleRow } from './daemon-api.js';

const MINUTE_MS = 60_000;
/** Two days. */
const KEPT = 2_880;

type Candle = { -readonly [Key in keyof CandleRow]: CandleRow[Key] };

/** One-minute candles of what a feed has seen: for the eye, not for strategies. Minutes without a trade have none. */
export class CandleStore {
  readonly #candles: Candle[] = [];

  add({ time, price, quantity }: Pick<Trade, 'time' | 'price' | 'quantity'>): void {
    const start = Math.floor(time / MINUTE_MS) * MINUTE_MS;
    const newest = this.#candles.at(-1);
    if (newest !== undefined && start <= newest.time) {
      // A late trade belongs to an earlier minute; its own candle is far back and seldom there.
      const candle = start === newest.time ? newest : this.#candles.findLast((each) => each.time === start);
      if (candle === undefined) return;
      if (price > candle.high) candle.high = price;
      if (price < candle.low) candle.low = price;
      if (candle === newest) candle.close = price;
      candle.volume += quantity;
      return;
    }
    this.#candles.push({ time: start, open: price, high: price, low: price, close: price, volume: quantity });
    if (this.#candles.length >= 2 * KEPT) this.#candles.splice(0, this.#candles.length - KEPT);
  }

  /** Oldest first. */
  newest(most: number): readonly CandleRow[] {
    const bound = Math.min(most, KEPT);
    return bound <= 0 ? [] : this.#candles.slice(-bound).map((candle) => ({ ...candle }));
  }
}
