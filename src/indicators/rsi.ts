import { checkValue } from './given.js';
import type { Indicator } from './indicator.js';
import { checkPeriod } from './period.js';
import { wilder } from './ema.js';

/**
 * Relative strength index (Wilder), 0 to 100: what part of the last moves went up. NaN until there were `period` moves; 50
 * where nothing has moved. What is no finite number is passed over.
 */
export function rsi(period = 14): Indicator {
  checkPeriod('an rsi', period);
  const gains = wilder(period);
  const losses = wilder(period);
  let last = Number.NaN;
  let strength = Number.NaN;
  return {
    next(value) {
      if (!Number.isFinite(value)) {
        checkValue(value);
        return strength;
      }
      const move = value - last;
      last = value;
      if (Number.isNaN(move)) return strength;
      const gain = gains.next(Math.max(move, 0));
      const loss = losses.next(Math.max(-move, 0));
      strength = gain + loss === 0 ? 50 : 100 * (gain / (gain + loss));
      return strength;
    },
  };
}
