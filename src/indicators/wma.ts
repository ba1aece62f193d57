import type { Indicator } from './indicator.js';
import { checkPeriod } from './period.js';
import { Window } from './window.js';

/**
 * Weighted moving average: the newest of `period` values counts `period` times, the oldest once. NaN while the window is not
 * full, or holds what is no number.
 */
export function wma(period: number): Indicator {
  checkPeriod('a wma', period);
  const window = new Window(period);
  const weights = (period * (period + 1)) / 2;
  return {
    next(value) {
      window.push(value);
      if (!window.isFull) return Number.NaN;
      // From the oldest value on, so that a price that stands still is its own average to the last digit.
      const base = window.at(0);
      let sum = 0;
      for (let i = 1; i < period; i++) sum += (i + 1) * (window.at(i) - base);
      return base + sum / weights;
    },
  };
}
