/**
 * Quantising: from what a strategy computed to whole multiples of a filter's step. Bids go down, asks go up and target
 * positions go toward zero, so that quantising never makes an order more aggressive or larger than asked.
 *
 * A float that is within a millionth of a step of a multiple, or within its own last bits, counts as that multiple:
 * 61800.3 − 0.1 must not lose a tick because binary floats cannot hold tenths.
 */
import { Decimal, type DecimalSource, parseDecimal } from './decimal.js';
import { type Grid, stepNoise } from './grid.js';

export type Rounding = 'down' | 'up' | 'toward-zero';

/**
 * `value` in grid steps, rounded to a multiple of `step` (grid steps, ≥ 1). NaN when the value is not a finite plain
 * decimal, or is too large to be exact.
 */
export function quantise(grid: Grid, step: number, value: DecimalSource, rounding: Rounding): number {
  if (typeof value === 'number') return quantiseNumber(grid, step, value, rounding);
  const steps = typeof value === 'string' ? plainSteps(grid, value) : undefined;
  if (steps !== undefined) return quantiseSteps(steps, step, rounding);
  const exact = parseDecimal(value);
  if (exact === undefined) return Number.NaN;
  const multiples = exact.times(grid.scale).div(step);
  const whole =
    rounding === 'down' ? multiples.floor() : rounding === 'up' ? multiples.ceil() : multiples.trunc();
  return safe(whole.toNumber() * step);
}

/** Whether the value is zero, up to float noise. */
export function isNothing(grid: Grid, step: number, value: DecimalSource): boolean {
  if (typeof value === 'number') return Math.abs((value * grid.scale) / step) <= stepNoise(0);
  return new Decimal(value).isZero();
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
/** Every decimal number of this many digits survives the way into a double and back. */
const MOST_DIGITS = 15;

/**
 * Whole grid steps of plain decimal text, the form of nearly every quantity; `undefined` for any other text and for one
 * finer than the grid. An order may be waiting for this result, and Decimal takes a hundred times as long.
 */
function plainSteps({ decimals }: Grid, text: string): number | undefined {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  let digits = 0;
  let fraction = 0;
  let point = -1;
  let steps = 0;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT && point < 0 && digits > 0) point = at;
    else {
      const digit = code - ZERO;
      if (!(digit >= 0 && digit <= 9)) return undefined;
      steps = steps * 10 + digit;
      digits++;
      if (point >= 0) fraction++;
    }
  }
  const missing = decimals - fraction;
  const isWhole = digits > 0 && point !== text.length - 1;
  if (!isWhole || missing < 0 || digits + missing > MOST_DIGITS) return undefined;
  for (let zeros = 0; zeros < missing; zeros++) steps *= 10;
  return first === 1 ? -steps : steps;
}

/** Integers only, so the result is exact. */
function quantiseSteps(steps: number, step: number, rounding: Rounding): number {
  const rest = steps % step;
  const towardZero = steps - rest;
  if (rounding === 'down' && rest < 0) return safe(towardZero - step);
  if (rounding === 'up' && rest > 0) return safe(towardZero + step);
  return safe(towardZero);
}

function quantiseNumber(grid: Grid, step: number, value: number, rounding: Rounding): number {
  const multiples = (value * grid.scale) / step;
  const nearest = Math.round(multiples);
  if (Math.abs(multiples - nearest) <= stepNoise(multiples)) return safe(nearest * step);
  const whole =
    rounding === 'down'
      ? Math.floor(multiples)
      : rounding === 'up'
        ? Math.ceil(multiples)
        : Math.trunc(multiples);
  return safe(whole * step);
}

function safe(steps: number): number {
  return Number.isSafeInteger(steps) ? steps + 0 : Number.NaN;
}
