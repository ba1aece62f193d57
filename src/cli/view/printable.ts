/** Control characters, and those that turn or hide text: what a venue says must not move the cursor. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text from outside as it may stand in a terminal. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\uFFFD');
}
