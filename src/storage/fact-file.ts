import { UsageError } from '../model/errors.js';
import type { AppendFile, Files } from '../ports/files.js';
import { END_MARK } from './arrow-batch.js';
import type { StreamRest } from './arrow-stream.js';
import { wholeMessages } from './arrow-table.js';
import type { ChunkRange } from './day-reader.js';
import { dayOf } from './day.js';
import type { FactTableFormat } from './fact-table.js';
import { factPath } from './layout.js';

/** More rows than a recorder sees between two flushes; a batch of a finished day has at most as many. */
const BATCH_ROWS = 16_384;

/**
 * Appends rows of one kind to its day files, by the recipe of the trades: batches without an end mark while the day is
 * open, a torn tail cut at the next start, and a finished day rewritten in full batches with the end mark.
 */
export class FactAppender<Row> {
  readonly #files: Files;
  readonly #folder: string;
  readonly #format: FactTableFormat<Row>;
  #waiting: Row[] = [];
  #open: { readonly day: number; readonly path: string; readonly file: AppendFile } | undefined;
  #newest: Row | undefined;

  private constructor(files: Files, folder: string, format: FactTableFormat<Row>) {
    this.#files = files;
    this.#folder = folder;
    this.#format = format;
  }

  /**
   * Cuts what a crash left behind the newest rows, whatever day it is by now: the first row of a later day finishes
   * theirs. `days`: those that there is a file of, ascending.
   */
  static async open<Row>(
    files: Files,
    folder: string,
    format: FactTableFormat<Row>,
    days: readonly number[],
  ): Promise<FactAppender<Row>> {
    const appender = new FactAppender(files, folder, format);
    // A day without rows, as it is left where all of it was torn, does not tell what was taken last.
    for (const day of [...days].reverse()) {
      const path = factPath(folder, day, format.name);
      appender.#newest = (await readFactDay(files, path, format)).at(-1);
      if (isOurs(await files.read(path), format)) {
        await appender.abandon();
        await appender.#dayFile(day);
      }
      if (appender.#newest !== undefined) break;
    }
    return appender;
  }

  /** The newest row there is, in a file or not yet; `undefined` when there is none. */
  get newest(): Row | undefined {
    return this.#newest;
  }

  /** Rows that are not in a file yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes a row; one that is not newer than the last is known already, and is dropped: false. */
  add(row: Row): boolean {
    const format = this.#format;
    if (this.#newest !== undefined && format.timeOf(row) <= format.timeOf(this.#newest)) return false;
    this.#newest = row;
    this.#waiting.push(row);
    return true;
  }

  /** Writes what waits, and returns once it survives a power loss. Rows that could not be written wait on. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const day = dayOf(this.#format.timeOf(this.#waiting[0] as Row));
      const next = this.#waiting.findIndex((row) => dayOf(this.#format.timeOf(row)) !== day);
      const end = Math.min(next < 0 ? this.#waiting.length : next, BATCH_ROWS);
      const { file } = await this.#dayFile(day);
      const rows = this.#waiting.slice(0, end);
      await file.append(this.#format.table.batchMessage(this.#format.columnsOf(rows), rows.length));
      this.#waiting = this.#waiting.slice(end);
    }
    await this.#open?.file.sync();
  }

  /** Closes without writing what waits. */
  async abandon(): Promise<void> {
    await this.#open?.file.close();
    this.#open = undefined;
  }

  async #dayFile(day: number) {
    if (this.#open?.day === day) return this.#open;
    await this.#finish();
    const path = factPath(this.#folder, day, this.#format.name);
    const bytes =
      (await this.#files.stat(path)) === undefined ? new Uint8Array() : await this.#files.read(path);
    const { end } = wholeMessages(bytes);
    if (bytes.length - end > MOST_TORN_BYTES) {
      throw new UsageError(
        'TICKWRIGHT_E_RECORDING',
        `${path} must be whole but for its last batch, received garbage from byte ${end} on`,
        { facts: { path } },
      );
    }
    const file = await this.#files.openAppend(path);
    try {
      if (file.size() > end) await file.truncate(end);
      if (end === 0) await file.append(this.#format.table.schemaMessage());
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#open = { day, path, file };
    return this.#open;
  }

  /** The day is over: many small batches become few. */
  async #finish(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    const { table } = this.#format;
    const rows = await readFactDay(this.#files, open.path, this.#format);
    const parts = [table.schemaMessage()];
    for (let start = 0; start < rows.length; start += BATCH_ROWS) {
      const some = rows.slice(start, start + BATCH_ROWS);
      parts.push(table.batchMessage(this.#format.columnsOf(some), some.length));
    }
    await this.#files.writeAtomic(open.path, Buffer.concat([...parts, END_MARK]));
    this.#open = undefined;
    await open.file.close();
  }
}

/** Begins with our schema, or holds no more than a crash left of one: a file with other bytes may be worth a repair. */
function isOurs<Row>(bytes: Uint8Array, { table }: FactTableFormat<Row>): boolean {
  if (wholeMessages(bytes).end > 0) return true;
  const schema = table.schemaMessage();
  return bytes.every((byte, at) => byte === 0 || byte === schema[at]);
}

const MOST_TORN_BYTES = 16 * 1_024 * 1_024;

/** The rows of a day, as they were appended. `onRest`: of what cannot be read of it; `isNewest`: a writer may be at work. */
export async function readFactDay<Row>(
  files: Files,
  path: string,
  format: FactTableFormat<Row>,
  { isNewest, onRest }: { readonly isNewest: boolean; readonly onRest?: OnRest | undefined } = {
    isNewest: true,
  },
): Promise<Row[]> {
  const rows: Row[] = [];
  const bytes = await files.read(path);
  for (const batch of format.table.read(path, bytes)) rows.push(...format.rowsOf(batch));
  const rest = restOf(bytes, isNewest);
  if (rest !== undefined) onRest?.(path, rest);
  return rows;
}

/** By the rules of the trades: torn is what a writer leaves that died or is at work, on the newest day. */
function restOf(bytes: Uint8Array, isNewest: boolean): StreamRest | undefined {
  const { end, ended } = wholeMessages(bytes);
  const at = ended ? end + END_MARK.length : end;
  const rest = { at, bytes: bytes.length - at };
  if (rest.bytes <= 0 && end > 0) return undefined;
  const isTorn = isNewest && !ended && rest.bytes <= MOST_TORN_BYTES;
  return { kind: isTorn ? 'torn' : 'damaged', ...rest };
}

type OnRest = NonNullable<ChunkRange['onRest']>;
