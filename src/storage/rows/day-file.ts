import { UsageError } from '../../model/errors.js';
import type { AppendFile, Files } from '../../ports/files.js';
import { ArrowTradeStream, MOST_TORN_BYTES } from './arrow-stream.js';
import { BATCH_ROWS, batchMessage, END_MARK, schemaMessage } from './arrow-batch.js';
import { DAY_MS } from './day.js';
import { TradeColumns } from './trade-columns.js';
import type { TradeIdentity } from './trade-identity.js';

/** The last row of a file, kept to compare the next one with. */
export type LastRow = TradeColumns;

const WELL_FILLED_ROWS = 512;

/** A day file that is open for appending. Rows must follow each other by (time, id): the caller sees to it. */
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
   * Opens or begins a day. What a crash left behind the last whole batch is cut off, and so is an end mark, because
   * a batch behind it would be invisible.
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
   * In many batches for its size, as a recorder that saves every few seconds leaves it. A batch costs some 500 bytes
   * besides its rows: one a trade where they have so many rows.
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

/** A whole day in memory, but for what a crash tore. @throws UsageError when it is damaged: what is read would be its end. */
export async function readDay(files: Files, path: string): Promise<TradeColumns> {
  const stream = new ArrowTradeStream(await files.openRead(path), path);
  const columns = new TradeColumns(BATCH_ROWS);
  try {
    for (let batch = await stream.next(); batch !== undefined; batch = await stream.next()) {
      batch.copyTo(columns, 0, batch.rows);
    }
    if (stream.rest?.kind === 'damaged') throw damaged(path, stream.rest.at);
    return columns;
  } finally {
    await stream.close();
  }
}

/** Replaces a day in one step, in full batches. */
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
 * Two sorted sets of rows as one; `fresh` are the added rows that were not there already, `repeated` the numbers of the
 * others. `where`: of the old ones, for `identity` to name.
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

/** The added rows, each trade once, without those that are in `old`. */
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
 * How far the file is whole. After a power loss a file may have its full length with zeros in it: such rows are not of
 * this day, so they are found out too.
 */
async function survey(files: Files, path: string, pair: string, day: number): Promise<Survey> {
  const stream = new ArrowTradeStream(await files.openRead(path), path);
  const columns = new TradeColumns(BATCH_ROWS);
  let last: LastRow | undefined;
  let rows = 0;
  let batches = 0;
  let goodBytes = 0;
  try {
    for (let batch = await stream.next(); batch !== undefined; batch = await stream.next()) {
      columns.clear();
      batch.copyTo(columns, 0, batch.rows);
      if (!ofDay(columns, day)) break;
      goodBytes = batch.end;
      batches += 1;
      rows += batch.rows;
      if (batch.rows > 0) {
        last = new TradeColumns(1);
        last.append(columns, batch.rows - 1, batch.rows);
      }
    }
    if (stream.pair !== undefined && stream.pair !== pair) {
      throw recordingError(path, `must hold trades of ${pair}`, stream.pair);
    }
    goodBytes = Math.max(goodBytes, stream.schemaBytes);
    // Cutting off more than a torn batch can be would destroy what may be repaired, and so would all without a head.
    const isDamaged = goodBytes === 0 && stream.rest?.kind === 'damaged';
    if (isDamaged || stream.size - goodBytes > MOST_TORN_BYTES) throw damaged(path, goodBytes);
    return { goodBytes, rows, batches, last };
  } finally {
    await stream.close();
  }
}

function damaged(path: string, at: number): UsageError {
  return recordingError(
    path,
    'must be whole but for its last batch',
    `damage from byte ${at} on (moved elsewhere, it is in nobody's way: tickwright data check names all such files)`,
  );
}

function recordingError(path: string, must: string, received: string): UsageError {
  return new UsageError('TICKWRIGHT_E_RECORDING', `${path} ${must}, received ${received}`, {
    facts: { path },
  });
}

function ofDay(columns: TradeColumns, day: number): boolean {
  for (let row = 0; row < columns.count; row++) {
    const time = columns.time[row] as number;
    if (time < day * DAY_MS || time >= (day + 1) * DAY_MS) return false;
  }
  return true;
}
