import type { MovingAverage } from './sma.js';

/**
 * Exponential moving average, α = 2 / (period + 1), started at the simple average of the first `period` values
 * (the convention of TA-Lib). What is no finite number is passed over: it is not counted, and the average stays.
 */
export function ema(period: number): MovingAverage {
  if (!Number.isInteger(period) || period < 1) {
    throw new RangeError(`the period of an ema must be a whole number above 0, received ${period}`);
  }
  const alpha = 2 / (period + 1);
  let seen = 0;
  let sum = 0;
  let average = Number.NaN;
  return {
    next(value) {
      if (!Number.isFinite(value)) return average;
      if (seen < period) {
        seen++;
        sum += value;
        if (seen === period) average = sum / period;
        return average;
      }
      average += alpha * (value - average);
      return average;
    },
  };
}
