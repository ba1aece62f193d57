/** A place in a text file. Line and column count from 1, in UTF-16 units, as editors do. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `file:line:col`, which terminals and editors turn into a link. */
export function positionText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

const MOST_SHOWN = 160;

/**
 * The line of source and, under it, carets at the column:
 *
 *     12 |   fats: 10
 *        |   ^^^^
 */
export function pointAt({ line, column }: SourcePosition, lineText: string, length = 1): string {
  const start = Math.max(0, column - 1 - Math.floor(MOST_SHOWN / 2));
  const shown = lineText.slice(start, start + MOST_SHOWN).replace(/\t/g, ' ');
  const gutter = ' '.repeat(String(line).length);
  const room = Math.max(1, shown.length - (column - 1 - start));
  const carets = '^'.repeat(Math.max(1, Math.min(length, room)));
  return `  ${line} | ${shown}\n  ${gutter} | ${' '.repeat(column - 1 - start)}${carets}`;
}
