import { checkOptions } from './options.js';
import { checkPeriod } from './period.js';
import { received } from './received.js';
import { sma } from './sma.js';
import { standardDeviation } from './standard-deviation.js';

export interface BollingerOptions {
  /** Default 20. */
  readonly period?: number;
  /** Of the bands, in standard deviations; default 2. */
  readonly width?: number;
}

export interface BollingerValue {
  readonly upper: number;
  /** The simple moving average. */
  readonly middle: number;
  readonly lower: number;
}

export interface Bollinger {
  next(value: number): BollingerValue;
}

/** Bollinger bands: a simple moving average, and so many standard deviations above and below it. */
export function bollinger(options: BollingerOptions = {}): Bollinger {
  checkOptions('bollinger bands', options, ['period', 'width']);
  const { period = 20, width = 2 } = options;
  checkPeriod('bollinger bands', period, 2);
  if (!(Number.isFinite(width) && width > 0)) {
    throw new RangeError(
      `the width of bollinger bands must be a finite number above 0, received ${received(width)}`,
    );
  }
  const average = sma(period);
  const deviation = standardDeviation(period);
  return {
    next(value) {
      const middle = average.next(value);
      const half = width * deviation.next(value);
      return { upper: middle + half, middle, lower: middle - half };
    },
  };
}
