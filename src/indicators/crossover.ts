/** Says when one series goes to the other side of another. */
export interface Crossover {
  /**
   * `above` at the value where `a` becomes greater than `b` after having been smaller, `below` the other way round,
   * else `undefined`. Touching (equal values) changes nothing, and the first known side is no crossing. NaN, the
   * value of an average that is not warm yet, is no side.
   */
  next(a: number, b: number): 'above' | 'below' | undefined;
}

export function crossover(): Crossover {
  let side = 0;
  return {
    next(a, b) {
      const now = a > b ? 1 : a < b ? -1 : 0;
      if (now === 0 || now === side) return undefined;
      const first = side === 0;
      side = now;
      if (first) return undefined;
      return now === 1 ? 'above' : 'below';
    },
  };
}
