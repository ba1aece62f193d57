import { Decimal, plain } from '../../model/decimal.js';

/** A measurement as the plain decimal that a venue printed: `1e-7` is `0.0000001`. */
export function decimalText(value: number): string {
  return plain(new Decimal(String(value)));
}

/** Cut to so many digits after the point, toward zero: for tables, never for results. */
export function roundedText(text: string, digits: number): string {
  return new Decimal(text).toDecimalPlaces(digits).toFixed(digits);
}
