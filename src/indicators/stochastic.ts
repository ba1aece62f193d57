import { highest, lowest } from './extremes.js';
import { type Candle, checkCandle } from './indicator.js';
import { checkOptions } from './options.js';
import { checkPeriod } from './period.js';
import { Window } from './window.js';

export interface StochasticPeriods {
  /** Bars whose range counts; default 14. */
  readonly period?: number;
  /** Of the average that makes `k`; default 3, and 1 for the fast one. */
  readonly smoothK?: number;
  /** Of the average of `k`; default 3. */
  readonly smoothD?: number;
}

export interface StochasticValue {
  /** Where in the range of the last bars the close is: 0 at its low, 100 at its high; 50 where there was no range. */
  readonly k: number;
  readonly d: number;
}

export interface Stochastic {
  next(bar: Candle): StochasticValue;
}

export function stochastic(periods: StochasticPeriods = {}): Stochastic {
  checkOptions('a stochastic', periods, ['period', 'smoothK', 'smoothD']);
  const { period = 14, smoothK = 3, smoothD = 3 } = periods;
  checkPeriod('a stochastic', period);
  checkPeriod('the k of a stochastic', smoothK);
  checkPeriod('the d of a stochastic', smoothD);
  const range = new Range(period);
  const places = new Window(smoothK);
  const ks = new Window(smoothD);
  return {
    next(bar) {
      places.push(100 * range.next(bar));
      const k = places.mean();
      ks.push(k);
      return { k, d: ks.mean() };
    },
  };
}

export interface WilliamsR {
  /** 0 where the close is at the range's high, −100 at its low; −50 where there was no range. */
  next(bar: Candle): number;
}

/** Williams %R. */
export function williamsR(period = 14): WilliamsR {
  checkPeriod('a williamsR', period);
  const range = new Range(period);
  return { next: (bar) => 100 * range.next(bar) - 100 };
}

/** Where in the range of the last bars the close is, 0 to 1. */
class Range {
  readonly #highest;
  readonly #lowest;

  constructor(period: number) {
    this.#highest = highest(period);
    this.#lowest = lowest(period);
  }

  next(bar: Candle): number {
    const { high, low, close } = bar;
    if (Number.isNaN(high + low + close)) checkCandle(bar);
    const top = this.#highest.next(high);
    const bottom = this.#lowest.next(low);
    return top === bottom ? 0.5 : (close - bottom) / (top - bottom);
  }
}
