/** Bars as columns, like `TradeChunk`: rows 0 to count − 1 are valid, and the arrays may be reused for the next chunk. */
export interface BarColumns {
  readonly count: number;
  /** When the bar opens, ms since the epoch. */
  readonly time: Float64Array;
  /** Quote units, as printed. */
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** Base units. */
  readonly volume: Float64Array;
  /** When the bar ends, ms, exclusive. */
  readonly end: Float64Array;
}

/** One bar as a line of a file states it; volume in base units. */
export interface BarRow {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const BAR_PRICES = ['open', 'high', 'low', 'close', 'volume'] as const;

export function barColumns(rows: readonly BarRow[], barMs: number): BarColumns {
  const column = (name: keyof BarRow) => Float64Array.from(rows, (row) => row[name]);
  return {
    count: rows.length,
    time: column('time'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
    end: Float64Array.from(rows, ({ time }) => time + barMs),
  };
}

export function barRow(bars: BarColumns, row: number): BarRow {
  return {
    time: bars.time[row] as number,
    open: bars.open[row] as number,
    high: bars.high[row] as number,
    low: bars.low[row] as number,
    close: bars.close[row] as number,
    volume: bars.volume[row] as number,
  };
}

export function sameBar(a: BarRow, b: BarRow): boolean {
  return a.time === b.time && BAR_PRICES.every((name) => a[name] === b[name]);
}
