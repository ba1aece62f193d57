import { type Candle, typicalPrice } from './indicator.js';
import { checkPeriod } from './period.js';
import { Window } from './window.js';

export interface Cci {
  next(bar: Candle): number;
}

/** With which most values lie between −100 and 100 (Lambert). */
const USUAL = 0.015;

/** Commodity channel index: how far a bar's typical price is from its average, in mean deviations; 0 where it is there. */
export function cci(period = 20): Cci {
  checkPeriod('a cci', period, 2);
  const window = new Window(period);
  return {
    next(bar) {
      const typical = typicalPrice(bar);
      window.push(typical);
      if (!window.isFull) return Number.NaN;
      const base = window.at(0);
      const mean = window.sumAbove(base) / period;
      const distance = typical - base - mean;
      if (distance === 0) return 0;
      let deviation = 0;
      for (let i = 0; i < period; i++) deviation += Math.abs(window.at(i) - base - mean);
      return distance / (USUAL * (deviation / period));
    },
  };
}
