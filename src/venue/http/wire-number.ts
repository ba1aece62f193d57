/**
 * Numbers on the wire: JSON numbers of at most 15 significant digits, which every reader's double carries unchanged
 * (`money.md` §12). Longer ones lose their last digits in the message only, never in the ledger.
 */
import { type Grid, scaledText } from '../../model/grid.js';
import { type Money, type Rate, rateNumber } from '../../model/money.js';

const FIFTEEN_DIGITS = 1e15;
const MILLION = 1e6;
const BILLION = 1e9;

/** Rounds a double to 15 significant digits. NaN and the infinities, which JSON cannot express, become 0. */
export function rounded(value: number): number {
  if (!Number.isFinite(value)) return 0;
  // A double that equals a decimal of at most 15 digits needs no rounding. Most values do, and this test is faster than
  // rounding them.
  if (Math.abs(value) < BILLION && Math.round(value * MILLION) / MILLION === value) return value + 0;
  return Number(value.toPrecision(15)) + 0;
}

/** Money with `precision` decimals as a number. */
export function moneyOnWire(amount: Money, precision: number): number {
  const units = Number(amount);
  // Both operands are exact, so the quotient is the double nearest to the decimal, and prints as that decimal.
  if (Math.abs(units) < FIFTEEN_DIGITS) return units / 10 ** precision + 0;
  return rounded(Number(scaledText(amount, precision)));
}

/** Whole steps of a grid (ticks or lots) as a number. */
export function stepsOnWire(grid: Grid, steps: number): number {
  return Math.abs(steps) < FIFTEEN_DIGITS ? steps / grid.scale + 0 : rounded(steps / grid.scale);
}

export function rateOnWire(rate: Rate): number {
  return rounded(rateNumber(rate));
}

/** Money of an asset, converted at `usdPrice` USD per unit of the asset. */
export function usdOnWire(amount: Money, precision: number, usdPrice: number): number {
  const own = moneyOnWire(amount, precision);
  return usdPrice === 1 ? own : rounded(own * usdPrice);
}
