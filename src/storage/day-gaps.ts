import { dirname } from 'node:path';
import type { TradeGap } from '../model/trade.js';
import type { Files } from '../ports/files.js';
import { ArrowTradeStream } from './arrow-stream.js';
import type { BarColumns } from './bar-columns.js';
import { readBarDay } from './bar-file.js';
import type { RecordedDay } from './day-reader.js';
import { TradeColumns } from './trade-columns.js';

/** A file so small may be one that was begun, and nothing more; bytes. */
const SMALL_BYTES = 65_536;
/** Rows at an end of a day that are looked at, and how many of their steps are 1 where ids are contiguous. */
const END_ROWS = 11;
const CONTIGUOUS_SHARE = 0.9;
/** Ids of so many digits are exact as doubles. */
const NUMBER = /^\d{1,15}$/;

/**
 * What is missing between day files of trades that nobody has watched the change of: those with a day between them that
 * is not there, and those of two folders. Where ids are numbers, and the first of the one is the next after the last of
 * the other, nothing is. Between adjacent days only ids that are contiguous on both sides tell of a gap. A
 * day of which nothing can be read is one that is not there.
 */
export async function gapsBetweenDays(
  files: Files,
  days: readonly RecordedDay[],
): Promise<readonly TradeGap[]> {
  const gaps: TradeGap[] = [];
  const there: RecordedDay[] = [];
  for (const day of days) if (await hasRows(files, day)) there.push(day);
  for (const [before, after] of unwatched(there)) {
    const [last, first] = [await lastRows(files, before.path), await firstRows(files, after.path)];
    if (last.count === 0 || first.count === 0) continue;
    const from = last.time[last.count - 1] as number;
    const to = first.time[0] as number;
    const step = numberOf(first.id(0)) - numberOf(last.id(last.count - 1));
    if (step === 1 || to <= from) continue;
    const isCounted = step > 1 && isContiguous(last) && isContiguous(first);
    if (isCounted || after.day - before.day > 1)
      gaps.push({ from, to, missing: isCounted ? step - 1 : undefined });
  }
  return gaps;
}

/** The same of bars, whose times tell all: from the end of one to the opening of the next. */
export async function gapsBetweenBarDays(
  files: Files,
  days: readonly RecordedDay[],
  format: { readonly pair: string; readonly barMs: number },
): Promise<readonly TradeGap[]> {
  const gaps: TradeGap[] = [];
  for (const [before, after] of unwatched(days)) {
    const [last, first]: readonly BarColumns[] = [
      await readBarDay(files, before.path, format),
      await readBarDay(files, after.path, format),
    ];
    const from = last?.end[last.count - 1];
    const to = first?.time[0];
    if (from !== undefined && to !== undefined && to > from) gaps.push({ from, to, missing: undefined });
  }
  return gaps;
}

/** Those that no recorded gap covers. */
export function untold(gaps: readonly TradeGap[], recorded: readonly TradeGap[]): readonly TradeGap[] {
  return gaps.filter(({ from, to }) => !recorded.some((gap) => gap.from <= from && gap.to >= to));
}

/** Files that follow each other, and of whose change no recorder has written. */
function unwatched(days: readonly RecordedDay[]): readonly (readonly [RecordedDay, RecordedDay])[] {
  return days.slice(1).flatMap((after, i) => {
    const before = days[i] as RecordedDay;
    const isWatched = after.day - before.day === 1 && dirname(after.path) === dirname(before.path);
    return isWatched ? [] : [[before, after] as const];
  });
}

/** A larger file that begins as a stream does has some. */
async function hasRows(files: Files, { path, bytes }: RecordedDay): Promise<boolean> {
  if (bytes <= SMALL_BYTES) return (await firstRows(files, path)).count > 0;
  const file = await files.openRead(path);
  try {
    const mark = new Uint8Array(4);
    await file.readInto(mark, 0);
    return mark.every((byte) => byte === 0xff);
  } finally {
    await file.close();
  }
}

async function firstRows(files: Files, path: string): Promise<TradeColumns> {
  const rows = new TradeColumns(END_ROWS);
  const stream = new ArrowTradeStream(await files.openRead(path), path);
  try {
    while (rows.count < END_ROWS) {
      const batch = await stream.next();
      if (batch === undefined) break;
      batch.copyTo(rows, 0, Math.min(batch.rows, END_ROWS - rows.count));
    }
    return rows;
  } finally {
    await stream.close();
  }
}

async function lastRows(files: Files, path: string): Promise<TradeColumns> {
  let rows = new TradeColumns(END_ROWS);
  const stream = new ArrowTradeStream(await files.openRead(path), path);
  try {
    for (let batch = await stream.next(); batch !== undefined; batch = await stream.next()) {
      const own = Math.min(batch.rows, END_ROWS);
      const kept = new TradeColumns(END_ROWS);
      kept.append(rows, Math.max(0, rows.count - (END_ROWS - own)), rows.count);
      batch.copyTo(kept, batch.rows - own, batch.rows);
      rows = kept;
    }
    return rows;
  } finally {
    await stream.close();
  }
}

function isContiguous(rows: TradeColumns): boolean {
  const steps = rows.count - 1;
  let units = 0;
  for (let row = 1; row < rows.count; row++) {
    if (numberOf(rows.id(row)) - numberOf(rows.id(row - 1)) === 1) units++;
  }
  return steps > 0 && units >= steps * CONTIGUOUS_SHARE;
}

/** NaN for an id that is none. */
function numberOf(id: string): number {
  return NUMBER.test(id) ? Number(id) : Number.NaN;
}
