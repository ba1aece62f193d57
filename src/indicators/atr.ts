import { type Candle, isCandle } from './indicator.js';
import { checkPeriod } from './period.js';
import { wilder } from './ema.js';

export interface Atr {
  /** Quote units; NaN until `period` bars have followed the first one. */
  next(bar: Candle): number;
}

/** Average true range: Wilder's smoothing of how far each bar reached, from the close before it. */
export function atr(period = 14): Atr {
  checkPeriod('an atr', period);
  const average = wilder(period);
  let close = Number.NaN;
  return {
    next(bar) {
      if (!isCandle(bar)) return average.next(Number.NaN);
      const range = trueRange(bar, close);
      close = bar.close;
      return average.next(range);
    },
  };
}

/** NaN without the close before it. */
export function trueRange({ high, low }: Candle, lastClose: number): number {
  return Math.max(high, lastClose) - Math.min(low, lastClose);
}
