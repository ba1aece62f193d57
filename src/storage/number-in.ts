/** A decimal number, perhaps with an exponent, as programs print it; NaN for everything else. */
export function numberIn(text: string): number {
  // Number() itself would also take blanks, signs and other bases: they do not start with a digit, or not with this one.
  const first = text.charCodeAt(0);
  const second = text.charCodeAt(1) | 0x20;
  const isOtherBase = first === 0x30 && (second === 0x78 || second === 0x6f || second === 0x62);
  return first >= 0x30 && first <= 0x39 && !isOtherBase ? Number(text) : Number.NaN;
}
