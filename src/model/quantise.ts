/**
 * Quantising: from what a strategy computed to whole multiples of a filter's step. Bids go down, asks go up and
 * target positions go toward zero, so that quantising never makes an order more aggressive or larger than asked.
 *
 * A float within a millionth of a step of a multiple *is* that multiple: 61800.3 − 0.1 must not lose a tick
 * because binary floats cannot hold tenths.
 */
import { Decimal, type DecimalSource } from './decimal.js';
import type { Grid } from './grid.js';

const NOISE = 1e-6;

export type Rounding = 'down' | 'up' | 'toward-zero';

/**
 * Grid steps of `value` after rounding to a multiple of `step` (grid steps, ≥ 1).
 * NaN when the value is no finite number or too large to be exact.
 */
export function quantise(grid: Grid, step: number, value: DecimalSource, rounding: Rounding): number {
  if (typeof value === 'number') return quantiseNumber(grid, step, value, rounding);
  let exact: Decimal;
  try {
    exact = new Decimal(value);
  } catch {
    return Number.NaN;
  }
  const multiples = exact.times(grid.scale).div(step);
  if (!multiples.isFinite()) return Number.NaN;
  const whole =
    rounding === 'down' ? multiples.floor() : rounding === 'up' ? multiples.ceil() : multiples.trunc();
  return safe(whole.toNumber() * step);
}

function quantiseNumber(grid: Grid, step: number, value: number, rounding: Rounding): number {
  const multiples = (value * grid.scale) / step;
  const nearest = Math.round(multiples);
  if (Math.abs(multiples - nearest) <= NOISE) return safe(nearest * step);
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
