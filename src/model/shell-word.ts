const PLAIN = /^[\w./@%+:,-][\w./@%+=:,-]*$/;

/** Quotes a text, where needed, so that a POSIX shell reads it as one word. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
