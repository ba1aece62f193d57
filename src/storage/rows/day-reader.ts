import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { BATCH_ROWS } from './arrow-batch.js';
import { ArrowTradeStream, DamagedRecording, type RawBatch, type StreamRest } from './arrow-stream.js';
import { hasLostEnd, isLeftTorn } from './end-mark.js';
import { firstAtOrAfter } from './recording-writer.js';
import { TradeColumns } from './trade-columns.js';

/** What the rows of a recording are. */
export type RecordingKind = 'trades' | 'bars';

export interface RecordedDay {
  readonly day: number;
  readonly kind: RecordingKind;
  readonly path: string;
  readonly bytes: number;
}

export interface ChunkRange {
  /** ms, inclusive. */
  readonly from: number;
  /** ms, exclusive. */
  readonly to: number;
  readonly faults: 'refuse' | 'tell';
  /** Called for each file of which a part cannot be read, after everything before that part was read. */
  readonly onRest?: ((path: string, rest: StreamRest) => void) | undefined;
}

const UNORDERED = 'data export reads it all the same, and data import sorts what it wrote';

export const EVERYTHING: ChunkRange = { from: -Infinity, to: Infinity, faults: 'tell' };

/**
 * Rows of several day files, one file after the other, in full chunks. The same buffer is used for all chunks. With
 * `faults: 'tell'`, unordered rows are yielded as they stand and `onRest` is told of damage, for callers that count or
 * repair it; otherwise both are errors.
 *
 * @throws DamagedRecording when a file is damaged and there is no `onRest` to tell
 */
export async function* readChunks(
  files: Files,
  days: readonly RecordedDay[],
  range: ChunkRange,
): AsyncGenerator<TradeColumns, void, undefined> {
  const whole = range.from === -Infinity && range.to === Infinity;
  const chunk = new TradeColumns(BATCH_ROWS);
  const trimmed = new TradeColumns(whole ? 0 : BATCH_ROWS);
  /** Most batches are full; they are yielded as views of the reader's window, without a copy. */
  const seen = new TradeColumns(0);
  const times = new Float64Array(BATCH_ROWS);
  const flags = new Uint8Array(BATCH_ROWS);
  let last = -Infinity;
  for (const { path, kind, day } of days) {
    if (kind !== 'trades') continue;
    const stream = new ArrowTradeStream(await files.openRead(path), path);
    let rows = 0;
    try {
      for (let batch = await stream.next(); batch !== undefined; batch = await stream.next()) {
        const rowsAbove = rows;
        rows += batch.rows;
        if (range.faults === 'refuse' && liesOutside(batch, range)) {
          // No row of this batch was asked for; only its place in the order of time is checked.
          last = checkBatch(batch, last, path);
          continue;
        }
        const demandTrades = (areOrdered: boolean) => batch.demandTrades({ day, rowsAbove, areOrdered });
        demandTrades(range.faults === 'refuse');
        const demandOrder = (rows: TradeColumns, start: number) => {
          if (range.faults === 'tell') return;
          const order = { start, last, path, onFault: () => demandTrades(false) };
          last = checkOrder(rows, order);
        };
        if (batch.rows === BATCH_ROWS) {
          yield* trim(chunk);
          chunk.clear();
          batch.showIn(seen, times, flags);
          demandOrder(seen, 0);
          yield* trim(seen);
          continue;
        }
        for (let row = 0; row < batch.rows; ) {
          const end = Math.min(batch.rows, row + BATCH_ROWS - chunk.count);
          const start = chunk.count;
          batch.copyTo(chunk, row, end);
          row = end;
          demandOrder(chunk, start);
          if (chunk.count < BATCH_ROWS) continue;
          yield* trim(chunk);
          chunk.clear();
        }
      }
      if (range.onRest === undefined) continue;
      const rest = await stream.rest();
      if (rest === undefined) {
        if (!stream.ended && rows > 0 && (await hasLostEnd(files, path, day)))
          range.onRest(path, { kind: 'damaged', at: stream.size, bytes: 0, why: unended(path) });
        continue;
      }
      // No writer is at work on a day that has a later one. And if no row of a day is left, the caller has lost the day,
      // even though a writer would treat the rest as a torn tail.
      const isLost =
        rest.kind === 'torn' && (rows === 0 || (await isLeftTorn(files, { path, day }, stream.size)));
      range.onRest(path, isLost ? { ...rest, kind: 'damaged' } : rest);
    } catch (error) {
      if (!(error instanceof DamagedRecording && range.faults === 'tell' && range.onRest)) throw error;
      range.onRest(path, error.rest);
    } finally {
      await stream.close();
    }
  }
  yield* trim(chunk);

  function* trim(rows: TradeColumns): Generator<TradeColumns> {
    if (rows.count === 0) return;
    if (whole) {
      yield rows;
      return;
    }
    if (range.faults === 'tell') {
      trimmed.clear();
      appendWithin(trimmed, rows, range);
      if (trimmed.count > 0) yield trimmed;
      return;
    }
    const start = firstAtOrAfter(rows, range.from, 0, rows.count);
    const end = firstAtOrAfter(rows, range.to, start, rows.count);
    if (start === end) return;
    if (start === 0 && end === rows.count) {
      yield rows;
      return;
    }
    trimmed.clear();
    trimmed.append(rows, start, end);
    yield trimmed;
  }
}

/** Appends the rows with a time in [from, to); they may be unordered. */
function appendWithin(target: TradeColumns, rows: TradeColumns, { from, to }: ChunkRange): void {
  const isWithin = (row: number) => (rows.time[row] as number) >= from && (rows.time[row] as number) < to;
  for (let row = 0; row < rows.count; row++) {
    const start = row;
    while (row < rows.count && isWithin(row)) row++;
    if (row > start) target.append(rows, start, row);
  }
}

function unended(path: string): string {
  return `${path} must have an end mark, as each day before another one, received none: its last batches may be lost`;
}

function liesOutside({ firstTime, lastTime }: RawBatch, { from, to }: ChunkRange): boolean {
  return firstTime !== undefined && lastTime !== undefined && (lastTime < from || firstTime >= to);
}

function checkBatch({ firstTime = 0, lastTime = 0 }: RawBatch, last: number, path: string): number {
  if (firstTime >= last && lastTime >= firstTime) return lastTime;
  throw usage(
    `${path}: trades must be in order of time, received a batch from ${firstTime} to ${lastTime} after one at ${last} (${UNORDERED})`,
  );
}

interface OrderCheck {
  readonly start: number;
  readonly last: number;
  readonly path: string;
  /** Throws when times are damaged, which sorting cannot repair. */
  readonly onFault: () => void;
}

function checkOrder(chunk: TradeColumns, { start, last, path, onFault }: OrderCheck): number {
  const { time, count } = chunk;
  let newest = last;
  for (let row = start; row < count; row++) {
    const at = time[row] as number;
    if (at < newest) {
      onFault();
      throw usage(
        `${path}: trades must be in order of time, received trade ${chunk.id(row)} at ${at} after one at ${newest} (${UNORDERED})`,
      );
    }
    newest = at;
  }
  return newest;
}

function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_RECORDING', message);
}
