import type { BarRow } from '../rows/bar-columns.js';
import { demandTurnover } from './bar-turnover.js';
import { type ColumnsByNumber, headerNames, missingHeader, splitCsv, underAssumed } from './csv-line.js';
import { shownCut, wholeNumberIn } from './cut-digits.js';
import { objectOfLine } from './json-line.js';
import { lineError, shown } from './line-error.js';
import { exactField, isLikelyTime, msOf, msOfIso, withoutNanoseconds } from './line-time.js';
import { numberIn } from './number-in.js';
import { OtherPair } from './other-pair.js';
import { positive } from './trade-parser.js';

/** The unit in which the column `volume` of a file counts: base units or the quote asset. */
export type VolumeUnit = 'base' | 'quote';

/** A parser of the lines of one file, with the unit of the file's volumes. */
export interface BarParser {
  readonly parse: (where: string, line: string) => BarRow | OtherPair;
  readonly volume: VolumeUnit;
  /** Whether the first line was a header, and so holds no bar. */
  readonly headed: boolean;
}

const NAMES = {
  time: ['open_time', 'time', 'timestamp', 'openTime', 'opentime', 'date', 'datetime'],
  open: ['open'],
  high: ['high'],
  low: ['low'],
  close: ['close'],
} as const;

type FieldName = keyof typeof NAMES;
const FIELD_NAMES = Object.keys(NAMES) as FieldName[];
const BASE_NAMES = ['base_volume', 'volume_base'];
const QUOTE_NAMES = [
  'quote_volume',
  'quote_asset_volume',
  'volume_quote',
  'quote asset volume',
  'quoteVolume',
  'quotevolume',
  'quoteAssetVolume',
  'quoteassetvolume',
];

/** The header line that public dumps of bars leave out, by their number of columns. */
const DUMP_COLUMNS: ColumnsByNumber = {
  12: 'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_base,taker_quote,ignore',
};

/** Whether the first line of a file belongs to a file of bars rather than of trades. */
export function isBarLine(line: string): boolean {
  if (line.startsWith('{')) return /"open"\s*:/.test(line) && /"close"\s*:/.test(line);
  if (missingHeader(line, DUMP_COLUMNS) !== undefined) return true;
  const names = line.split(',').map(bareName);
  return (['open', 'high', 'low', 'close'] as const).every((name) => names.includes(name));
}

/** `unit`: what the column `volume` counts; a column that says so in its name does not ask. `wanted`: the pair. */
export function barParser(
  where: string,
  first: string,
  unit: VolumeUnit | undefined,
  wanted: string,
): BarParser {
  if (first.startsWith('{')) return jsonParser(where, first, unit, wanted);
  const missing = missingHeader(first, DUMP_COLUMNS);
  const names = headerNames(where, missing ?? first);
  const columns = columnsOf(where, names, first);
  const volume = volumeOf(where, names, unit);
  const pair = names.indexOf('pair');
  const parse = (at: string, line: string): BarRow | OtherPair => {
    const cells = splitCsv(at, line);
    if (cells.length !== names.length)
      throw lineError(at, `${names.length} fields`, `${cells.length}: ${line.slice(0, 120)}`);
    const own = pair < 0 ? undefined : cells[pair];
    if (own !== undefined && own !== wanted) return new OtherPair(own);
    const cell = (field: FieldName) => cells[columns.get(field) as number];
    return barOf(at, cell, volume, (name) => cells[names.indexOf(name)]);
  };
  return {
    headed: missing === undefined,
    volume: volume.unit,
    parse: missing === undefined ? parse : underAssumed(missing, where, parse),
  };
}

function jsonParser(where: string, first: string, unit: VolumeUnit | undefined, wanted: string): BarParser {
  const names = Object.keys(objectOfLine(where, first));
  columnsOf(where, names, first);
  const volume = volumeOf(where, names, unit);
  return {
    headed: false,
    volume: volume.unit,
    parse(at, line) {
      const object = objectOfLine(at, line);
      const pair = Object.hasOwn(object, 'pair') ? object['pair'] : undefined;
      if (typeof pair === 'string' && pair !== wanted) return new OtherPair(pair);
      const field = (name: FieldName) => {
        const own = NAMES[name].find((one) => Object.hasOwn(object, one)) ?? '';
        return exactField(line, own, object[own]);
      };
      return barOf(at, field, volume, (name) => object[name]);
    },
  };
}

