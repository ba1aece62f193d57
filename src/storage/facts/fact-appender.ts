import type { AppendFile, Files } from '../../ports/files.js';
import { END_MARK } from '../rows/arrow-batch.js';
import type { StreamRest } from '../rows/arrow-stream.js';
import { damagedDay } from '../rows/damaged-day.js';
import { dayOf } from '../rows/day.js';
import { readFactDay, soundEnd } from './fact-day.js';
import type { FactTableFormat } from './fact-table.js';
import { factPath } from '../rows/layout.js';

/**
 * Minimum number of values in a batch of a finished day: 16 384 tickers, or fewer order books the deeper they are. A
 * batch is larger than what a recorder collects between two flushes.
 */
const BATCH_NUMBERS = 163_840;

/**
 * Appends rows of one kind to the files of their days, in the way trades are stored. A day's file is a series of
 * batches without an end mark while the day lasts. A torn tail is cut at the next start. A finished day is rewritten in
 * full batches with the end mark.
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
   * Opens an appender and cuts what a crash left behind the newest rows. It looks at the newest day with rows, even if
   * that day is over: the first row of a later day then finishes it. `days`: the days with a file, ascending.
   *
   * @throws UsageError when such a day is damaged; it is left as it is.
   */
  static async open<Row>(
    files: Files,
    folder: string,
    format: FactTableFormat<Row>,
    days: readonly number[],
  ): Promise<FactAppender<Row>> {
    const appender = new FactAppender(files, folder, format);
    // A day may be left without rows if its whole file was torn; the newest row is then in a day before.
    for (const day of [...days].reverse()) {
      const path = factPath(folder, day, format.name);
      for await (const rows of readFactDay(files, path, format))
        appender.#newest = rows.at(-1) ?? appender.#newest;
      await appender.abandon();
      await appender.#dayFile(day);
      if (appender.#newest !== undefined) break;
    }
    return appender;
  }

  /** The newest row, whether written or waiting; `undefined` without any. */
  get newest(): Row | undefined {
    return this.#newest;
  }

  /** Number of rows that are not in a file yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes a row. Returns false and drops it if it is not newer than the last one, because it is then already known. */
  add(row: Row): boolean {
    const format = this.#format;
    if (this.#newest !== undefined && format.timeOf(row) <= format.timeOf(this.#newest)) return false;
    this.#newest = row;
    this.#waiting.push(row);
    return true;
  }

  /** Writes the waiting rows, and returns once they survive a power loss. Rows that cannot be written keep waiting. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const day = dayOf(this.#format.timeOf(this.#waiting[0] as Row));
      const { file } = await this.#dayFile(day);
      const batch = new RowBatch(this.#format);
      for (const row of this.#waiting) {
        if (dayOf(this.#format.timeOf(row)) !== day || batch.add(row)) break;
      }
      await file.append(batch.message());
      this.#waiting = this.#waiting.slice(batch.rows.length);
    }
    await this.#open?.file.sync();
  }

  /** Closes the file without writing the waiting rows. */
  async abandon(): Promise<void> {
    await this.#open?.file.close();
    this.#open = undefined;
  }

  async #dayFile(day: number) {
    if (this.#open?.day === day) return this.#open;
    await this.#finish();
    const path = factPath(this.#folder, day, this.#format.name);
    const size = (await this.#files.stat(path))?.size ?? 0;
    const end = size === 0 ? 0 : await soundEnd(this.#files, path, this.#format);
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

  /** Finishes the day of the open file: rewrites its many small batches as few large ones. */
  async #finish(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    const parts = [this.#format.table.schemaMessage()];
    let batch = new RowBatch(this.#format);
    const onRest = (path: string, { kind, at }: StreamRest) => {
      if (kind === 'damaged') throw damagedDay(path, at);
    };
    for await (const rows of readFactDay(this.#files, open.path, this.#format, { isNewest: true, onRest })) {
      for (const row of rows) {
        if (!batch.add(row)) continue;
        parts.push(batch.message());
        batch = new RowBatch(this.#format);
      }
    }
    if (batch.rows.length > 0) parts.push(batch.message());
    await this.#files.writeAtomic(open.path, Buffer.concat([...parts, END_MARK]));
    this.#open = undefined;
    await open.file.close();
  }
}

/** Collects rows until there are enough for a batch. */
class RowBatch<Row> {
  readonly rows: Row[] = [];
  readonly #format: FactTableFormat<Row>;
  #numbers = 0;

  constructor(format: FactTableFormat<Row>) {
    this.#format = format;
  }

  /** Adds a row. Returns true once there are enough rows for a batch. */
  add(row: Row): boolean {
    this.rows.push(row);
    this.#numbers += this.#format.numbersOf(row);
    return this.#numbers >= BATCH_NUMBERS;
  }

  message(): Uint8Array {
    return this.#format.table.batchMessage(this.#format.columnsOf(this.rows), this.rows.length);
  }
}
