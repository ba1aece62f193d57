/** The kind of a value on the command line, by its placeholder in the help: `<file>`, `[strategy...]`. */

export type Value = { readonly placeholder: string } & (
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'folder' }
  /** A file, or the name of a strategy of the package. */
  | { readonly kind: 'strategy' }
  /** A command of the program, or a strategy. */
  | { readonly kind: 'topic' }
  /** Anything else, which a shell cannot complete. */
  | { readonly kind: 'text' }
);

const FILES = new Set(['file', 'path', 'capture', 'session']);
const FOLDERS = new Set(['dir', 'run']);

/** `of`: the long flag of the option that has the value; `undefined` for an argument. */
export function valueOf({
  placeholder,
  choices,
  of,
}: {
  readonly placeholder: string;
  readonly choices: readonly string[] | undefined;
  readonly of: string;
}): Value {
  if (choices !== undefined) return { placeholder, kind: 'words', words: choices };
  const words = placeholder.split('|');
  if (placeholder.includes('strategy') || of === '--strategy') return { placeholder, kind: 'strategy' };
  if (words.includes('topic')) return { placeholder, kind: 'topic' };
  if (words.some((word) => FILES.has(word))) return { placeholder, kind: 'file' };
  if (words.some((word) => FOLDERS.has(word))) return { placeholder, kind: 'folder' };
  return { placeholder, kind: 'text' };
}
