/**
 * Numbers on the wire: JSON numbers of at most 15 significant digits, which every reader's double carries unchanged
 * (`money.md` §12). Longer ones lose their tail in the message only, never in the ledger.
 */
import { type Grid, scaledText } from '../../model/grid.js';
import { type Money, type Rate, rateNumber } from '../../model/money.js';

const FIFTEEN_DIGITS = 1e15;
const MILLION = 1e6;
const BILLION = 1e9;

/** Any double, at 15 significant digits. Not a number and the infinities have no JSON form and are shown as 0. */
export function rounded(value: number): number {
  if (!Number.isFinite(value)) return 0;
  // The double nearest to a decimal of at most 15 digits is what it would be rounded to; most values are, and it is
  // sooner found out than done.
  if (Math.abs(value) < BILLION && Math.round(value * MILLION) / MILLION === value) return value + 0;
  return Number(value.toPrecision(15)) + 0;
}

/** Money of `precision` digits as a number. */
export function moneyOnWire(amount: Money, precision: number): number {
  const units = Number(amount);
  // Both operands are exact, so the quotient is the double nearest to the decimal and prints as it.
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

/** Money of an asset in USD, at so many USD for one unit of it. */
export function usdOnWire(amount: Money, precision: number, usdPrice: number): number {
  const own = moneyOnWire(amount, precision);
  return usdPrice === 1 ? own : rounded(own * usdPrice);
}
