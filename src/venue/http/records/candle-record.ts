import type { Candle } from '../../core/candles.js';
import { rounded } from '../wire-number.js';

/** `dialect.md` §4: Candle. `close_time` is the last ms inside it. */
export function candleRecord(candle: Candle, intervalMs: number) {
  return {
    open: rounded(candle.open),
    high: rounded(candle.high),
    low: rounded(candle.low),
    close: rounded(candle.close),
    base_volume: rounded(candle.baseVolume),
    quote_volume: rounded(candle.quoteVolume),
    open_time: candle.openTime,
    close_time: candle.openTime + intervalMs - 1,
    trades: candle.trades,
    last_price: rounded(candle.close),
    last_qty: rounded(candle.lastQuantity),
  };
}
