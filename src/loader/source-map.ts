/** The source position of a position in generated code. Lines and columns count from 1. */
export interface OriginalPosition {
  /** Name of the source, as in the map. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The text of that line; `undefined` if the map does not contain its sources. */
  readonly lineText: string | undefined;
}

/** A mapping: generated column, then source, line and column; all count from 0. */
type Segment = readonly [column: number, source: number, sourceLine: number, sourceColumn: number];

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A source map of version 3, in which single positions are looked up. */
export class SourceMap {
  readonly #sources: readonly string[];
  readonly #contents: readonly (string | null)[];
  readonly #lines: readonly (readonly Segment[])[];

  /** Takes the map's JSON without validation, because it comes from our own bundler. */
  constructor(json: string) {
    const map = JSON.parse(json) as {
      readonly sources: readonly string[];
      readonly sourcesContent?: readonly (string | null)[];
      readonly mappings: string;
    };
    this.#sources = map.sources;
    this.#contents = map.sourcesContent ?? [];
    this.#lines = decodeMappings(map.mappings);
  }

  /**
   * The source position of a generated one (from 1), by the nearest mapping at or before it in its line; `undefined` if
   * the line has none.
   */
  original(line: number, column: number): OriginalPosition | undefined {
    const segments = this.#lines[line - 1] ?? [];
    const segment = segments.findLast(([start]) => start <= column - 1) ?? segments[0];
    if (segment === undefined) return undefined;
    const [, source, sourceLine, sourceColumn] = segment;
    const name = this.#sources[source];
    if (name === undefined) return undefined;
    return {
      source: name,
      line: sourceLine + 1,
      column: sourceColumn + 1,
      lineText: this.#contents[source]?.split('\n')[sourceLine],
    };
  }

  /** The sources whose contents the map has. */
  *contents(): Generator<readonly [source: string, text: string]> {
    for (const [index, source] of this.#sources.entries()) {
      const text = this.#contents[index];
      if (typeof text === 'string') yield [source, text];
    }
  }
}

/** Decodes mappings: semicolons separate lines, commas separate segments, and numbers are differences in base 64 VLQ. */
function decodeMappings(mappings: string): readonly (readonly Segment[])[] {
  let source = 0;
  let sourceLine = 0;
  let sourceColumn = 0;
  return mappings.split(';').map((line) => {
    let column = 0;
    const segments: Segment[] = [];
    for (const text of line === '' ? [] : line.split(',')) {
      const [byColumn = 0, bySource, byLine, bySourceColumn] = decodeVlq(text);
      column += byColumn;
      if (bySource === undefined || byLine === undefined || bySourceColumn === undefined) continue;
      source += bySource;
      sourceLine += byLine;
      sourceColumn += bySourceColumn;
      segments.push([column, source, sourceLine, sourceColumn]);
    }
    return segments;
  });
}

/**
 * Decodes base 64 VLQ: five bits per digit, the lowest first. Bit 6 says that more digits follow; the lowest bit of the
 * value is its sign.
 */
function decodeVlq(text: string): readonly number[] {
  const values: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    values.push((value & 1) === 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return values;
}
