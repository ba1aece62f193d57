/** Quotes text so that a shell reads it back unchanged. */

const PLAIN = /^[A-Za-z0-9_./+-]+$/;

/** One word for bash or zsh. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** One word for fish, where a backslash is special within single quotes, too. */
export function fishQuoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replace(/[\\']/g, '\\$&')}'`;
}
