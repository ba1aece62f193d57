/** Text as a shell reads it back unchanged. */

const PLAIN = /^[A-Za-z0-9_./+-]+$/;

/** As one word of bash or zsh. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** As one word of fish, where a backslash counts between single quotes, too. */
export function fishQuoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replace(/[\\']/g, '\\$&')}'`;
}
