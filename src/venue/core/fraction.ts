import type { Ticks } from '../../model/grid.js';
import { divHalfEven, type Rate } from '../../model/money.js';

/** An exact number. The denominator is positive. */
export type Fraction = Rate;

/** Negative when a is below b, 0 when they are equal, else positive. */
export function compareFractions(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

export function larger(a: Fraction, b: Fraction): Fraction {
  return compareFractions(a, b) >= 0 ? a : b;
}

export function smaller(a: Fraction, b: Fraction): Fraction {
  return compareFractions(a, b) <= 0 ? a : b;
}

/** value × (1 + change). */
export function scaled(value: number, { numerator, denominator }: Rate): Fraction {
  return { numerator: BigInt(value) * (denominator + numerator), denominator };
}

/** A price in grid ticks, rounded half-even to the filter's tick, and at least one tick of the filter. */
export function ticksOf({ numerator, denominator }: Fraction, tickSize: number): Ticks {
  const steps = Number(divHalfEven(numerator, denominator * BigInt(tickSize)));
  return ((steps < 1 ? 1 : steps) * tickSize) as Ticks;
}
