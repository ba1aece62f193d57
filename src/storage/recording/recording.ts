import { basename, dirname, normalize, parse } from 'node:path';
import { UsageError } from '../../model/errors.js';
import { defineMarket, type Market } from '../../model/market.js';
import type { TradeGap } from '../../model/trade.js';
import type { WorldFact } from '../../model/world-fact.js';
import type { Files } from '../../ports/files.js';
import { DamagedRecording } from '../rows/arrow-stream.js';
import { readBarsOfDay } from '../rows/bar-check.js';
import type { BarColumns } from '../rows/bar-columns.js';
import { barLength, barSlice } from '../rows/bar-file.js';
import { DAY_MS } from '../rows/day.js';
import { gapsBetweenBarDays, gapsBetweenDays, untold } from '../rows/day-gaps.js';
import { type ChunkRange, readChunks, type RecordedDay, type RecordingKind } from '../rows/day-reader.js';
import { readFacts } from '../facts/facts.js';
import { readGaps } from '../rows/gap-file.js';
import type { InferredGrid } from '../infer-market.js';
import { isRecordingFile, parseDayFile } from '../rows/layout.js';
import { type RecordedMarket, readMarket } from '../rows/market-file.js';
import {
  type DatedMarket,
  marginChangeIn,
  marketsWithin,
  readFundingHistory,
  readMarketHistory,
} from '../facts/rare-facts.js';
import { type RecordedRates, recordedRates } from '../facts/recorded-rates.js';
import { firstAtOrAfter } from '../rows/recording-writer.js';
import type { TradeColumns } from '../rows/trade-columns.js';
import { demandFinishedImports, unfinishedImports } from '../rows/unfinished-import.js';

/** The files of one pair on the disk, before any trade was read. */
export interface FoundRecording {
  readonly pair: string;
  readonly kind: RecordingKind;
  /** Folders with files of this pair, in the order in which the user named them. */
  readonly folders: readonly string[];
  /** Ascending. */
  readonly days: readonly RecordedDay[];
  /** For a pair without trades or bars: which other files there are (`ticker`, `market`). Absent otherwise. */
  readonly besides?: readonly string[];
}

/** The trades or bars alone, which can be read even if the other files of the recording are damaged. */
export interface RecordedRows extends FoundRecording {
  /**
   * The trades by (time, id), in chunks of at most 65 536. A chunk is overwritten when the next one is requested. Can be
   * called again for another pass.
   *
   * @throws UsageError when times go backwards, unless the query has `faults: 'tell'`.
   */
  chunks(): AsyncGenerator<TradeColumns, void, undefined>;
  /** Length of a bar, ms; `undefined` for a recording of trades. */
  readonly barMs: number | undefined;
  /** The bars that lie completely in [from, to), by time; none for a recording of trades. */
  bars(): AsyncGenerator<BarColumns, void, undefined>;
}

export interface Recording extends RecordedRows {
  /** The market as of the start, on a grid that is fine enough for all its later versions up to the last row. */
  readonly market: Market;
  readonly marketSource: RecordedMarket['source'];
  /** Recorded funding rates in the requested stretch. */
  readonly rates: RecordedRates;
  /** When margin rates other than those of `market` were first recorded, ms; `undefined` when they stay the same. */
  readonly marginChangedAt: number | undefined;
  /**
   * Gaps that overlap the requested stretch, ascending: the recorded ones, and those between files that no recorder has
   * watched.
   */
  readonly gaps: readonly TradeGap[];
  /**
   * Other recorded facts, ascending by time: those in [from, to), markets up to the last row, the newest market before
   * `from`, and the newest ticker before `from` if it is at most a minute older. Empty when nothing was recorded, e.g.
   * for imported data.
   */
  facts(): AsyncGenerator<readonly WorldFact[], void, undefined>;
}

export interface RecordingQuery {
  /** May be absent when there is only one pair. */
  readonly pair?: string | undefined;
  /** ms, inclusive. */
  readonly from?: number | undefined;
  /** ms, exclusive. */
  readonly to?: number | undefined;
  /**
   * ms, exclusive: rows that were recorded later are left out. Unlike `to` it asks for no other stretch: what else was
   * recorded stays, so that what was read of a recording can be read again when it has grown.
   */
  readonly rowsTo?: number | undefined;
  /** The same for tickers, books and funding rates. */
  readonly factsTo?: number | undefined;
  /**
   * For a market that is inferred from prints: the grid that an earlier run has inferred, since later prints may suggest
   * another.
   */
  readonly inferred?: InferredGrid | undefined;
  /** See `readChunks`. */
  readonly onRest?: ChunkRange['onRest'];
  /** See `readChunks`; default `refuse`. */
  readonly faults?: ChunkRange['faults'] | undefined;
}

