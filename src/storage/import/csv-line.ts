/** Lines of comma separated files. */
import { UsageError } from '../../model/errors.js';
import { lineError } from './line-error.js';

/** Header lines of public dumps that have none, by the number of their columns. */
export type ColumnsByNumber = Readonly<Record<number, string>>;

/** The header that a first line stands under when it is none itself, as in older public dumps; else `undefined`. */
export function missingHeader(line: string, columns: ColumnsByNumber): string | undefined {
  return /^\d/.test(line) ? columns[line.split(',').length] : undefined;
}

/**
 * A parser of lines under columns that no header names: what it objects to in the first line may well be that the
 * columns stand in another order there. `first`: where that line is.
 */
export function underAssumed<T>(
  columns: string,
  first: string,
  parse: (where: string, line: string) => T,
): (where: string, line: string) => T {
  return (where, line) => {
    try {
      return parse(where, line);
    } catch (error) {
      if (where !== first || !(error instanceof UsageError)) throw error;
      throw new UsageError(
        error.code,
        `${error.message} (there is no header line: the columns were taken for ${columns})`,
        { facts: error.facts, cause: error },
      );
    }
  };
}

const OTHER_SEPARATORS = { semicolons: ';', tabs: '\t', bars: '|' } as const;

/**
 * The names of a header line, bare of blanks, quotes and capitals, which are a matter of taste.
 *
 * @throws UsageError when the file seems to be a JSON array, or separated by something else.
 */
export function headerNames(where: string, header: string): string[] {
  if (header.trimStart().startsWith('[')) {
    throw lineError(where, 'CSV, or NDJSON with one object a line', 'a JSON array');
  }
  const commas = header.split(',').length;
  for (const [name, separator] of Object.entries(OTHER_SEPARATORS)) {
    if (header.split(separator).length <= commas) continue;
    throw lineError(
      where,
      'fields separated by commas',
      `${header.slice(0, 120)} (separated by ${name}, it seems)`,
    );
  }
  const names = splitCsv(where, header).map((name) => name.trim().toLowerCase());
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw lineError(
      where,
      'a header with each column once',
      `${twice} more than once in ${header.slice(0, 120)}`,
    );
  }
  return names;
}

/** The fields of a line, without the blanks around them; those in quotes keep theirs. */
export function splitCsv(where: string, line: string): string[] {
  if (!line.includes('"'))
    return hasBlanks(line) ? line.split(',').map((cell) => cell.trim()) : line.split(',');
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    while (isBlank(line[at])) at += 1;
    if (line[at] !== '"') {
      const comma = line.indexOf(',', at);
      const end = comma < 0 ? line.length : comma;
      cells.push(line.slice(at, end).trimEnd());
      at = end + 1;
      continue;
    }
    let cell = '';
    for (at += 1; ; at += 2) {
      const quote = line.indexOf('"', at);
      if (quote < 0) throw lineError(where, 'quotes in pairs', line.slice(0, 120));
      cell += line.slice(at, quote);
      at = quote;
      if (line[at + 1] !== '"') break;
      cell += '"';
    }
    at += 1;
    while (isBlank(line[at])) at += 1;
    if (at < line.length && line[at] !== ',')
      throw lineError(where, 'a comma after a quoted field', line.slice(0, 120));
    cells.push(cell);
    at += 1;
  }
  return cells;
}

function hasBlanks(line: string): boolean {
  return line.includes(' ') || line.includes('\t');
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
