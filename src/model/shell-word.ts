const PLAIN = /^[\w./@%+:,-][\w./@%+=:,-]*$/;

/** As it is typed into a shell. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
