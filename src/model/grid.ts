import { Decimal, type DecimalSource, parseDecimal } from './decimal.js';
import { UsageError } from './errors.js';

declare const ticksBrand: unique symbol;
declare const lotsBrand: unique symbol;

/** A price as a whole number of steps of its market's price grid. Always a safe integer. */
export type Ticks = number & { readonly [ticksBrand]: true };

/** A quantity as a whole number of steps of its market's quantity grid; signed where it is a position. A safe integer. */
export type Lots = number & { readonly [lotsBrand]: true };

export const NO_LOTS = 0 as Lots;

/**
 * The power-of-ten lattice that prices or quantities of one market lie on, fixed for the life of a session:
 * the coarsest 10^-decimals that holds the filter's step. The filter's own step is a multiple of it and is
 * checked by the gate, so filters may change in flight.
 */
export interface Grid {
  /** Digits after the point. */
  readonly decimals: number;
  /** 10^decimals. */
  readonly scale: number;
}

const MAX_DECIMALS = 12;
const ZERO = 48;

/** Digits of a quote asset, at most: those of the finest tick and the finest lot together. */
export const MAX_PRECISION = 2 * MAX_DECIMALS;

export function gridOfDecimals(decimals: number): Grid {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
    throw new UsageError(
      'TICKWRIGHT_E_GRID',
      `a grid must have 0 to ${MAX_DECIMALS} digits after the point, received ${decimals}`,
    );
  }
  return { decimals, scale: 10 ** decimals };
}

/** The grid that holds a filter's step, e.g. 0.5 → one digit after the point. */
export function gridOfStep(step: DecimalSource): Grid {
  const value = parseDecimal(step);
  if (value === undefined || !value.gt(0)) {
    throw new UsageError('TICKWRIGHT_E_GRID', `a step must be a decimal above 0, received ${String(step)}`);
  }
  return gridOfDecimals(value.decimalPlaces());
}

/**
 * Whole steps of a printed number, or NaN when the number is not on the grid. The comparison is exact: a parser turns the
 * digits of k·10^-decimals into the nearest double, and `k / scale` is the same double.
 */
export function stepsOf(grid: Grid, value: number): number {
  const steps = Math.round(value * grid.scale);
  return steps / grid.scale === value && Number.isSafeInteger(steps) ? steps : Number.NaN;
}

/** Share of a step below which a difference counts as float noise. */
const NOISE_OF_STEP = 1e-6;
/** Relative size of the last bits of a double. */
const NOISE_OF_NUMBER = 2 ** -50;
/** Numbers of steps below this have an error in their last bits that is smaller than `NOISE_OF_STEP`. */
const COARSE_STEPS = NOISE_OF_STEP / NOISE_OF_NUMBER;

/**
 * How far `steps`, a computed number of steps, may lie from the whole number that it stands for. This is a millionth of a
 * step, or the error of the last bits where that is larger, as it is for large numbers on a fine grid. At most half a
 * step.
 */
export function stepNoise(steps: number): number {
  const size = Math.abs(steps);
  return size < COARSE_STEPS ? NOISE_OF_STEP : Math.min(size * NOISE_OF_NUMBER, 0.5);
}

/** Whole steps of a printed number up to float noise (`dialect.md` §1), or NaN when it is off the grid by more. */
export function stepsNear(grid: Grid, value: number): number {
  const exact = value * grid.scale;
  const steps = Math.round(exact);
  return Math.abs(exact - steps) <= stepNoise(exact) && Number.isSafeInteger(steps) ? steps : Number.NaN;
}

/** Whole steps in a printed quantity, rounded down. Float noise just below a whole step does not cost that step. */
export function wholeSteps(grid: Grid, quantity: number): number {
  const exact = quantity * grid.scale;
  return Math.floor(exact + stepNoise(exact));
}

/** Whole steps of an exact decimal; `undefined` when the source is not a decimal, is off the grid, or is too large. */
export function exactSteps(grid: Grid, source: DecimalSource): number | undefined {
  const value = parseDecimal(source);
  if (value === undefined) return undefined;
  const steps = value.times(grid.scale);
  if (!steps.isInteger()) return undefined;
  const count = steps.toNumber();
  return Number.isSafeInteger(count) ? count : undefined;
}

/** The number a venue would print for this many steps. */
export function numberOf(grid: Grid, steps: number): number {
  return steps / grid.scale;
}

export function decimalOf(grid: Grid, steps: number): Decimal {
  return new Decimal(steps).div(grid.scale);
}

/** Plain decimal text of a whole number of steps, without trailing zeros. Uses integers only, so nothing is rounded. */
export function textOf(grid: Grid, steps: number): string {
  if (!Number.isSafeInteger(steps)) return scaledText(BigInt(steps), grid.decimals);
  return pointedText(String(Math.abs(steps)), grid.decimals, steps < 0);
}

/** Plain decimal text of `value · 10^-decimals`, without trailing zeros. */
export function scaledText(value: bigint, decimals: number): string {
  const negative = value < 0n;
  return pointedText((negative ? -value : value).toString(), decimals, negative);
}

function pointedText(unpadded: string, decimals: number, negative: boolean): string {
  const digits = unpadded.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--;
  const whole = digits.slice(0, point);
  const text = end === point ? whole : `${whole}.${digits.slice(point, end)}`;
  return negative && text !== '0' ? `-${text}` : text;
}
