import { checkValue } from './given.js';

/** Says on which side of another series a series is, whenever that changes. */
export interface Crossover {
  /**
   * `above` at the value where `a` becomes greater than `b`, `below` where it becomes smaller, else `undefined`. The
   * first side that is known is news too, so that a strategy that is long while `a` is above is so from the start.
   * Touching (equal values) changes nothing, and NaN, the value of an average that is not warm yet, is no side.
   */
  next(a: number, b: number): 'above' | 'below' | undefined;
}

export function crossover(): Crossover {
  let side = 0;
  return {
    next(a, b) {
      const now = a > b ? 1 : a < b ? -1 : 0;
      if (now === 0) {
        if (typeof a !== 'number') checkValue(a);
        if (typeof b !== 'number') checkValue(b);
        return undefined;
      }
      if (now === side) return undefined;
      side = now;
      return now === 1 ? 'above' : 'below';
    },
  };
}
