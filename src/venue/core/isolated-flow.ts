import { divCeil, divFloor, type Money, type Rate } from '../../model/money.js';

/** A fill of an isolated position, as far as its margin is concerned. */
export interface IsolatedFill {
  /** |s| before the fill, and how many of these lots it closes. */
  readonly held: number;
  readonly closing: number;
  /** Opened lots × price, units. */
  readonly opening: Money;
  /** realised − fee, units. */
  readonly result: Money;
}

/** The new margin M, and what is added to the cash W. */
export interface IsolatedFlow {
  readonly margin: Money;
  readonly cash: Money;
}

/**
 * `money.md` §5. The closing part releases its share of the margin, rounded down. Together with the result this goes to
 * the cash; a loss beyond it is taken from the remaining margin, then from the cash. The opening part gets o · p / L of
 * margin, rounded up.
 */
export function isolatedFlow(
  margin: Money,
  leverage: Rate,
  { held, closing, opening, result }: IsolatedFill,
): IsolatedFlow {
  const released = closing === held ? margin : divFloor(margin * BigInt(closing), BigInt(held));
  let left = margin - released;
  let cash = released + result;
  if (cash < 0n && left > 0n) {
    const taken = left < -cash ? left : -cash;
    left -= taken;
    cash += taken;
  }
  const assigned = opening === 0n ? 0n : marginAt(leverage, opening);
  return { margin: left + assigned, cash: cash - assigned };
}

/** ⌈amount / L⌉. */
export function marginAt(leverage: Rate, amount: Money): Money {
  return divCeil(amount * leverage.denominator, leverage.numerator);
}