/**
 * The recordings under some paths. Each path is a folder of pairs, the folder of a pair, or a single day file.
 *
 * @throws UsageError when a path does not exist or holds nothing, or when two paths hold the same day of a pair.
 */
export async function findRecordings(
  files: Files,
  paths: readonly string[],
  /**
   * Include pairs without trades or bars, of which an import was begun or other data were recorded; they count as trades
   * without days.
   */
  { empty = false }: { readonly empty?: boolean } = {},
): Promise<readonly FoundRecording[]> {
  const found = new Map<string, { folders: string[]; days: RecordedDay[] }>();
  const bare = new Map<string, BareFolder[]>();
  for (const path of paths) {
    const days = await daysUnder(files, path);
    const begun = empty ? await unfinishedUnder(files, path) : [];
    const without = empty ? await bareUnder(files, path) : [];
    for (const one of without) bare.set(one.pair, [...(bare.get(one.pair) ?? []), one]);
    for (const folder of begun.map((one) => normalize(one))) {
      const entry = found.get(basename(folder)) ?? { folders: [], days: [] };
      if (!entry.folders.includes(folder)) entry.folders.push(folder);
      found.set(basename(folder), entry);
    }
    if (days.length === 0 && begun.length === 0 && without.length === 0) {
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
      const other = entry.days.find(({ kind }) => kind !== day.kind);
      if (other !== undefined) {
        throw usage(
          `a recording of ${pair} must be of trades or of bars, received ${other.path} and ${day.path} (name one of them)`,
        );
      }
      if (!entry.folders.includes(folder)) entry.folders.push(folder);
      if (!entry.days.some((other) => other.path === day.path)) entry.days.push(day);
      found.set(pair, entry);
    }
  }
  for (const [pair, folders] of bare) {
    if (!found.has(pair)) found.set(pair, { folders: folders.map(({ path }) => path), days: [] });
  }
  return [...found]
    .map(([pair, { folders, days }]) => ({
      pair,
      kind: days[0]?.kind ?? 'trades',
      folders,
      days: days.sort((a, b) => a.day - b.day),
      ...(days.length > 0 ? {} : { besides: besidesOf(bare.get(pair) ?? []) }),
    }))
    .sort((a, b) => (a.pair < b.pair ? -1 : 1));
}

/** Whether there is a day of any recording under an existing path. */
export async function holdsRecordings(files: Files, path: string): Promise<boolean> {
  return (await daysUnder(files, path)).length > 0;
}

/** The one recording under the paths that the user means. */
export async function findRecording(
  files: Files,
  paths: readonly string[],
  pair: string | undefined,
): Promise<FoundRecording> {
  return pick(await findRecordings(files, paths, { empty: true }), paths, pair);
}

/**
 * Opens the recording of one pair for reading, with its market.
 *
 * @throws UsageError when an import into it has not finished, and when it holds neither trades nor bars.
 */
export async function openRecording(
  files: Files,
  paths: readonly string[],
  query: RecordingQuery = {},
): Promise<Recording> {
  return openFound(files, await findRecording(files, paths, query.pair), query);
}

export async function openFound(
  files: Files,
  found: FoundRecording,
  query: Omit<RecordingQuery, 'pair'> = {},
): Promise<Recording> {
  const rows = await rowsOf(files, found, query);
  const from = query.from ?? -Infinity;
  const to = query.to ?? Infinity;
  const { days, barMs } = rows;
  const recorded = asInferred(await marketOf(files, found), query.inferred);
  const factsTo = Math.min(to, query.factsTo ?? Infinity);
  const funding = (await readFundingHistory(files, found.folders)).filter(({ time }) => time < factsTo);
  const history = await marketsOf(files, found, { days, barMs, from, to, rowsTo: endOf(query) });
  const market = history[0]?.market ?? defineMarket(recorded.spec);
  const next = found.days.find(({ day }) => day * DAY_MS >= to);
  const recordedGaps = (await Promise.all(found.folders.map((folder) => readGaps(files, folder)))).flat();
  const between =
    barMs === undefined
      ? await gapsBetweenDays(files, days, next)
      : await gapsBetweenBarDays(files, days, { pair: found.pair, barMs }, next);
  const gaps = [...recordedGaps, ...untold(between, recordedGaps)]
    .filter((gap) => gap.to > from && gap.from < to)
    .sort((a, b) => a.from - b.from || a.to - b.to);
  return {
    ...rows,
    market,
    marketSource: recorded.source,
    rates: recordedRates(
      funding.filter(({ time }) => time >= from),
      history.length > 0 ? history : [{ time: Number.NEGATIVE_INFINITY, market }],
    ),
    marginChangedAt: marginChangeIn(history),
    gaps,
    facts: () =>
      readFacts(files, {
        pair: found.pair,
        folders: found.folders,
        markets: history,
        funding,
        from,
        to: factsTo,
        onRest: query.onRest,
      }),
  };
}

