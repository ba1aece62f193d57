import { divCeil, divFloor, type Money, type Rate } from '../../model/money.js';

/** What a fill does to an isolated position, as far as its margin is concerned. */
export interface IsolatedFill {
  /** |s| before it, and how much of that it closes; lots. */
  readonly held: number;
  readonly closing: number;
  /** o · p of the opening part, units. */
  readonly opening: Money;
  /** realised − fee, units. */
  readonly result: Money;
}

/** What becomes of M, and what comes to W. */
export interface IsolatedFlow {
  readonly margin: Money;
  readonly cash: Money;
}

/**
 * `money.md` §5: the closing part releases its share of the margin, rounded down; with the result it goes to the cash,
 * or is taken from the margin that is left, then from the cash. The opening part is given o · p / L, rounded up.
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
