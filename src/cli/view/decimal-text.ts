import { Decimal, plain } from '../../model/decimal.js';

/** A number as the plain decimal that a venue printed: `1e-7` is `0.0000001`. */
export function decimalText(value: number): string {
  return plain(new Decimal(String(value)));
}

/** Decimals of money in tables, and significant digits of amounts below 0.1. */
const MONEY_DIGITS = 2;
const COUNTING = 3;
/** The most decimals. */
const MOST_DIGITS = 18;

/** An amount of money for people: two decimals, but three significant digits below 0.1. */
export function amountText(text: string): string {
  const value = new Decimal(text);
  if (value.isZero() || value.abs().gte(0.1)) return roundedText(text, MONEY_DIGITS);
  const digits = Math.min(MOST_DIGITS, COUNTING - 1 - value.e);
  return roundedText(text, digits).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Like `amountText`, for a gain or a loss, with its sign. */
export function gainText(text: string): string {
  const amount = amountText(text);
  return amount.startsWith('-') ? amount : `+${amount}`;
}

/** Rounded to `digits` decimals, ties to even. For tables only, not for results. */
export function roundedText(text: string, digits: number): string {
  return new Decimal(text).toDecimalPlaces(digits).toFixed(digits);
}
