import type { BarRow } from '../rows/bar-columns.js';
import { demandTurnover } from './bar-turnover.js';
import { type ColumnsByNumber, headerNames, missingHeader, splitCsv, underAssumed } from './csv-line.js';
import { shownCut, wholeNumberIn } from './cut-digits.js';
import { objectOfLine } from './json-line.js';
import { lineError, shown } from './line-error.js';
import { exactField, isLikelyTime, msOf, msOfIso, withoutNanoseconds } from './line-time.js';
import { numberIn } from './number-in.js';
import { positive } from './trade-parser.js';

/** What the column `volume` of a file counts: base units, or the quote asset. */
export type VolumeUnit = 'base' | 'quote';

/** A parser of lines, and in which units the volumes of its file are. */
export interface BarParser {
  readonly parse: (where: string, line: string) => BarRow;
  readonly volume: VolumeUnit;
  /** The first line was the header: no bar stands in it. */
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

/** Public dumps of bars without a header line. */
const DUMP_COLUMNS: ColumnsByNumber = {
  12: 'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_base,taker_quote,ignore',
};

/** The first line of a file is that of bars, not of trades. */
export function isBarLine(line: string): boolean {
  if (line.startsWith('{')) return /"open"\s*:/.test(line) && /"close"\s*:/.test(line);
  if (missingHeader(line, DUMP_COLUMNS) !== undefined) return true;
  const names = line.split(',').map(bareName);
  return (['open', 'high', 'low', 'close'] as const).every((name) => names.includes(name));
}

/** `unit`: what the column `volume` counts; a column that says so in its name does not ask. */
export function barParser(where: string, first: string, unit: VolumeUnit | undefined): BarParser {
  if (first.startsWith('{')) return jsonParser(where, first, unit);
  const missing = missingHeader(first, DUMP_COLUMNS);
  const names = headerNames(where, missing ?? first);
  const columns = columnsOf(where, names, first);
  const volume = volumeOf(where, names, unit);
  const parse = (at: string, line: string): BarRow => {
    const cells = splitCsv(at, line);
    if (cells.length !== names.length)
      throw lineError(at, `${names.length} fields`, `${cells.length}: ${line.slice(0, 120)}`);
    const cell = (field: FieldName) => cells[columns.get(field) as number];
    return barOf(at, cell, volume, (name) => cells[names.indexOf(name)]);
  };
  return {
    headed: missing === undefined,
    volume: volume.unit,
    parse: missing === undefined ? parse : underAssumed(missing, where, parse),
  };
}

function jsonParser(where: string, first: string, unit: VolumeUnit | undefined): BarParser {
  const names = Object.keys(objectOfLine(where, first));
  columnsOf(where, names, first);
  const volume = volumeOf(where, names, unit);
  return {
    headed: false,
    volume: volume.unit,
    parse(at, line) {
      const object = objectOfLine(at, line);
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

/** The column that the volume is taken from; `beside`: the one that must agree with it. */
interface VolumeColumn {
  readonly name: string;
  readonly unit: VolumeUnit;
  readonly beside?: string | undefined;
}

function volumeOf(where: string, names: readonly string[], unit: VolumeUnit | undefined): VolumeColumn {
  const find = (candidates: readonly string[]) => names.find((name) => candidates.includes(name));
  const base = find(BASE_NAMES);
  const quote = find(QUOTE_NAMES);
  // A file that has both names the base volume `volume`.
  if (names.includes('volume')) return { name: 'volume', unit: unit ?? 'base', beside: quote };
  if (base !== undefined && unit !== 'quote') return { name: base, unit: 'base' };
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

/** Whole ms: of ms, µs, ns or s since 1970, or of UTC as text. */
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

/** Of a column: capitals are a matter of taste. */
function bareName(name: string): string {
  return name
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .toLowerCase();
}
