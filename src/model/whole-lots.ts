/**
 * The largest multiple of `lot` within `quantity`, both in steps of the quantity's grid and at least 0. A position may be
 * older than the pair's current lot, and one order can close only whole lots of it. A quantity below one lot is returned
 * as it is, so that the gate refuses it with a reason.
 */
export function wholeLots(quantity: number, lot: number): number {
  const rest = quantity % lot;
  return rest === quantity ? quantity : quantity - rest;
}
