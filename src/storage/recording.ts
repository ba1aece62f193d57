import { basename, dirname } from 'node:path';
import { UsageError } from '../model/errors.js';
import { defineMarket, type Market } from '../model/market.js';
import type { TradeGap } from '../model/trade.js';
import type { Files } from '../ports/files.js';
import { BATCH_ROWS } from './arrow-batch.js';
import { ArrowTradeStream } from './arrow-stream.js';
import { DAY_MS, parseDayName } from './day.js';
import { readGaps } from './gap-file.js';
import { type RecordedMarket, readMarket } from './market-file.js';
import { firstAtOrAfter } from './recording-writer.js';
import { TradeColumns } from './trade-columns.js';

export interface RecordedDay {
  readonly day: number;
  readonly path: string;
  readonly bytes: number;
}

/** What there is of one pair on disk; nothing of the trades themselves was read yet. */
export interface FoundRecording {
  readonly pair: string;
  /** Folders with files of this pair, in the order in which they were named. */
  readonly folders: readonly string[];
  /** Ascending. */
  readonly days: readonly RecordedDay[];
}

export interface Recording extends FoundRecording {
  readonly market: Market;
  readonly marketSource: RecordedMarket['source'];
  /** Recorded gaps that touch the asked stretch, ascending. */
  readonly gaps: readonly TradeGap[];
  /**
   * The trades by (time, id), at most 65 536 at a time. The chunk is the same object each time, with new rows in it.
   * May be called again, for another pass.
   *
   * @throws UsageError when times go backwards: such a file was not written by us.
   */
  chunks(): AsyncGenerator<TradeColumns, void, undefined>;
}

export interface RecordingQuery {
  /** May be absent when there is only one. */
  readonly pair?: string | undefined;
  /** ms, inclusive. */
  readonly from?: number | undefined;
  /** ms, exclusive. */
  readonly to?: number | undefined;
}

/**
 * The recordings under some paths: each a folder of pairs, the folder of a pair, or a single day file.
 *
 * @throws UsageError when a path does not exist, holds nothing, or two of them hold the same day of a pair.
 */
export async function findRecordings(
  files: Files,
  paths: readonly string[],
): Promise<readonly FoundRecording[]> {
  const found = new Map<string, { folders: string[]; days: RecordedDay[] }>();
  for (const path of paths) {
    const days = await daysUnder(files, path);
    if (days.length === 0) {
      throw usage(
        `${path} must hold recordings (<pair>/<YYYY-MM-DD>.arrow, made by tickwright record or data import), received none`,
      );
    }
    for (const day of days) {
      const folder = dirname(day.path);
      const pair = basename(folder);
      const entry = found.get(pair) ?? { folders: [], days: [] };
      const twin = entry.days.find((other) => other.day === day.day && other.path !== day.path);
      if (twin !== undefined) {
        throw usage(`a day of ${pair} must be in one place only, received ${twin.path} and ${day.path}`);
      }
      if (!entry.folders.includes(folder)) entry.folders.push(folder);
      if (!entry.days.some((other) => other.path === day.path)) entry.days.push(day);
      found.set(pair, entry);
    }
  }
  return [...found]
    .map(([pair, { folders, days }]) => ({ pair, folders, days: days.sort((a, b) => a.day - b.day) }))
    .sort((a, b) => (a.pair < b.pair ? -1 : 1));
}

/** The one recording that is meant, of those under the paths. */
export async function findRecording(
  files: Files,
  paths: readonly string[],
  pair: string | undefined,
): Promise<FoundRecording> {
  return pick(await findRecordings(files, paths), paths, pair);
}

/** Opens the recording of one pair for reading, with its market. */
export async function openRecording(
  files: Files,
  paths: readonly string[],
  query: RecordingQuery = {},
): Promise<Recording> {
  const found = await findRecording(files, paths, query.pair);
  const from = query.from ?? -Infinity;
  const to = query.to ?? Infinity;
  const days = found.days.filter(({ day }) => (day + 1) * DAY_MS > from && day * DAY_MS < to);
  const recorded = await marketOf(files, found);
  const gaps = (await Promise.all(found.folders.map((folder) => readGaps(files, folder))))
    .flat()
    .filter((gap) => gap.to >= from && gap.from < to)
    .sort((a, b) => a.from - b.from || a.to - b.to);
  return {
    pair: found.pair,
    folders: found.folders,
    days,
    market: defineMarket(recorded.spec),
    marketSource: recorded.source,
    gaps,
    chunks: () => readChunks(files, days, { from, to, unordered: 'refuse' }),
  };
}

