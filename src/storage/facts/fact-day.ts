import type { Files, ReadableFile } from '../../ports/files.js';
import { END_MARK } from '../rows/arrow-batch.js';
import { DamagedRecording, type StreamRest } from '../rows/arrow-stream.js';
import { damagedDay } from '../rows/damaged-day.js';
import type { ArrowTable } from '../rows/arrow-table.js';
import type { ChunkRange } from '../rows/day-reader.js';
import type { FactTableFormat } from './fact-table.js';
import { readTable, type TableEnd, tableEnd } from '../rows/table-reader.js';
import { isHoled, isTornTail, lacksSectors, MOST_TORN_BYTES, readBetween } from '../rows/torn-tail.js';

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
    const batches = readTable(format.table, path, isNewest ? await withoutHoles(path, file, format) : file);
    for (;;) {
      const next = await batches.next();
      if (next.done === true) {
        const rest = await restOf(file, next.value, isNewest);
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

/** The times, which are the first column, are in the second of a table's buffers; other values may be 0. */
const SHAPE = { neverZero: 2 };
/** Of a batch that cannot be read. */
const UNREADABLE = { neverZero: Infinity };

/**
 * Classifies the unread rest of a file, by the rules of the trades. `canBeTorn`: no later day has been begun. `undefined`:
 * the whole file can be read.
 */
async function restOf(
  file: ReadableFile,
  { end, ended }: TableEnd,
  canBeTorn: boolean,
): Promise<StreamRest | undefined> {
  const at = ended ? end + END_MARK.length : end;
  const rest = { at, bytes: file.size - at };
  if (rest.bytes <= 0 && end > 0) return undefined;
  const isTorn = canBeTorn && !ended && (await isTornTail(file, at, UNREADABLE));
  return { kind: isTorn ? 'torn' : 'damaged', ...rest };
}

/** The file up to the first batch of which a power loss has left the length without all contents. */
async function withoutHoles<Row>(
  path: string,
  file: ReadableFile,
  { table }: FactTableFormat<Row>,
): Promise<ReadableFile> {
  const { starts, end, ended } = await tableEnd(file);
  if (ended) return file;
  const tailAt = Math.max(0, file.size - MOST_TORN_BYTES);
  const tail = await readBetween(file, tailAt, file.size);
  const hole = starts.find((start, index) => {
    // The first message is the schema.
    if (index === 0 || start < tailAt) return false;
    const rest = tail.subarray(start - tailAt);
    if (!lacksSectors(rest, start, UNREADABLE)) return false;
    const batch = rest.subarray(0, (starts[index + 1] ?? end) - start);
    const isReadable = canRead(table, path, Buffer.concat([table.schemaMessage(), batch]));
    return !isReadable || lacksSectors(rest, start, SHAPE);
  });
  if (hole === undefined) return file;
  return {
    size: hole,
    readInto: (target, offset) => file.readInto(target, offset),
    close: () => file.close(),
  };
}

function canRead(table: ArrowTable, path: string, bytes: Uint8Array): boolean {
  try {
    return [...table.read(path, bytes)].length > 0;
  } catch (error) {
    if (error instanceof DamagedRecording) return false;
    throw error;
  }
}

/**
 * How far the file of a day can be written on. @throws UsageError when what follows is no torn tail but damage: cutting
 * that off would destroy data that could be repaired.
 */
export async function soundEnd<Row>(
  files: Files,
  path: string,
  format: FactTableFormat<Row>,
): Promise<number> {
  const file = await files.openRead(path);
  try {
    const found = await tableEnd(await withoutHoles(path, file, format));
    const rest = await restOf(file, found, true);
    if (rest?.kind === 'damaged' && (found.ended || !(await isHoled(file, found.end, UNREADABLE))))
      throw damagedDay(path, rest.at);
    return found.end;
  } finally {
    await file.close();
  }
}
