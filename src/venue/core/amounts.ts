import type { Lots, Ticks } from '../../model/grid.js';
import { type Market, notional } from '../../model/market.js';
import type { Money, Rate } from '../../model/money.js';

/**
 * Exact amounts of fills. Nearly every one is small enough for integer arithmetic in doubles, which costs a tenth of
 * bigint arithmetic; where a product would not be a safe integer, the bigint one takes over.
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

/** `feeOf` of an amount that is a safe integer, exactly; NaN for a rebate and where the fee needs bigints. */
export function feeUnits({ numerator, denominator }: FeeRule, amount: number): number {
  const scaled = numerator * amount;
  if (numerator < 0 || scaled > Number.MAX_SAFE_INTEGER) return Number.NaN;
  return ceilQuotient(scaled, denominator);
}

/** Of safe integers, not below 0 and above 0; a remainder of doubles of this size would cost ten times as much. */
export function floorQuotient(value: number, divisor: number): number {
  const nearest = Math.floor(value / divisor);
  const rest = value - nearest * divisor;
  // The quotient may have been rounded to the whole number next to it.
  if (rest < 0) return nearest - 1;
  return rest >= divisor ? nearest + 1 : nearest;
}

export function ceilQuotient(value: number, divisor: number): number {
  const quotient = floorQuotient(value, divisor);
  return quotient * divisor === value ? quotient : quotient + 1;
}
