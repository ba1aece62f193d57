/** Numbers of the wire as whole units. */
import { Decimal } from '../model/decimal.js';
import type { Money } from '../model/money.js';

/** Up to here a number of the wire carries every unit. */
const FIFTEEN_DIGITS = 1e15;

/** The nearest whole units: the venue booked whole units and printed them as a double. */
export function unitsOf(value: number, precision: number): Money {
  const units = value * 10 ** precision;
  // Below 2^53 / 10 the product is off by less than half a unit, whatever the last bits of the value are.
  if (Math.abs(units) < FIFTEEN_DIGITS / 2) return BigInt(Math.round(units));
  return BigInt(new Decimal(String(value)).times(new Decimal(10).pow(precision)).toFixed(0));
}

/** How far a number of 15 digits may lie from the units that it was made of: half of its last digit, rounded up. */
export function lossOf(value: number, precision: number): Money {
  const units = Math.abs(value) * 10 ** precision;
  if (units < FIFTEEN_DIGITS) return 0n;
  return 10n ** BigInt(Math.floor(Math.log10(units)) - 14);
}
