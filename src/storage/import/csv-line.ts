/** Splits lines of comma-separated files and finds their headers. */
import { UsageError } from '../../model/errors.js';
import { lineError } from './line-error.js';

/** The header lines that public dumps leave out, by their number of columns. */
export type ColumnsByNumber = Readonly<Record<number, string>>;

/**
 * The header to assume for a file whose first line holds data, as in older public dumps; `undefined` if the line is a
 * header, or if its number of columns is unknown.
 */
export function missingHeader(line: string, columns: ColumnsByNumber): string | undefined {
  return /^\d/.test(line) ? columns[line.split(',').length] : undefined;
}

/**
 * Wraps a parser whose columns were assumed because the file has no header. An error in the file's first line probably
 * means that the columns stand in another order, so the message then names the assumed columns. `first`: the
 * `file:line` of the file's first line.
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
 * The names in a header line, without blanks, quotes and capitals, which differ from dump to dump.
 *
 * @throws UsageError for a JSON array, for line ends or separators that are others, and for a name that occurs twice.
 */
export function headerNames(where: string, header: string): string[] {
  // The whole file is then one line, about whose fields there is nothing useful to say.
  if (header.trimEnd().includes('\r')) {
    throw lineError(
      where,
      'lines that end with LF, or with CR and LF',
      'a line with CR alone in it (ends of an old Mac, it seems)',
    );
  }
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

/**
 * Whether the last line of a file, if it has no line end, may be the beginning of another valid one: a cut number is a
 * number. Objects, quotes and flags show their own end. CSV need not end with a line end, so this is no error.
 */
export function mayBeCutOff(line: string): boolean {
  return !/(?:[}"]|true|false)$/i.test(line);
}

/** The fields of a line, without surrounding blanks; blanks inside quotes are kept. */
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
