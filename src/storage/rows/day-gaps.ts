import { dirname } from 'node:path';
import type { TradeGap } from '../../model/trade.js';
import type { Files } from '../../ports/files.js';
import { ArrowTradeStream } from './arrow-stream.js';
import { isWholeBarDay, readBarDay } from './bar-file.js';
import type { RecordedDay } from './day-reader.js';
import { TradeColumns } from './trade-columns.js';

/** Bytes read at once of a file of which only the heads of its batches are looked at. */
const HEAD_BYTES = 65_536;
/** Rows at an end of a day that are looked at, and how many of their steps are 1 where ids are contiguous. */
const END_ROWS = 11;
const CONTIGUOUS_SHARE = 0.9;
/** Ids of so many digits are exact as doubles. */
const NUMBER = /^\d{1,15}$/;

/** A day of which rows can be read. */
interface ReadableDay extends RecordedDay {
  /** Not all of it can be, or nothing of a damaged day behind it. */
  readonly isCut: boolean;
}

interface DaySurvey {
  /** No row of it can be read. */
  readonly isEmpty: boolean;
  readonly isCut: boolean;
}

/**
 * What is missing between day files of trades that nobody has watched the change of: those with a day between them that
 * is not there, those of two folders, and those of which the first has lost its end. Where ids are numbers, and the
 * first of the one is the next after the last of the other, nothing is. Between adjacent days of which all can be read
 * only ids that are contiguous on both sides tell of a gap. A day of which nothing can be read is one that is not there.
 * `next`: the day behind the last one, in which what that one has lost ends.
 */
export async function gapsBetweenDays(
  files: Files,
  days: readonly RecordedDay[],
  next?: RecordedDay,
): Promise<readonly TradeGap[]> {
  const gaps: TradeGap[] = [];
  const there = await readableDays(days, ({ path }) => survey(files, path));
  for (const [before, after] of withNext(there, next)) {
    const gap = await gapBetween(files, before, after);
    if (gap !== undefined) gaps.push(gap);
  }
  return gaps;
}

async function gapBetween(
  files: Files,
  before: ReadableDay,
  after: RecordedDay,
): Promise<TradeGap | undefined> {
  const [last, first] = [await lastRows(files, before.path), await firstRows(files, after.path)];
  if (last.count === 0 || first.count === 0) return undefined;
  const from = last.time[last.count - 1] as number;
  const to = first.time[0] as number;
  const step = numberOf(first.id(0)) - numberOf(last.id(last.count - 1));
  if (step === 1 || to <= from) return undefined;
  const isCounted = step > 1 && isContiguous(last) && isContiguous(first);
  if (isCounted) return { from, to, missing: step - 1 };
  return before.isCut || after.day - before.day > 1 ? { from, to, missing: undefined } : undefined;
}

/** The same of bars, whose times tell all: from the end of one to the opening of the next. */
export async function gapsBetweenBarDays(
  files: Files,
  days: readonly RecordedDay[],
  format: { readonly pair: string; readonly barMs: number },
  next?: RecordedDay,
): Promise<readonly TradeGap[]> {
  const gaps: TradeGap[] = [];
  const rowsOf = async ({ path }: RecordedDay) => (await readBarDay(files, path, format)).bars;
  const there = await readableDays(days, async (day) =>
    (await isWholeBarDay(files, day.path))
      ? { isEmpty: false, isCut: false }
      : { isEmpty: (await rowsOf(day)).count === 0, isCut: true },
  );
  for (const [before, after] of withNext(there, next)) {
    const [last, first] = [await rowsOf(before), await rowsOf(after)];
    const from = last.end[last.count - 1];
    const to = first.time[0];
    if (from !== undefined && to !== undefined && to > from) gaps.push({ from, to, missing: undefined });
  }
  return gaps;
}

/** Those that no recorded gap covers. */
export function untold(gaps: readonly TradeGap[], recorded: readonly TradeGap[]): readonly TradeGap[] {
  return gaps.filter(({ from, to }) => !recorded.some((gap) => gap.from <= from && gap.to >= to));
}

/** Files that follow each other, and of whose change no recorder has written, or one whose rows were lost since. */
function unwatched(days: readonly ReadableDay[]): (readonly [ReadableDay, RecordedDay])[] {
  return days.slice(1).flatMap((after, i) => {
    const before = days[i] as ReadableDay;
    const isWatched = after.day - before.day === 1 && dirname(after.path) === dirname(before.path);
    return isWatched && !before.isCut ? [] : [[before, after] as const];
  });
}

/** Those behind each other that nobody watched, and the last one with what follows it where it has lost its end. */
function withNext(
  there: readonly ReadableDay[],
  next: RecordedDay | undefined,
): readonly (readonly [ReadableDay, RecordedDay])[] {
  const last = there.at(-1);
  const isOpen = next !== undefined && last?.isCut === true;
  return isOpen ? [...unwatched(there), [last, next]] : unwatched(there);
}

async function readableDays(
  days: readonly RecordedDay[],
  surveyOf: (day: RecordedDay) => Promise<DaySurvey>,
): Promise<readonly ReadableDay[]> {
  const readable: ReadableDay[] = [];
  for (const day of days) {
    const { isEmpty, isCut } = await surveyOf(day);
    if (!isEmpty) {
      readable.push({ ...day, isCut });
      continue;
    }
    const before = readable.pop();
    if (before !== undefined) readable.push({ ...before, isCut: before.isCut || isCut });
  }
  return readable;
}

async function survey(files: Files, path: string): Promise<DaySurvey> {
  const stream = new ArrowTradeStream(await files.openRead(path), path, HEAD_BYTES);
  try {
    const rows = await stream.skip();
    return { isEmpty: rows === 0, isCut: stream.rest !== undefined };
  } finally {
    await stream.close();
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
