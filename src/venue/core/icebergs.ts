import type { Market } from '../../model/market.js';

/**
 * Lots of one slice of an order of `lots` in `icebergs` slices: an equal share, rounded up to the step of the icebergs
 * filter (`money.md` §4). 0 for an order that is not an iceberg.
 */
export function sliceOf({ filters }: Market, lots: number, icebergs: number | undefined): number {
  if (icebergs === undefined) return 0;
  const { step } = filters.icebergs;
  const whole = icebergs * step;
  const rest = lots % whole;
  return ((lots - rest) / whole + (rest > 0 ? 1 : 0)) * step;
}
