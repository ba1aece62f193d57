import { ema } from './ema.js';
import { checkValue } from './given.js';
import { checkOptions } from './options.js';
import { checkPeriod } from './period.js';

export interface MacdPeriods {
  readonly fast?: number;
  readonly slow?: number;
  readonly signal?: number;
}

export interface MacdValue {
  /** ema(fast) − ema(slow); NaN until there is a slow one. */
  readonly macd: number;
  /** The ema of that. */
  readonly signal: number;
  /** macd − signal. */
  readonly histogram: number;
}

export interface Macd {
  next(value: number): MacdValue;
}

/**
 * Moving average convergence / divergence; periods 12, 26 and 9. Each average starts as `ema` does, by itself. What is no finite
 * number is passed over.
 */
export function macd(periods: MacdPeriods = {}): Macd {
  checkOptions('a macd', periods, ['fast', 'slow', 'signal']);
  const { fast = 12, slow = 26, signal = 9 } = periods;
  checkPeriod('the fast average of a macd', fast);
  checkPeriod('the slow average of a macd', slow, fast + 1);
  checkPeriod('the signal of a macd', signal);
  const fastEma = ema(fast);
  const slowEma = ema(slow);
  const signalEma = ema(signal);
  let last: MacdValue = { macd: Number.NaN, signal: Number.NaN, histogram: Number.NaN };
  return {
    next(value) {
      // Both averages would stay, and the signal take their difference for a new one.
      if (!Number.isFinite(value)) {
        checkValue(value);
        return last;
      }
      const line = fastEma.next(value) - slowEma.next(value);
      const average = signalEma.next(line);
      last = { macd: line, signal: average, histogram: line - average };
      return last;
    },
  };
}
