/**
 * The part of a quantity that one order can have: whole lots of a pair whose lot may have grown since it was held. Less than
 * one lot stays as it is, and is refused with the reason. Both in steps of the quantity's grid, from 0 on.
 */
export function wholeLots(quantity: number, lot: number): number {
  const rest = quantity % lot;
  return rest === quantity ? quantity : quantity - rest;
}
