import type { Files } from '../../ports/files.js';
import { END_MARK } from '../rows/arrow-batch.js';
import { DamagedRecording, MOST_TORN_BYTES, type StreamRest } from '../rows/arrow-stream.js';
import type { ChunkRange } from '../rows/day-reader.js';
import type { FactTableFormat } from './fact-table.js';
import { readTable, type TableEnd, tableEnd } from '../rows/table-reader.js';

export interface FactDayOptions {
  /** A writer may be at work on it. */
  readonly isNewest: boolean;
  /** Hears of what cannot be read of it. */
  readonly onRest?: ChunkRange['onRest'];
}

/** The rows of a day, as they were appended, a batch in memory at a time. */
export async function* readFactDay<Row>(
  files: Files,
  path: string,
  format: FactTableFormat<Row>,
  { isNewest, onRest }: FactDayOptions = { isNewest: true },
): AsyncGenerator<Row[], void, undefined> {
  const file = await files.openRead(path);
  try {
    const batches = readTable(format.table, path, file);
    for (;;) {
      const next = await batches.next();
      if (next.done === true) {
        const rest = restOf(file.size, next.value, isNewest);
        if (rest !== undefined) onRest?.(path, rest);
        return;
      }
      yield format.rowsOf(next.value);
    }
  } finally {
    await file.close();
  }
}

/** @throws DamagedRecording at a time that is before the one above it: no writer of ours leaves such a day */
export async function* inOrderOfTime<Row>(
  files: Files,
  path: string,
  format: FactTableFormat<Row>,
  options: FactDayOptions,
): AsyncGenerator<Row[], void, undefined> {
  let newest = Number.NEGATIVE_INFINITY;
  for await (const rows of readFactDay(files, path, format, options)) {
    for (const row of rows) {
      const time = format.timeOf(row);
      if (!(time >= newest)) {
        const why = `${path} must hold times that ascend, received ${time} after ${newest}`;
        throw new DamagedRecording(path, why, { at: 0, bytes: (await files.stat(path))?.size ?? 0 });
      }
      newest = time;
    }
    yield rows;
  }
}

/** By the rules of the trades: torn is what a writer leaves that died or is at work, on the newest day. */
function restOf(size: number, { end, ended }: TableEnd, isNewest: boolean): StreamRest | undefined {
  const at = ended ? end + END_MARK.length : end;
  const rest = { at, bytes: size - at };
  if (rest.bytes <= 0 && end > 0) return undefined;
  const isTorn = isNewest && !ended && rest.bytes <= MOST_TORN_BYTES;
  return { kind: isTorn ? 'torn' : 'damaged', ...rest };
}

/** How far the file of a day is whole. */
export async function endOf(files: Files, path: string): Promise<TableEnd> {
  const file = await files.openRead(path);
  try {
    return await tableEnd(file);
  } finally {
    await file.close();
  }
}
