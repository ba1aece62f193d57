import type { Files } from '../../ports/files.js';
import { UsageError } from '../../model/errors.js';
import { END_MARK } from './arrow-batch.js';
import type { StreamRest } from './arrow-stream.js';
import { ArrowTable, type TableColumn, wholeMessages } from './arrow-table.js';
import { type BarColumns, type BarRow, barColumns } from './bar-columns.js';

const COLUMNS: readonly TableColumn[] = [
  { name: 'open_time', kind: 'time' },
  { name: 'open', kind: 'number' },
  { name: 'high', kind: 'number' },
  { name: 'low', kind: 'number' },
  { name: 'close', kind: 'number' },
  { name: 'volume', kind: 'number' },
];

function tableOf(pair: string, barMs: number): ArrowTable {
  return new ArrowTable('bars', COLUMNS, { pair, barMs: String(barMs) });
}

/** Writes a day of bars, replacing the file. */
export async function writeBarDay(
  files: Files,
  path: string,
  { pair, barMs, rows }: { readonly pair: string; readonly barMs: number; readonly rows: readonly BarRow[] },
): Promise<void> {
  const table = tableOf(pair, barMs);
  const { time, open, high, low, close, volume } = barColumns(rows, barMs);
  const batch = table.batchMessage([time, open, high, low, close, volume], rows.length);
  await files.writeAtomic(path, Buffer.concat([table.schemaMessage(), batch, END_MARK]));
}

/** The length of the bars of a file, ms. */
export async function barLength(files: Files, path: string): Promise<number> {
  const text = ArrowTable.fact(path, await files.read(path), 'barMs');
  const barMs = Number(text);
  if (!Number.isSafeInteger(barMs) || barMs <= 0) {
    throw new UsageError(
      'TICKWRIGHT_E_RECORDING',
      `${path} must say how long its bars are (tickwright.barMs), received ${text ?? 'nothing'}`,
      { facts: { path } },
    );
  }
  return barMs;
}

export interface BarDay {
  readonly bars: BarColumns;
  /** What cannot be read of it. A day of bars is written in one piece, so a missing end mark always means damage. */
  readonly rest: StreamRest | undefined;
}

export async function readBarDay(
  files: Files,
  path: string,
  { pair, barMs }: { readonly pair: string; readonly barMs: number },
): Promise<BarDay> {
  const bytes = await files.read(path);
  const rows: BarColumns[] = [];
  for (const { columns, rows: count } of tableOf(pair, barMs).read(path, bytes)) {
    const [time, open, high, low, close, volume] = columns as readonly Float64Array[] as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    rows.push({ count, time, open, high, low, close, volume, end: time.map((at) => at + barMs) });
  }
  const [only] = rows;
  const { end, ended } = wholeMessages(bytes);
  const at = ended ? end + END_MARK.length : end;
  return {
    bars: rows.length === 1 && only !== undefined ? only : joined(rows),
    rest: ended && at === bytes.length ? undefined : { kind: 'damaged', at, bytes: bytes.length - at },
  };
}

/** Rows [from, to). */
export function barSlice(bars: BarColumns, from: number, to: number): BarColumns {
  return {
    count: to - from,
    time: bars.time.subarray(from, to),
    open: bars.open.subarray(from, to),
    high: bars.high.subarray(from, to),
    low: bars.low.subarray(from, to),
    close: bars.close.subarray(from, to),
    volume: bars.volume.subarray(from, to),
    end: bars.end.subarray(from, to),
  };
}

function joined(parts: readonly BarColumns[]): BarColumns {
  const column = (name: Exclude<keyof BarColumns, 'count'>) =>
    Float64Array.from(parts.flatMap((part) => Array.from(part[name].subarray(0, part.count))));
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    time: column('time'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
    end: column('end'),
  };
}
