const DIGIT_OR_POINT = /^\.?\d/;
const OTHER_BASE = /^0[xob]/i;

/** A decimal number, perhaps with an exponent or without a 0 before its point, as programs print it; NaN for all else. */
export function numberIn(text: string): number {
  // Number() itself would also take blanks, signs and other bases.
  return DIGIT_OR_POINT.test(text) && !OTHER_BASE.test(text) ? Number(text) : Number.NaN;
}
