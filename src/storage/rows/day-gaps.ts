import { dirname } from 'node:path';
import type { TradeGap } from '../../model/trade.js';
import type { Files } from '../../ports/files.js';
import { ArrowTradeStream, DamagedRecording, type RawBatch } from './arrow-stream.js';
import { readBarDay } from './bar-file.js';
import type { RecordedDay } from './day-reader.js';
import { HEAD_BYTES, hasEndMark, hasLostEnd } from './end-mark.js';
import { TradeColumns } from './trade-columns.js';

/**
 * Rows at each end of a day that are inspected, and the share of their steps that must be 1 for ids to count as
 * contiguous.
 */
const END_ROWS = 11;
const CONTIGUOUS_SHARE = 0.9;
const NUMBER = /^\d+$/;

/** A day of which rows can be read. */
interface ReadableDay extends RecordedDay {
  /** Part of the day cannot be read, or a damaged day after it has no readable rows. */
  readonly isCut: boolean;
}

interface DaySurvey {
  /** No row of the day can be read. */
  readonly isEmpty: boolean;
  readonly isCut: boolean;
}

/**
 * Gaps between day files of trades that no recorder has watched: where a day between them is missing, where they are in
 * different folders, and where the first has lost its end. With numeric ids there is no gap if the first id of the one
 * directly follows the last id of the other. Between adjacent complete days, only ids that are contiguous on both sides
 * can prove a gap. A day without readable rows counts as missing. `next`: the day after the last one, where a gap at the
 * end of the last one ends.
 */
export async function gapsBetweenDays(
  files: Files,
  days: readonly RecordedDay[],
  next?: RecordedDay,
): Promise<readonly TradeGap[]> {
  const gaps: TradeGap[] = [];
  const there = await readableDays(days, (day) => survey(files, day));
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

/**
 * Like `gapsBetweenDays`, for bars, whose times suffice: a gap lasts from the end of one bar to the opening of the next.
 */
export async function gapsBetweenBarDays(
  files: Files,
  days: readonly RecordedDay[],
  format: { readonly pair: string; readonly barMs: number },
  next?: RecordedDay,
): Promise<readonly TradeGap[]> {
  const gaps: TradeGap[] = [];
  const rowsOf = async ({ path }: RecordedDay) => (await readBarDay(files, path, format)).bars;
  const there = await readableDays(days, async (day) =>
    (await hasEndMark(files, day.path))
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

/** The gaps that no recorded gap covers. */
export function untold(
  gaps: readonly TradeGap[],
  recorded: readonly Pick<TradeGap, 'from' | 'to'>[],
): readonly TradeGap[] {
  return gaps.filter(({ from, to }) => !recorded.some((gap) => gap.from <= from && gap.to >= to));
}

/** Neighbouring days whose transition no recorder has written, or whose first day has lost rows since. */
function unwatched(days: readonly ReadableDay[]): (readonly [ReadableDay, RecordedDay])[] {
  return days.slice(1).flatMap((after, i) => {
    const before = days[i] as ReadableDay;
    const isWatched = after.day - before.day === 1 && dirname(after.path) === dirname(before.path);
    return isWatched && !before.isCut ? [] : [[before, after] as const];
  });
}

/** The unwatched transitions, and the last day with `next` if the last day has lost its end. */
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

async function survey(files: Files, { path, day }: RecordedDay): Promise<DaySurvey> {
  const stream = new ArrowTradeStream(await files.openRead(path), path, HEAD_BYTES);
  try {
    const rows = await stream.skip();
    const hasRest = (await stream.rest()) !== undefined;
    return { isEmpty: rows === 0, isCut: hasRest || (!stream.ended && (await hasLostEnd(files, path, day))) };
  } finally {
    await stream.close();
  }
}

/** The next batch; `undefined` at the end, and where damage begins, of which reading the rows tells. */
async function nextReadable(stream: ArrowTradeStream): Promise<RawBatch | undefined> {
  try {
    return await stream.next();
  } catch (error) {
    if (error instanceof DamagedRecording) return undefined;
    throw error;
  }
}

async function firstRows(files: Files, path: string): Promise<TradeColumns> {
  const rows = new TradeColumns(END_ROWS);
  const stream = new ArrowTradeStream(await files.openRead(path), path);
  try {
    while (rows.count < END_ROWS) {
      const batch = await nextReadable(stream);
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
    for (let batch = await nextReadable(stream); batch !== undefined; batch = await nextReadable(stream)) {
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

/** NaN for an id that is not a number, or one that a double may not hold exactly. */
function numberOf(id: string): number {
  const number = NUMBER.test(id) ? Number(id) : Number.NaN;
  return Number.isSafeInteger(number) ? number : Number.NaN;
}
