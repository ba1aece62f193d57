const DIGIT_OR_POINT = /^\.?\d/;
const OTHER_BASE = /^0[xob]/i;

/**
 * Parses a decimal number as programs print it, possibly with an exponent or without a leading 0; NaN for anything
 * else.
 */
export function numberIn(text: string): number {
  // Number() itself would also take blanks, signs and other bases.
  return DIGIT_OR_POINT.test(text) && !OTHER_BASE.test(text) ? Number(text) : Number.NaN;
}