/**
 * Like `openRecording`, but only for the rows: reads no file other than those of the days.
 *
 * @throws UsageError as `openRecording`.
 */
export async function openRows(
  files: Files,
  paths: readonly string[],
  query: Omit<RecordingQuery, 'inferred'> = {},
): Promise<RecordedRows> {
  return rowsOf(files, await findRecording(files, paths, query.pair), query);
}

async function rowsOf(
  files: Files,
  found: FoundRecording,
  query: Omit<RecordingQuery, 'pair' | 'inferred'>,
): Promise<RecordedRows> {
  await demandFinishedImports(files, found.folders);
  if (found.days.length === 0) {
    throw usage(
      `the recording of ${found.pair} must hold trades, received ${found.besides?.join(', ') || 'nothing'} and no trades (${found.folders.join(', ')})`,
    );
  }
  const from = query.from ?? -Infinity;
  const to = endOf(query);
  const days = found.days.filter(({ day }) => (day + 1) * DAY_MS > from && day * DAY_MS < to);
  const barMs = await barLengthOf(files, found);
  const range = { from, to, faults: query.faults ?? 'refuse', onRest: query.onRest } as const;
  return {
    pair: found.pair,
    kind: found.kind,
    folders: found.folders,
    days,
    barMs,
    chunks: () => readChunks(files, days, range),
    bars: () => readBars(files, days, { ...range, pair: found.pair, barMs }),
  };
}

/** Where rows end at the latest, ms, exclusive. */
function endOf({ to = Infinity, rowsTo = Infinity }: RecordingQuery): number {
  return Math.min(to, rowsTo);
}

/** Length of the bars, ms; `undefined` for a recording of trades. */
async function barLengthOf(files: Files, { days }: FoundRecording): Promise<number | undefined> {
  const [first] = days;
  return first?.kind === 'bars' ? barLength(files, first.path) : undefined;
}

/**
 * Bars of several day files, one file after the other. Only bars that lie completely in [from, to) are yielded: the close
 * of a bar that ends later is not known at `to`. With `faults: 'tell'`, `onRest` is told of a damaged day, which is
 * skipped; otherwise the damage is an error.
 */
export async function* readBars(
  files: Files,
  days: readonly RecordedDay[],
  range: ChunkRange & { readonly pair: string; readonly barMs: number | undefined },
): AsyncGenerator<BarColumns, void, undefined> {
  const { pair, barMs, from, to, onRest } = range;
  if (barMs === undefined) return;
  let lastEnd = -Infinity;
  for (const day of days) {
    const read = await readBarsOfDay(files, day, { pair, barMs, lastEnd }).catch((error: unknown) => {
      if (!(error instanceof DamagedRecording && range.faults === 'tell' && onRest)) throw error;
      onRest(day.path, error.rest);
    });
    if (read === undefined) continue;
    const { bars, rest } = read;
    if (rest !== undefined) onRest?.(day.path, rest);
    lastEnd = bars.end[bars.count - 1] ?? lastEnd;
    const start = firstAtOrAfter(bars, from, 0, bars.count);
    const end = firstAtOrAfter(bars, to - barMs + 1, start, bars.count);
    if (start < end) yield barSlice(bars, start, end);
  }
}

/**
 * The recorded versions of the market up to the last row. A version after the last row, and its grid, must not affect a
 * run over these rows: otherwise the same rows would give other decisions once it was recorded. The first version is
 * kept, even if it was recorded later.
 */
