import type { Grid } from '../../model/grid.js';

const PLAIN = /^(\d{1,32})(?:\.(\d{0,32}))?$/;
/** As many significant digits as a double is sure of. */
const SURE = 15;

/**
 * Steps of a plain decimal text (digits with at most one point; no sign, no exponent), exactly and without Decimal:
 * this stands on the path of every order. A value between two steps gives a fraction of a step, for the core to refuse
 * with its rule; `undefined` when there is nothing readable or the number is too large to be exact.
 *
 * A text of more than 15 significant digits is a double that was printed whole (`0.30000000000000004`), which clients
 * of this interface send: it is read at 15 digits.
 */
export function readSteps(grid: Grid, text: string): number | undefined {
  const match = PLAIN.exec(text);
  if (match === null) return undefined;
  const whole = (match[1] as string).replace(/^0+/, '');
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits.length > SURE) return readLong(grid, Number(text));
  const value = Number(digits);
  const excess = fraction.length - grid.decimals;
  // The digits end in no zero, so with more places than the grid has the quotient is no whole number.
  if (excess > 0) return value / 10 ** excess;
  const steps = value * 10 ** -excess;
  return Number.isSafeInteger(steps) ? steps : undefined;
}

function readLong(grid: Grid, value: number): number | undefined {
  const rounded = value.toPrecision(SURE);
  if (!rounded.includes('e')) return readSteps(grid, rounded);
  // Below a millionth it is written with an exponent, and lies below every step of a grid or between two.
  return value < 1 ? value * grid.scale : undefined;
}

/** No asset has smaller units. */
const MONEY_DECIMALS = 8;

/**
 * A plain decimal text for Decimal; `undefined` when it is none. For amounts of money, which lie on no market's grid.
 * One with more places than money has and more digits than a double is sure of is read as in `readSteps`.
 */
export function plainDecimal(text: string): string | undefined {
  const match = PLAIN.exec(text);
  if (match === null) return undefined;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  const digits = ((match[1] as string) + fraction).replace(/^0+/, '');
  if (fraction.length <= MONEY_DECIMALS || digits.length <= SURE) return text;
  const rounded = Number(text).toPrecision(SURE);
  return rounded.includes('e') ? text : rounded;
}

/** A whole number up to 2^53 − 1, e.g. a time in ms; `undefined` for anything else. */
export function readWhole(text: string): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
