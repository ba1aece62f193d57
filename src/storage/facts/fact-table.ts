import type { Ticker } from '../../model/ticker.js';
import type { WorldFact } from '../../model/world-fact.js';
import { ArrowTable, type ColumnValues, type TableBatch, type TableColumn } from '../rows/arrow-table.js';

/** A ticker with the venue's next funding. */
export interface TickerRow {
  readonly ticker: Ticker;
  /**
   * The rate at which funding would be paid next, as a fraction of the notional; `undefined` if the venue did not state
   * it.
   */
  readonly fundingRate?: number | undefined;
  /** When funding is paid next, venue ms; `undefined` if the venue did not state it. */
  readonly nextFundingTime?: number | undefined;
}

export type DepthRow = Extract<WorldFact, { kind: 'depth' }>;

const TICKER_COLUMNS: readonly TableColumn[] = [
  { name: 'time', kind: 'time' },
  { name: 'last_price', kind: 'number', optional: true },
  { name: 'mark_price', kind: 'number', optional: true },
  { name: 'index_price', kind: 'number', optional: true },
  { name: 'bid_price', kind: 'number', optional: true },
  { name: 'bid_qty', kind: 'number', optional: true },
  { name: 'ask_price', kind: 'number', optional: true },
  { name: 'ask_qty', kind: 'number', optional: true },
  { name: 'funding_rate', kind: 'number', optional: true },
  { name: 'next_funding_time', kind: 'time', optional: true },
];

const DEPTH_COLUMNS: readonly TableColumn[] = [
  { name: 'time', kind: 'time' },
  { name: 'bid_price', kind: 'list' },
  { name: 'bid_qty', kind: 'list' },
  { name: 'ask_price', kind: 'list' },
  { name: 'ask_qty', kind: 'list' },
];

/** How rows of one kind are stored. */
export interface FactTableFormat<Row> {
  readonly name: 'ticker' | 'depth';
  readonly table: ArrowTable;
  readonly timeOf: (row: Row) => number;
  /** How many numbers a row holds, which bounds the size of a batch. */
  readonly numbersOf: (row: Row) => number;
  readonly columnsOf: (rows: readonly Row[]) => readonly ColumnValues[];
  readonly rowsOf: (batch: TableBatch) => Row[];
}

export function tickerTable(pair: string): FactTableFormat<TickerRow> {
  return {
    name: 'ticker',
    table: new ArrowTable('ticker', TICKER_COLUMNS, { pair }),
    timeOf: ({ ticker }) => ticker.time,
    numbersOf: () => TICKER_COLUMNS.length,
    columnsOf: (rows) => {
      const column = (of: (row: TickerRow) => number | undefined) =>
        Float64Array.from(rows, (row) => of(row) ?? Number.NaN);
      return [
        column(({ ticker }) => ticker.time),
        column(({ ticker }) => ticker.lastPrice),
        column(({ ticker }) => ticker.markPrice),
        column(({ ticker }) => ticker.indexPrice),
        column(({ ticker }) => ticker.bidPrice),
        column(({ ticker }) => ticker.bidQuantity),
        column(({ ticker }) => ticker.askPrice),
        column(({ ticker }) => ticker.askQuantity),
        column(({ fundingRate }) => fundingRate),
        column(({ nextFundingTime }) => nextFundingTime),
      ];
    },
    rowsOf: ({ rows, columns }) =>
      Array.from({ length: rows }, (_, row) => {
        const at = (index: number) => {
          const value = columns[index]?.[row] as number;
          return Number.isNaN(value) ? undefined : value;
        };
        return {
          ticker: {
            time: at(0) as number,
            lastPrice: at(1),
            markPrice: at(2),
            indexPrice: at(3),
            bidPrice: at(4),
            bidQuantity: at(5),
            askPrice: at(6),
            askQuantity: at(7),
          },
          fundingRate: at(8),
          nextFundingTime: at(9),
        };
      }),
  };
}

export function depthTable(pair: string): FactTableFormat<DepthRow> {
  const side = (rows: readonly DepthRow[], name: 'bids' | 'asks', part: 0 | 1) =>
    rows.map((row) => row[name].map((level) => level[part]));
  return {
    name: 'depth',
    table: new ArrowTable('depth', DEPTH_COLUMNS, { pair }),
    timeOf: ({ time }) => time,
    numbersOf: ({ bids, asks }) => 1 + 2 * (bids.length + asks.length),
    columnsOf: (rows) => [
      Float64Array.from(rows, ({ time }) => time),
      side(rows, 'bids', 0),
      side(rows, 'bids', 1),
      side(rows, 'asks', 0),
      side(rows, 'asks', 1),
    ],
    rowsOf: ({ rows, columns }) =>
      Array.from({ length: rows }, (_, row) => {
        const list = (index: number) => (columns[index]?.[row] ?? []) as readonly number[];
        const levels = (prices: readonly number[], quantities: readonly number[]) =>
          prices.map((price, level) => [price, quantities[level] ?? 0] as const);
        return {
          kind: 'depth',
          time: columns[0]?.[row] as number,
          bids: levels(list(1), list(2)),
          asks: levels(list(3), list(4)),
        };
      }),
  };
}
