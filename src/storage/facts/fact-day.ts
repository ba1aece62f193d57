import type { Files } from '../../ports/files.js';
import { END_MARK } from '../rows/arrow-batch.js';
import { DamagedRecording, MOST_TORN_BYTES, type StreamRest } from '../rows/arrow-stream.js';
import type { ChunkRange } from '../rows/day-reader.js';
import type { FactTableFormat } from './fact-table.js';
import { readTable, type TableEnd, tableEnd } from '../rows/table-reader.js';

export interface FactDayOptions {
  /** Whether a writer may still be at work on the file, so that a torn tail is not damage. */
  readonly isNewest: boolean;
  /** Called once for the part of the file that cannot be read, if any. */
  readonly onRest?: ChunkRange['onRest'];
}

/** Reads the rows of a day in the order in which they were appended, with one batch in memory at a time. */
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

/**
 * Reads the rows of a day and checks that their times ascend.
 *
 * @throws DamagedRecording at a time before that of the preceding row, which no Tickwright writer leaves behind.
 */
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

/**
 * Classifies the unread rest of a file, by the rules of the trades. It is torn if it is short and at the end of the
 * newest day, where a writer died or is at work; else it is damaged. `undefined`: the whole file can be read.
 */
function restOf(size: number, { end, ended }: TableEnd, isNewest: boolean): StreamRest | undefined {
  const at = ended ? end + END_MARK.length : end;
  const rest = { at, bytes: size - at };
  if (rest.bytes <= 0 && end > 0) return undefined;
  const isTorn = isNewest && !ended && rest.bytes <= MOST_TORN_BYTES;
  return { kind: isTorn ? 'torn' : 'damaged', ...rest };
}

/** Up to which offset the file of a day can be read. */
export async function endOf(files: Files, path: string): Promise<TableEnd> {
  const file = await files.openRead(path);
  try {
    return await tableEnd(file);
  } finally {
    await file.close();
  }
}