async function marketsOf(
  files: Files,
  { pair, folders }: FoundRecording,
  part: Pick<Recording, 'days' | 'barMs'> & Pick<ChunkRange, 'from' | 'to'> & { readonly rowsTo: number },
): Promise<readonly DatedMarket[]> {
  const { days, from, to, rowsTo, barMs } = part;
  const all = await readMarketHistory(files, folders);
  if (all.length < 2) return marketsWithin(all, from, to);
  const range: ChunkRange = { from, to: rowsTo, faults: 'tell', onRest: () => undefined };
  const end = await endOfRows(files, days, { ...range, pair, barMs });
  const seen = marketsWithin(all, from, end ?? to);
  return seen.length > 0 ? seen : marketsWithin(all.slice(0, 1), from, to);
}

/**
 * The time just after the last row, ms; `undefined` without rows. Damage is ignored here: reading the rows reports it.
 */
async function endOfRows(
  files: Files,
  days: readonly RecordedDay[],
  range: ChunkRange & { readonly pair: string; readonly barMs: number | undefined },
): Promise<number | undefined> {
  for (const day of days.toReversed()) {
    let last = Number.NEGATIVE_INFINITY;
    const rows = day.kind === 'bars' ? readBars(files, [day], range) : readChunks(files, [day], range);
    for await (const { count, time } of rows) {
      for (let row = 0; row < count; row++) last = Math.max(last, time[row] as number);
    }
    if (last > Number.NEGATIVE_INFINITY) return last + (range.barMs ?? 1);
  }
  return undefined;
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
  const held = found.filter(({ days }) => days.length > 0);
  const [only, ...others] = held.length > 0 ? held : found;
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

function asInferred(recorded: RecordedMarket, inferred: InferredGrid | undefined): RecordedMarket {
  if (recorded.source !== 'inferred' || inferred === undefined) return recorded;
  return { ...recorded, spec: { ...recorded.spec, ...inferred } };
}

/** Folders of pairs with an unfinished import: the path itself, or folders in it. */
async function unfinishedUnder(files: Files, path: string): Promise<readonly string[]> {
  if ((await files.stat(path))?.kind !== 'directory') return [];
  const folders = (await files.list(path)).filter(({ kind }) => kind === 'directory');
  const begun = await unfinishedImports(files, [path, ...folders.map((folder) => folder.path)]);
  return begun.map(({ folder }) => folder);
}

/** The folder of a pair without any trades or bars. */
interface BareFolder {
  readonly pair: string;
  readonly path: string;
  readonly names: readonly string[];
}

/** The path itself, or folders in it. */
async function bareUnder(files: Files, path: string): Promise<readonly BareFolder[]> {
  if ((await files.stat(path))?.kind !== 'directory') return [];
  const inside = (await files.list(path)).filter((child) => !child.name.startsWith('.'));
  const folders = inside.filter(({ kind }) => kind === 'directory').map((child) => child.path);
  const bare: BareFolder[] = [];
  for (const folder of [path, ...folders]) {
    const names = (await files.list(folder)).flatMap(({ kind, name }) => (kind === 'file' ? [name] : []));
    const kinds = names.map((name) => parseDayFile(name)?.kind);
    if (!names.some(isRecordingFile) || kinds.includes('trades') || kinds.includes('bars')) continue;
    bare.push({ pair: basename(normalize(folder)), path: normalize(folder), names });
  }
  return bare;
}

/** The kinds of the files, by their names. */
function besidesOf(folders: readonly BareFolder[]): readonly string[] {
  const files = folders.flatMap(({ names }) => names.filter(isRecordingFile));
  return [...new Set(files.map((name) => parseDayFile(name)?.kind ?? parse(name).name))].sort();
}

async function daysUnder(files: Files, path: string, depth = 0): Promise<RecordedDay[]> {
  const entry = await files.stat(path);
  if (entry === undefined) {
    // A file below the path may vanish during the search: a recorder that ends removes its lock.
    if (depth > 0) return [];
    throw usage(`${path} must be a recording or a folder of recordings, received nothing there`);
  }
  if (entry.kind === 'file') {
    const named = parseDayFile(basename(path));
    if (named === undefined || named.kind === 'ticker' || named.kind === 'depth') return [];
    return [{ day: named.day, kind: named.kind, path, bytes: entry.size }];
  }
  if (entry.kind !== 'directory' || depth > 1) return [];
  const children = (await files.list(path)).filter((child) => !child.name.startsWith('.'));
  const days = await Promise.all(children.map((child) => daysUnder(files, child.path, depth + 1)));
  return days.flat();
}

function usage(message: string): UsageError {
  return new UsageError('TICKWRIGHT_E_RECORDING', message);
}
