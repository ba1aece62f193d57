import type { Indicator } from './indicator.js';
import { checkPeriod } from './period.js';
import { Window } from './window.js';

/**
 * Standard deviation of the last `period` values, of the population (divided by `period`, as in Bollinger's bands). Computed
 * anew for each window: a running sum of squares would lose the digits of small moves at high prices.
 */
export function standardDeviation(period: number): Indicator {
  checkPeriod('a standard deviation', period, 2);
  const window = new Window(period);
  return {
    next(value) {
      window.push(value);
      if (!window.isFull) return Number.NaN;
      const base = window.at(0);
      const mean = window.sumAbove(base) / period;
      let squares = 0;
      for (let i = 0; i < period; i++) squares += (window.at(i) - base - mean) ** 2;
      return Math.sqrt(squares / period);
    },
  };
}