function columnsOf(where: string, names: readonly string[], first: string): ReadonlyMap<FieldName, number> {
  const columns = new Map<FieldName, number>();
  const missing: string[] = [];
  for (const field of FIELD_NAMES) {
    const column = names.findIndex((name) => (NAMES[field] as readonly string[]).includes(name));
    if (column < 0) missing.push(NAMES[field].join(' or '));
    else columns.set(field, column);
  }
  if (missing.length > 0) {
    throw lineError(
      where,
      `a header with the columns ${FIELD_NAMES.join(', ')}, volume`,
      `${first.slice(0, 120)} (no ${missing.join(', ')})`,
    );
  }
  return columns;
}

/** The column that the volume is read from. `beside`: the turnover column that must agree with it, if there is one. */
interface VolumeColumn {
  readonly name: string;
  readonly unit: VolumeUnit;
  readonly beside?: string | undefined;
}

function volumeOf(where: string, names: readonly string[], unit: VolumeUnit | undefined): VolumeColumn {
  const find = (candidates: readonly string[]) => names.find((name) => candidates.includes(name));
  const base = find(BASE_NAMES);
  const quote = find(QUOTE_NAMES);
  // A column that is just called `volume` may count contracts where another one is named for base units.
  if (base !== undefined && unit !== 'quote') return { name: base, unit: 'base' };
  // In files with both columns, a column that is just called `volume` counts base units.
  if (names.includes('volume')) return { name: 'volume', unit: unit ?? 'base', beside: quote };
  if (quote !== undefined) return { name: quote, unit: 'quote' };
  throw lineError(where, 'a column volume, base_volume or quote_volume', names.join(', ').slice(0, 120));
}

function barOf(
  where: string,
  field: (name: FieldName) => unknown,
  { name, unit, beside }: VolumeColumn,
  valueOf: (name: string) => unknown,
): BarRow {
  const volume = valueOf(name);
  const open = positive(where, 'open', field('open'));
  const high = positive(where, 'high', field('high'));
  const low = positive(where, 'low', field('low'));
  const close = positive(where, 'close', field('close'));
  if (low > Math.min(open, close) || high < Math.max(open, close)) {
    throw lineError(
      where,
      'open and close between low and high',
      `open ${open}, high ${high}, low ${low}, close ${close}`,
    );
  }
  const amount = typeof volume === 'string' ? numberIn(volume) : volume;
  if (typeof amount !== 'number' || !(amount >= 0) || !Number.isFinite(amount)) {
    throw lineError(where, 'volume as a number of at least 0', shown(volume));
  }
  if (beside !== undefined) demandTurnover(where, unit, { volume, turnover: valueOf(beside), low, high });
  const inBase = unit === 'base' ? amount : amount / ((high + low + close) / 3);
  return { time: barTime(where, field('time')), open, high, low, close, volume: inBase };
}

/** Open time in whole ms since 1970. Takes a number in ms, µs, ns or s, or UTC text such as 2022-01-01T00:00:00Z. */
function barTime(where: string, value: unknown): number {
  const time = withoutNanoseconds(value);
  const number = typeof time === 'string' ? wholeNumberIn(time) : time;
  const iso = typeof time === 'string' ? msOfIso(time) : undefined;
  const ms = iso ?? (typeof number === 'number' ? (msOf(number) ?? number * 1_000) : Number.NaN);
  if (Number.isInteger(ms) && isLikelyTime(ms)) return ms;
  throw lineError(
    where,
    'time in ms, µs, ns or s since 1970, from 2000 to 2099, or like 2022-01-01T00:00:00Z',
    shownCut(value),
  );
}

/** A column name without blanks, quotes and capitals, which differ from dump to dump. */
function bareName(name: string): string {
  return name
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .toLowerCase();
}
