import { UsageError } from '../../model/errors.js';
import type { AppendFile, Files } from '../../ports/files.js';
import { ArrowTradeStream, DamagedRecording, type RawBatch } from './arrow-stream.js';
import { BATCH_ROWS, batchMessage, END_MARK, schemaMessage } from './arrow-batch.js';
import { damagedDay } from './damaged-day.js';
import { dayOf } from './day.js';
import { TradeColumns } from './trade-columns.js';
import type { TradeIdentity } from './trade-identity.js';

/** The last row of a file, to which the next one is compared. */
export type LastRow = TradeColumns;

const WELL_FILLED_ROWS = 512;

/** A day file that is open for appending. The caller must append rows in the order (time, id). */
export class DayFile {
  readonly day: number;
  readonly path: string;
  readonly #pair: string;
  readonly #file: AppendFile;
  #batches: number;
  #rows: number;

  private constructor(pair: string, day: number, path: string, file: AppendFile, found: Survey) {
    this.#pair = pair;
    this.day = day;
    this.path = path;
    this.#file = file;
    this.#batches = found.batches;
    this.#rows = found.rows;
  }

  /**
   * Opens or begins a day. Cuts off what a crash left after the last complete batch, and also an end mark, because
   * readers ignore batches after it.
   */
  static async open(
    files: Files,
    path: string,
    pair: string,
    day: number,
  ): Promise<[DayFile, LastRow | undefined]> {
    const found = (await files.stat(path)) === undefined ? EMPTY : await survey(files, path, pair, day);
    const file = await files.openAppend(path);
    try {
      if (file.size() > found.goodBytes) await file.truncate(found.goodBytes);
      if (found.goodBytes === 0) await file.append(schemaMessage(pair));
    } catch (error) {
      await file.close();
      throw error;
    }
    return [new DayFile(pair, day, path, file, found), found.last];
  }

  /**
   * Whether the day has many small batches, as a recorder that saves every few seconds leaves them. A batch costs some
   * 500 bytes besides its rows; with 512 rows a batch, that is one byte a trade.
   */
  get isFragmented(): boolean {
    return this.#batches > 1 && this.#rows / this.#batches < WELL_FILLED_ROWS;
  }

  size(): number {
    return this.#file.size();
  }

