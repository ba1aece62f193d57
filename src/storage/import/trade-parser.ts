import type { Trade } from '../../model/trade.js';
import { type ColumnsByNumber, headerNames, missingHeader, splitCsv, underAssumed } from './csv-line.js';
import { isCutId, shownCut, wholeNumberIn } from './cut-digits.js';
import { objectOfLine } from './json-line.js';
import { lineError, shown } from './line-error.js';
import { exactField, msOf, withoutNanoseconds } from './line-time.js';
import { numberIn } from './number-in.js';
import { OtherPair } from './other-pair.js';

/** Parses one line; `where` (`file:line`) appears in the errors that it throws. */
export type ParseLine = (where: string, line: string) => Trade | OtherPair;

/**
 * Names of each field: that of the specification's public trade first, then those of public dumps. Other fields are
 * ignored.
 */
const NAMES = {
  id: ['id', 'trade_id', 'agg_trade_id'],
  time: ['time', 'transact_time', 'timestamp'],
  price: ['price'],
  // Dumps of coin-margined markets count contracts in `qty` and base units in `base_qty`, so `base_qty` is preferred.
  qty: ['base_qty', 'qty', 'quantity'],
  is_buyer_maker: ['is_buyer_maker', 'isBuyerMaker'],
} as const;

type FieldName = keyof typeof NAMES;
const FIELD_NAMES = Object.keys(NAMES) as FieldName[];

/** No venue has longer ids; a longer value comes from another column. */
const MOST_ID_LENGTH = 128;

/** The header line that public dumps of trades leave out, by their number of columns. */
const DUMP_COLUMNS: ColumnsByNumber = {
  6: 'id,price,qty,quote_qty,time,is_buyer_maker',
  7: 'id,price,qty,quote_qty,time,is_buyer_maker,is_best_match',
};

/** A parser of the lines of one file. `headed`: the first line was a header, and so holds no trade. */
export interface TradeParser {
  readonly parse: ParseLine;
  readonly headed: boolean;
}

/** `first`: the first line of the file. `pair`: the one that is imported. */
export function tradeParser(where: string, first: string, pair: string): TradeParser {
  if (first.startsWith('{')) return { parse: jsonParser(pair), headed: false };
  const header = missingHeader(first, DUMP_COLUMNS);
  if (header === undefined) return { parse: csvParser(where, first, pair), headed: true };
  demandQuoteQuantity(where, first);
  return { parse: underAssumed(header, where, csvParser(where, header, pair)), headed: false };
}

/** Tolerance of the turnover, as a share of price × quantity: it is rounded, and the price may be a mean. */
const ROUNDED = 0.01;

/**
 * Refuses a dump without a header whose fourth column is not price × quantity. Such a dump probably counts contracts,
 * and its quantities would be imported as base units.
 */
function demandQuoteQuantity(where: string, line: string): void {
  const [price = Number.NaN, quantity = Number.NaN, turnover = Number.NaN] = splitCsv(where, line)
    .slice(1, 4)
    .map(Number);
  const product = price * quantity;
  if (!(Math.abs(turnover - product) > ROUNDED * product + 1e-8)) return;
  throw lineError(
    where,
    'price × quantity in its fourth column, or a header above it that names its columns',
    `${turnover} beside a price of ${price} and a quantity of ${quantity}`,
  );
}

/** Makes a parser of comma-separated lines under the given header line. */
function csvParser(where: string, header: string, wanted: string): ParseLine {
  const names = headerNames(where, header);
  const columns = new Map<FieldName, number>();
  const missing: string[] = [];
  for (const field of FIELD_NAMES) {
    const named = NAMES[field].find((one) => names.includes(one.toLowerCase()));
    const column = named === undefined ? -1 : names.indexOf(named.toLowerCase());
    if (column < 0) missing.push(NAMES[field].join(' or '));
    else columns.set(field, column);
  }
  if (missing.length > 0) {
    throw lineError(
      where,
      `a header with the columns ${FIELD_NAMES.join(', ')}`,
      `${header.slice(0, 120)} (no ${missing.join(', ')})`,
    );
  }
  const [id, time, price, qty, isBuyerMaker] = (
    ['id', 'time', 'price', 'qty', 'is_buyer_maker'] as const
  ).map((field) => columns.get(field) as number) as [number, number, number, number, number];
  const pair = names.indexOf('pair');
  return (at, line) => {
    const cells = splitCsv(at, line);
    if (cells.length !== names.length)
      throw lineError(at, `${names.length} fields`, `${cells.length}: ${line.slice(0, 120)}`);
    const own = pair < 0 ? undefined : cells[pair];
    if (own !== undefined && own !== wanted) return new OtherPair(own);
    return {
      id: idOf(at, cells[id]),
      time: timeOf(at, cells[time]),
      price: positive(at, 'price', cells[price]),
      quantity: positive(at, 'qty', cells[qty]),
      isBuyerMaker: flagOf(at, cells[isBuyerMaker]),
    };
  };
}

/** Makes a parser of lines of NDJSON: objects with the specification's fields. */
const jsonParser =
  (wanted: string): ParseLine =>
  (where, line) => {
    const fields = objectOfLine(where, line);
    const pair = Object.hasOwn(fields, 'pair') ? fields['pair'] : undefined;
    if (typeof pair === 'string' && pair !== wanted) return new OtherPair(pair);
    const find = (field: FieldName): unknown => {
      const name = NAMES[field].find((candidate) => Object.hasOwn(fields, candidate));
      if (name === undefined)
        throw lineError(where, `an object with ${NAMES[field].join(' or ')}`, line.slice(0, 120));
      return exactField(line, name, fields[name]);
    };
    return {
      id: idOf(where, find('id')),
      time: timeOf(where, find('time')),
      price: positive(where, 'price', find('price')),
      quantity: positive(where, 'qty', find('qty')),
      isBuyerMaker: flagOf(where, find('is_buyer_maker')),
    };
  };

function idOf(where: string, value: unknown): string {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof id !== 'string' || id === '' || id.length > MOST_ID_LENGTH || isCutId(id)) {
    throw lineError(
      where,
      `id as a whole number or as text of 1 to ${MOST_ID_LENGTH} characters`,
      shownCut(value),
    );
  }
  return id;
}

/** Time in whole ms. Accepts ns, and µs, which some dumps have used since 2025; rounds both down. */
function timeOf(where: string, value: unknown): number {
  const time = withoutNanoseconds(value);
  const number = typeof time === 'string' ? wholeNumberIn(time) : time;
  const ms = typeof number === 'number' ? msOf(number) : undefined;
  if (ms !== undefined) return ms;
  throw lineError(where, 'time in whole ms, µs or ns since 1970, from 2000 to 2099', shownCut(value));
}

export function positive(where: string, name: string, value: unknown): number {
  const number = typeof value === 'string' ? numberIn(value) : value;
  if (typeof number !== 'number' || !(number > 0) || !Number.isFinite(number)) {
    throw lineError(where, `${name} as a number above 0`, shown(value));
  }
  return number;
}

function flagOf(where: string, value: unknown): boolean {
  switch (value) {
    case true:
    case 'true':
    case 'True':
    case 'TRUE':
    case '1':
      return true;
    case false:
    case 'false':
    case 'False':
    case 'FALSE':
    case '0':
      return false;
    default:
      throw lineError(where, 'is_buyer_maker as true or false', shown(value));
  }
}
