import { checkValue } from './given.js';
import { checkPeriod } from './period.js';
import type { MovingAverage } from './sma.js';

/**
 * Exponential moving average, α = 2 / (period + 1), started at the simple average of the first `period` values
 * (the convention of TA-Lib). What is no finite number is passed over: it is not counted, and the average stays.
 */
export function ema(period: number): MovingAverage {
  checkPeriod('an ema', period);
  return exponential(period, 2 / (period + 1));
}

/**
 * Wilder's smoothing (RMA, SMMA): an exponential average with α = 1 / period, which starts as `ema` does and passes over
 * what that does.
 */
export function wilder(period: number): MovingAverage {
  checkPeriod("wilder's smoothing", period);
  return exponential(period, 1 / period);
}

function exponential(period: number, alpha: number): MovingAverage {
  let seen = 0;
  // Of what each value is above the first one: a price that stands still is its own average to the last digit, whatever the
  // period, and two averages of it do not cross.
  let base = Number.NaN;
  let sum = 0;
  let average = Number.NaN;
  return {
    next(value) {
      if (!Number.isFinite(value)) {
        checkValue(value);
        return average;
      }
      if (seen < period) {
        if (seen === 0) base = value;
        seen++;
        sum += value - base;
        if (seen === period) average = base + sum / period;
        return average;
      }
      average += alpha * (value - average);
      return average;
    },
  };
}