  async append(columns: TradeColumns, from: number, to: number): Promise<void> {
    for (let start = from; start < to; start += BATCH_ROWS) {
      const end = Math.min(to, start + BATCH_ROWS);
      await this.#file.append(batchMessage(this.#pair, columns, start, end));
      this.#batches += 1;
      this.#rows += end - start;
    }
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** The day is over: adds the end mark. */
  async finish(): Promise<void> {
    await this.#file.append(END_MARK);
    await this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/**
 * Reads a whole day into memory, without a torn tail. @throws UsageError when it is damaged: writing back what was read
 * would lose the rest.
 */
export async function readDay(files: Files, path: string): Promise<TradeColumns> {
  const stream = new ArrowTradeStream(await files.openRead(path), path);
  const columns = new TradeColumns(BATCH_ROWS);
  try {
    for (let batch = await stream.next(); batch !== undefined; batch = await stream.next()) {
      batch.copyTo(columns, 0, batch.rows);
    }
    const rest = await stream.rest();
    if (rest?.kind === 'damaged') throw damagedDay(path, rest.at);
    return columns;
  } finally {
    await stream.close();
  }
}

/** Replaces a day atomically, in full batches. */
export async function replaceDay(
  files: Files,
  path: string,
  pair: string,
  columns: TradeColumns,
  options: { readonly finished: boolean },
): Promise<void> {
  const parts = [schemaMessage(pair)];
  for (let start = 0; start < columns.count; start += BATCH_ROWS) {
    parts.push(batchMessage(pair, columns, start, Math.min(columns.count, start + BATCH_ROWS)));
  }
  if (options.finished) parts.push(END_MARK);
  await files.writeAtomic(path, Buffer.concat(parts));
}

/**
 * Merges two sorted sets of rows. `fresh`: the added rows that are new; `repeated`: the row numbers of the others.
 * `where` names the place of the old rows in errors of `identity`.
 */
export function mergeRows(
  old: TradeColumns,
  added: TradeColumns,
  where: string,
  identity: TradeIdentity,
): { readonly rows: TradeColumns; readonly fresh: TradeColumns; readonly repeated: readonly number[] } {
  const { fresh, repeated } = withoutKnown(old, added, where, identity);
  const rows = new TradeColumns(old.count + fresh.count);
  let oldRow = 0;
  for (let row = 0; row < fresh.count; row++) {
    const from = oldRow;
    while (oldRow < old.count && old.compare(oldRow, fresh, row) < 0) oldRow++;
    if (oldRow > from) rows.append(old, from, oldRow);
    rows.append(fresh, row, row + 1);
  }
  rows.append(old, oldRow, old.count);
  return { rows, fresh, repeated };
}

/** The added rows without those that are in `old`, and each trade once. */
function withoutKnown(
  old: TradeColumns,
  added: TradeColumns,
  where: string,
  identity: TradeIdentity,
): { readonly fresh: TradeColumns; readonly repeated: readonly number[] } {
  const rowOfKey = new Map<string, number>();
  const dropped = new Uint8Array(added.count);
  const keyOf = (rows: TradeColumns, row: number) => identity.keyOf(rows.id(row), rows.time[row] as number);
  for (let row = 0; row < added.count; row++) {
    const key = keyOf(added, row);
    const twin = rowOfKey.get(key);
    if (twin === undefined) {
      rowOfKey.set(key, row);
    } else {
      if (!added.sameFacts(twin, added, row)) identity.differ(where, added.trade(twin), added.trade(row));
      dropped[row] = 1;
    }
  }
  for (let row = 0; row < old.count; row++) {
    const twin = rowOfKey.get(keyOf(old, row));
    if (twin === undefined) continue;
    if (!old.sameFacts(row, added, twin)) identity.differ(where, old.trade(row), added.trade(twin));
    dropped[twin] = 1;
  }
  const fresh = new TradeColumns(added.count);
  const repeated: number[] = [];
  for (let row = 0; row < added.count; row++) {
    if (dropped[row] === 0) fresh.append(added, row, row + 1);
    else repeated.push(row);
  }
  return { fresh, repeated };
}

interface Survey {
  readonly goodBytes: number;
  readonly rows: number;
  readonly batches: number;
  readonly last: LastRow | undefined;
}

const EMPTY: Survey = { goodBytes: 0, rows: 0, batches: 0, last: undefined };

/**
 * Finds out how far a file is complete. @throws UsageError when what follows is no torn tail but damage: cutting that off
 * would destroy data that could be repaired.
 */
async function survey(files: Files, path: string, pair: string, day: number): Promise<Survey> {
  const stream = new ArrowTradeStream(await files.openRead(path), path);
  let last: LastRow | undefined;
  let rows = 0;
  let batches = 0;
  let goodBytes = 0;
  let isCut = false;
  try {
    for (let batch = await nextSound(); batch !== undefined; batch = await nextSound()) {
      goodBytes = batch.end;
      batches += 1;
      rows += batch.rows;
      if (batch.rows > 0) {
        last = new TradeColumns(1);
        batch.copyTo(last, batch.rows - 1, batch.rows);
      }
    }
    if (stream.pair !== undefined && stream.pair !== pair) {
      const why = `${path} must hold trades of ${pair}, received ${stream.pair}`;
      throw new UsageError('TICKWRIGHT_E_RECORDING', why, { facts: { path } });
    }
    goodBytes = Math.max(goodBytes, stream.schemaBytes);
    const rest = isCut ? undefined : await stream.rest();
    if (rest?.kind === 'damaged' && (stream.ended || !(await stream.isHoled(rest.at))))
      throw damagedDay(path, rest.at);
    return { goodBytes, rows, batches, last };
  } finally {
    await stream.close();
  }

  /** The next batch; `undefined` at the end, and for one of which a power loss has left the length without all contents. */
  async function nextSound(): Promise<RawBatch | undefined> {
    let batch: RawBatch | undefined;
    try {
      batch = await stream.next();
      batch?.demandTrades({ day, rowsAbove: rows, areOrdered: false });
      // Zeros in the place of ids can be read, as others can not.
      isCut = batch !== undefined && (await stream.isHoled(batch.start, batch.end));
      return isCut ? undefined : batch;
    } catch (error) {
      if (!(error instanceof DamagedRecording) || stream.schemaBytes === 0) throw error;
      isCut = (await stream.isTorn(error.rest.at)) || (await stream.isHoled(error.rest.at));
      if (isCut) return undefined;
      // A price or quantity that cannot be is left to the certificate: nothing is cut off because of it.
      if (batch !== undefined && isOfDay(batch, day)) return batch;
      throw damagedDay(path, error.rest.at);
    }
  }
}

function isOfDay(batch: RawBatch, day: number): boolean {
  const columns = new TradeColumns(batch.rows);
  batch.copyTo(columns, 0, batch.rows);
  return columns.time.subarray(0, columns.count).every((time) => dayOf(time) === day);
}
