/** Numbers of the wire as whole units, and whole units of a market as those of the ledger. */
import { Decimal } from '../model/decimal.js';
import { MAX_PRECISION } from '../model/grid.js';
import type { Money } from '../model/money.js';

/**
 * Digits of a unit of every asset in a ledger. Markets of one asset may differ in the digits of their money, and one with
 * more of them may come while the ledger is open: this holds all of them exactly.
 */
export const LEDGER_DIGITS = MAX_PRECISION;

/** Units of the ledger in one unit of 10^-precision. */
export function ledgerScale(precision: number): Money {
  return 10n ** BigInt(LEDGER_DIGITS - precision);
}

/** A number of the wire, to the nearest whole 10^-precision, in units of the ledger. */
export function ledgerUnitsOf(value: number, precision: number): Money {
  return unitsOf(value, precision) * ledgerScale(precision);
}

/** Below this a printed number of 15 digits shows every unit exactly. */
const FIFTEEN_DIGITS = 1e15;

/** The nearest whole units of 10^-precision: the venue books whole units and prints them as a double. */
export function unitsOf(value: number, precision: number): Money {
  const units = value * 10 ** precision;
  // The product is off by less than half a unit, so rounding it gives the right units. Larger numbers need decimals.
  if (Math.abs(units) < FIFTEEN_DIGITS / 2) return BigInt(Math.round(units));
  return BigInt(new Decimal(String(value)).times(new Decimal(10).pow(precision)).toFixed(0));
}

/** How far a number of 15 digits may be from the units that it was made from: half of its last digit, rounded up. */
export function lossOf(value: number, precision: number): Money {
  const units = Math.abs(value) * 10 ** precision;
  if (units < FIFTEEN_DIGITS) return 0n;
  return 10n ** BigInt(Math.floor(Math.log10(units)) - 14);
}