export interface ChunkRange {
  /** ms, inclusive. */
  readonly from: number;
  /** ms, exclusive. */
  readonly to: number;
  readonly unordered: 'refuse' | 'keep';
}

export const EVERYTHING: ChunkRange = { from: -Infinity, to: Infinity, unordered: 'keep' };

/**
 * Rows of day files one after the other, in full chunks. One buffer, whatever the length.
 * `unordered: 'keep'` hands on what is out of order as it stands, for those who want to count it.
 */
export async function* readChunks(
  files: Files,
  days: readonly RecordedDay[],
  range: ChunkRange,
): AsyncGenerator<TradeColumns, void, undefined> {
  const whole = range.from === -Infinity && range.to === Infinity;
  const chunk = new TradeColumns(BATCH_ROWS);
  const trimmed = new TradeColumns(whole ? 0 : BATCH_ROWS);
  let last = -Infinity;
  for (const { path } of days) {
    const stream = new ArrowTradeStream(await files.openRead(path), path);
    try {
      for (let batch = await stream.next(); batch !== undefined; batch = await stream.next()) {
        for (let row = 0; row < batch.rows; ) {
          const end = Math.min(batch.rows, row + BATCH_ROWS - chunk.count);
          const start = chunk.count;
          batch.copyTo(chunk, row, end);
          row = end;
          if (range.unordered === 'refuse') last = checkOrder(chunk, start, last, path);
          if (chunk.count < BATCH_ROWS) continue;
          yield* trim();
          chunk.clear();
        }
      }
    } finally {
      await stream.close();
    }
  }
  yield* trim();

  function* trim(): Generator<TradeColumns> {
    if (chunk.count === 0) return;
    if (whole) {
      yield chunk;
      return;
    }
    const start = firstAtOrAfter(chunk, range.from, 0, chunk.count);
    const end = firstAtOrAfter(chunk, range.to, start, chunk.count);
    if (start === end) return;
    trimmed.clear();
    trimmed.append(chunk, start, end);
    yield trimmed;
  }
}

function checkOrder(chunk: TradeColumns, start: number, last: number, path: string): number {
  const { time, count } = chunk;
  let newest = last;
  for (let row = start; row < count; row++) {
    const at = time[row] as number;
    if (at < newest) {
      throw usage(
        `${path}: trades must be in order of time, received trade ${chunk.id(row)} at ${at} after one at ${newest} ` +
          '(data import sorts: import its trades from CSV or NDJSON)',
      );
    }
    newest = at;
  }
  return newest;
}

function pick(
  found: readonly FoundRecording[],
  paths: readonly string[],
  pair: string | undefined,
): FoundRecording {
  const names = found.map((recording) => recording.pair).join(', ');
  if (pair !== undefined) {
    const match = found.find((recording) => recording.pair === pair);
    if (match === undefined) throw usage(`${paths.join(', ')} must hold ${pair}, received ${names}`);
    return match;
  }
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) {
    throw usage(
      `a pair must be named (--pair) where there are several, received recordings of ${names || 'none'}`,
    );
  }
  return only;
}

async function marketOf(files: Files, { folders }: FoundRecording): Promise<RecordedMarket> {
  const markets = await Promise.all(folders.map((folder) => readMarket(files, folder)));
  const known = markets.filter((market) => market !== undefined);
  const best = known.find(({ source }) => source !== 'inferred') ?? known[0];
  if (best === undefined) throw usage(`${folders.join(', ')} must hold market.json, received none`);
  return best;
}

async function daysUnder(files: Files, path: string, depth = 0): Promise<RecordedDay[]> {
  const entry = await files.stat(path);
  if (entry === undefined)
    throw usage(`${path} must be a recording or a folder of recordings, received nothing there`);
  if (entry.kind === 'file') {
    const day = basename(path).endsWith('.arrow') ? parseDayName(basename(path).slice(0, -6)) : undefined;
    return day === undefined ? [] : [{ day, path, bytes: entry.size }];
  }
  if (entry.kind !== 'directory' || depth > 1) return [];
  const children = (await files.list(path)).filter((child) => !child.name.startsWith('.'));
  const days = await Promise.all(children.map((child) => daysUnder(files, child.path, depth + 1)));
  return days.flat();
}

function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_RECORDING', message);
}
