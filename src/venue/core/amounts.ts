import type { Lots, Ticks } from '../../model/grid.js';
import { type Market, notional } from '../../model/market.js';
import type { Money, Rate } from '../../model/money.js';

/**
 * Exact amounts of fills. Nearly all are small enough for integers in doubles, which cost a tenth of bigints. Where a
 * product would not be a safe integer, bigints are used.
 */

/** A fee rate in both forms. */
export interface FeeRule {
  readonly rate: Rate;
  readonly numerator: number;
  readonly denominator: number;
}

export function feeRule(rate: Rate): FeeRule {
  return { rate, numerator: Number(rate.numerator), denominator: Number(rate.denominator) };
}

/** quantity × price in units of the quote asset. */
export function amountOf(market: Market, unitsPerTickLot: number, lots: Lots, ticks: Ticks): Money {
  const units = lots * ticks * unitsPerTickLot;
  return units <= Number.MAX_SAFE_INTEGER ? BigInt(units) : notional(market, lots, ticks);
}

/** `feeOf` of an amount that is a safe integer of at least 0, exactly; NaN where the fee needs bigints. */
export function feeUnits({ numerator, denominator }: FeeRule, amount: number): number {
  return ceilShare(amount, numerator, denominator);
}

/** value × part / whole toward +∞, of safe integers, `whole` above 0; NaN where the product is too large. */
export function ceilShare(value: number, part: number, whole: number): number {
  const product = value * part;
  if (product > Number.MAX_SAFE_INTEGER || product < Number.MIN_SAFE_INTEGER) return Number.NaN;
  // Subtracting from 0 avoids −0, which is not an amount.
  return product < 0 ? 0 - floorQuotient(-product, whole) : ceilQuotient(product, whole);
}

/**
 * value × part / whole, half-even, of safe integers with 0 ≤ part ≤ whole and whole > 0; NaN where whole × part is too
 * large. The full product may be of any size, since only the remainder is multiplied.
 */
export function evenShare(value: number, part: number, whole: number): number {
  if (whole * part > Number.MAX_SAFE_INTEGER) return Number.NaN;
  const size = value < 0 ? -value : value;
  const quotient = floorQuotient(size, whole);
  const product = (size - quotient * whole) * part;
  const below = floorQuotient(product, whole);
  const twice = 2 * (product - below * whole);
  let share = quotient * part + below;
  if (twice > whole || (twice === whole && share % 2 !== 0)) share++;
  return value < 0 ? 0 - share : share;
}

/**
 * Quotient of a safe integer ≥ 0 by a safe integer > 0. The `%` operator on doubles of this size costs ten times as much.
 */
export function floorQuotient(value: number, divisor: number): number {
  const nearest = Math.floor(value / divisor);
  const rest = value - nearest * divisor;
  // The division may have been rounded to the neighbouring integer.
  if (rest < 0) return nearest - 1;
  return rest >= divisor ? nearest + 1 : nearest;
}

export function ceilQuotient(value: number, divisor: number): number {
  const quotient = floorQuotient(value, divisor);
  return quotient * divisor === value ? quotient : quotient + 1;
}
