import { Decimal as DecimalJs } from 'decimal.js';

/**
 * The one decimal arithmetic of this project: 40 significant digits, half-even, never exponent notation
 * (the default `String(new Decimal('0.0000001'))` is `1e-7`, and no venue takes that).
 *
 * Used at the boundaries (configuration, wire, reports); never per trade. Inside the engine prices are integer
 * ticks (`grid.ts`), and ledgers are integer units of money (`money.ts`).
 */
export const Decimal = DecimalJs.clone({
  precision: 40,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});

export type Decimal = InstanceType<typeof Decimal>;

/** What a person may write where an exact decimal is meant. A number is taken as it prints. */
export type DecimalSource = Decimal | string | number;

const PLAIN_DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/**
 * Most digits before and after the point; every double has fewer. Printing a Decimal of 1e9000000 would exhaust the heap.
 */
const MOST_DIGITS = 400;

/**
 * The value as a Decimal, or `undefined` when it is not a finite plain decimal (hex, exponents and blanks are not) of at
 * most 400 digits on either side of the point.
 */
export function parseDecimal(source: DecimalSource): Decimal | undefined {
  const value = decimalOf(source);
  return value !== undefined && value.e < MOST_DIGITS && value.decimalPlaces() <= MOST_DIGITS
    ? value
    : undefined;
}

function decimalOf(source: DecimalSource): Decimal | undefined {
  if (typeof source === 'string') return PLAIN_DECIMAL.test(source) ? new Decimal(source) : undefined;
  if (typeof source === 'number') return Number.isFinite(source) ? new Decimal(String(source)) : undefined;
  // Strategies in plain JavaScript call this too, so the value may be anything.
  return Decimal.isDecimal(source) && source.isFinite() ? new Decimal(source) : undefined;
}

/** The value in plain notation, without trailing zeros: what goes to the wire and into results. */
export function plain(value: Decimal): string {
  return value.toFixed();
}
