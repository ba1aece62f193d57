import type { Grid } from '../../model/grid.js';

const PLAIN = /^(\d{1,32})(?:\.(\d{0,32}))?$/;
/** The significant digits that every double represents reliably. */
const SURE = 15;

/**
 * Converts a plain decimal text (digits with at most one point; no sign, no exponent) to steps of a grid, exactly.
 * Avoids Decimal, because every order passes here. A value between two steps gives a fraction of a step, which the core
 * then refuses under its rule. `undefined`: the text is unreadable, or the number too large to be exact.
 *
 * Clients of this interface send doubles that were printed in full (`0.30000000000000004`). A text of more than 15
 * significant digits is therefore rounded to 15.
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
  // The last digit is not 0, so with more decimals than the grid has the quotient is not a whole number.
  if (excess > 0) return value / 10 ** excess;
  const steps = value * 10 ** -excess;
  return Number.isSafeInteger(steps) ? steps : undefined;
}

function readLong(grid: Grid, value: number): number | undefined {
  const rounded = value.toPrecision(SURE);
  if (!rounded.includes('e')) return readSteps(grid, rounded);
  // `toPrecision` writes values below a millionth with an exponent. On a grid they are a fraction of a step.
  return value < 1 ? value * grid.scale : undefined;
}

/** The most decimals of any asset. */
const MONEY_DECIMALS = 8;

/**
 * Checks a plain decimal text and returns it for Decimal; `undefined` if it is not plain. For amounts of money, which
 * lie on no market's grid. A text with more decimals than money has and more digits than a double represents reliably
 * is rounded like in `readSteps`.
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

/** Parses a whole number from 0 to 2^53 − 1, e.g. a time in ms; `undefined` for anything else. */
export function readWhole(text: string): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
