import { Decimal, plain } from '../../model/decimal.js';

/** A measurement as the plain decimal that a venue printed: `1e-7` is `0.0000001`. */
export function decimalText(value: number): string {
  return plain(new Decimal(String(value)));
}

/** Of money in tables: two digits after the point, and of what is below 0.1 three that count. */
const MONEY_DIGITS = 2;
const COUNTING = 3;
/** Nobody reads more of them. */
const MOST_DIGITS = 18;

/** An amount of money for people: to the cent, and what is less than a dime as exactly as three digits are. */
export function amountText(text: string): string {
  const value = new Decimal(text);
  if (value.isZero() || value.abs().gte(0.1)) return roundedText(text, MONEY_DIGITS);
  const digits = Math.min(MOST_DIGITS, COUNTING - 1 - value.e);
  return roundedText(text, digits).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** The same of a gain or a loss, with its sign. */
export function gainText(text: string): string {
  const amount = amountText(text);
  return amount.startsWith('-') ? amount : `+${amount}`;
}

/** Rounded to so many digits after the point, ties to even: for tables, never for results. */
export function roundedText(text: string, digits: number): string {
  return new Decimal(text).toDecimalPlaces(digits).toFixed(digits);
}
