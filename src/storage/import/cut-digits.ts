/** Times and ids that went through a spreadsheet: `1.72316E+12` is a number, but not the one that was there. */
import { shown } from './line-error.js';
import { numberIn } from './number-in.js';

const EXPONENT = /^\d+(?:[.,]\d*)?e[+-]?\d+$/i;
/** Only so much is no text that an id might be: an e is a digit of some. */
const CUT_ID = /^\d(?:[.,]\d+)?e\+\d+$/i;

/** A number as of `numberIn` whose digits are all there; NaN for one with an exponent. */
export function wholeNumberIn(text: string): number {
  return EXPONENT.test(text) ? Number.NaN : numberIn(text);
}

export function isCutId(id: string): boolean {
  return id.includes('+') && CUT_ID.test(id);
}

/** A value as a message shows it, with what to do where its digits were cut. */
export function shownCut(value: unknown): string {
  const isCut = typeof value === 'string' && EXPONENT.test(value);
  const advice = isCut ? ' (an exponent cuts digits, as spreadsheets do: export the column as text)' : '';
  return shown(value) + advice;
}
