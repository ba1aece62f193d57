/**
 * Detects times and ids that lost digits in a spreadsheet: `1.72316E+12` is a valid number, but not the original one.
 */
import { shown } from './line-error.js';
import { numberIn } from './number-in.js';

const EXPONENT = /^\d+(?:[.,]\d*)?e[+-]?\d+$/i;
/** Only digits with a positive exponent are surely a cut id: a genuine id in hexadecimal may also contain an e. */
const CUT_ID = /^\d(?:[.,]\d+)?e\+\d+$/i;

/** Parses a number like `numberIn`; NaN for one with an exponent, whose last digits may have been cut. */
export function wholeNumberIn(text: string): number {
  return EXPONENT.test(text) ? Number.NaN : numberIn(text);
}

export function isCutId(id: string): boolean {
  return id.includes('+') && CUT_ID.test(id);
}

/** A value as text for a message, with advice if its digits were cut. */
export function shownCut(value: unknown): string {
  const isCut = typeof value === 'string' && EXPONENT.test(value);
  const advice = isCut ? ' (an exponent cuts digits, as spreadsheets do: export the column as text)' : '';
  return shown(value) + advice;
}
