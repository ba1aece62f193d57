import { durationText } from '../../model/duration.js';
import type { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { type BarRow, barRow, sameBar } from '../rows/bar-columns.js';
import { END_MARK } from '../rows/arrow-batch.js';
import { demandGrid, lengthOf, type PlacedBar } from '../rows/bar-grid.js';
import { barLength, readBarDay, writeBarDay } from '../rows/bar-file.js';
import { barParser, type BarParser, isBarLine, type VolumeUnit } from './bar-parser.js';
import { mayBeCutOff } from './csv-line.js';
import { checkRecording } from '../certificate/certificate.js';
import { dayOf } from '../rows/day.js';
import { type BeyondFilters, FilterWatch } from './filter-watch.js';
import { writeGaps } from '../rows/gap-file.js';
import {
  dataError,
  type ImportOptions,
  type ImportResult,
  importTrades,
  mustExist,
  bareLine,
} from './import-trades.js';
import { type ChosenMarket, inferredMarket } from './chosen-market.js';
import { knownMarket } from './known-market.js';
import { OtherPair } from './other-pair.js';
import { type FinerThanGrid, MarketGuess } from '../infer-market.js';
import { barsPath, pairDirectory, parseDayFile } from '../rows/layout.js';
import { type RecordedMarket, writeMarket } from '../rows/market-file.js';
import { findRecording } from '../recording/recording.js';
import { readLines } from '../text-file.js';
import { beginImport, endImport, type ImportSource } from '../rows/unfinished-import.js';

export interface BarImportOptions extends ImportOptions {
  /** The unit of the column `volume`; default: base units. A column whose name states its unit overrides it. */
  readonly volume?: VolumeUnit | undefined;
}

export interface BarImportResult {
  readonly kind: 'bars';
  readonly pair: string;
  /** Number of bars that this import added to the recording. */
  readonly bars: number;
  /** Length of one bar, ms. */
  readonly barMs: number;
  /**
   * The unit of the file's volumes. Volumes in quote units were divided by the typical price, (high + low + close) / 3.
   */
  readonly volume: VolumeUnit;
  readonly duplicates: number;
  /** Number of sources whose bars were not in order of time. The recording is sorted in any case. */
  readonly sorted: number;
  /** Number of stretches without bars in the whole recording. */
  readonly gaps: number;
  /** Number of lines that belong to other pairs, and were ignored. */
  readonly skipped: number;
  /** Open time of the first imported bar and end of the last one, ms. */
  readonly from: number;
  readonly to: number;
  /** Bars whose highest price exceeds the market's limit; `undefined` without any. They are imported all the same. */
  readonly beyondFilters: BeyondFilters | undefined;
  /** Steps of an inferred market whose prices show none; `undefined` without any. */
  readonly finerThanGrid: FinerThanGrid | undefined;
  /** Files of earlier imports that were broken off: until they are imported again, nobody opens the recording. */
  readonly owed: readonly ImportSource[];
  /** The last lines, as `file:line`, that have no line end and may have lost digits. They are imported all the same. */
  readonly withoutLineEnd: readonly string[];
  readonly market: RecordedMarket['source'];
}

/** Imports trades or bars into a recording; the first line of the first source decides which of the two. */
export async function importData(
  files: Files,
  options: BarImportOptions,
): Promise<ImportResult | BarImportResult> {
  await mustExist(files, options.sources);
  const [first = ''] = options.sources;
  const line = await firstLine(files, first);
  if (isBarLine(line)) return importBars(files, options);
  if (options.volume !== undefined) {
    throw dataError(`--volume must be given for bars only, received ${first}, which holds trades`);
  }
  return importTrades(files, options);
}

/**
 * Imports bars of one pair into a recording. All bars of a recording have the same length, inferred from their times.
 *
 * @throws UsageError with `file:line` for a line that is not a bar, and for bars that a backtest could not read: bars
 * off the UTC grid of their length, and bars whose length does not divide a day. Also for a source without any bar of
 * the pair.
 */
export async function importBars(files: Files, options: BarImportOptions): Promise<BarImportResult> {
  const { directory, pair, sources } = options;
  const folder = pairDirectory(directory, pair);
  await files.makeDirectory(folder);
  const days = (await files.list(folder)).flatMap(({ name, path }) => {
    const found = parseDayFile(name);
    return found === undefined ? [] : [{ ...found, path }];
  });
  if (days.some(({ kind }) => kind === 'trades')) {
    throw dataError(
      `${folder} must be a recording of bars, received one of trades (--out names another folder)`,
    );
  }
  const known = await knownMarket(files, folder, options);
  const { rows, volume, sorted, skipped, withoutLineEnd } = await readAll(files, options);
  const filters = new FilterWatch(known?.spec);
  for (const { where, high } of rows) filters.next(where, high, 0);
  const before = days.find(({ kind }) => kind === 'bars');
  const barMs =
    before === undefined ? lengthOf(rows) : await lengthAsBefore(files, before.path, { rows, sources });
  if (before !== undefined) demandGrid(await firstBar(files, before.path, { pair, barMs }), barMs);
  demandGrid(rows, barMs);
  const { added, days: merged } = await mergeDays(files, { folder, pair, barMs, rows });
  const mark = await beginImport(files, folder, sources);
  for (const { path, bars } of merged) await writeBarDay(files, path, { pair, barMs, rows: bars });
  const { gaps } = await checkRecording(files, await findRecording(files, [directory], pair));
  // Bars carry no trade ids, so the number of missing trades is unknown.
  await writeGaps(
    files,
    folder,
    gaps.map(({ from, to }) => ({ from, to, missing: undefined })),
  );
  const { market, finerThanGrid }: ChosenMarket =
    known === undefined ? await inferred(files, { folder, pair, barMs }) : { market: known };
  await writeMarket(files, folder, market);
  await endImport(files, folder, mark, 'all');
  return {
    kind: 'bars',
    pair,
    bars: added,
    barMs,
    volume,
    duplicates: rows.length - added,
    sorted,
    gaps: gaps.length,
    skipped,
    from: (rows[0] as SourceRow).time,
    to: (rows.at(-1) as SourceRow).time + barMs,
    beyondFilters: filters.beyond,
    finerThanGrid,
    owed: mark.owed,
    withoutLineEnd,
    market: market.source,
  };
}

type SourceRow = BarRow & PlacedBar;

/** Reads the pair's bars of all sources and sorts them by time. */
async function readAll(
  files: Files,
  { sources, volume, pair }: BarImportOptions,
): Promise<
  Pick<BarImportResult, 'volume' | 'sorted' | 'skipped' | 'withoutLineEnd'> & {
    readonly rows: readonly SourceRow[];
  }
> {
  const rows: SourceRow[] = [];
  const withoutLineEnd: string[] = [];
  let parser: BarParser | undefined;
  let sorted = 0;
  let skipped = 0;
  for (const source of sources) {
    parser = undefined;
    let header: string | undefined;
    let newest = -Infinity;
    let isSorted = true;
    let taken = 0;
    let otherPair: string | undefined;
    for await (const { first, lines, torn } of readLines(files, source)) {
      for (let i = 0; i < lines.length; i++) {
        const line = bareLine(lines[i] as string);
        if (line === '' || line === header) continue;
        const where = `${source}:${first + i}`;
        if (parser === undefined) {
          parser = barParser(where, line, volume, pair);
          if (parser.headed) {
            header = line;
            continue;
          }
        }
        const bar = parser.parse(where, line);
        if (bar instanceof OtherPair) {
          skipped += 1;
          otherPair ??= bar.pair;
          continue;
        }
        const row = { ...bar, where };
        if (row.time < newest) isSorted = false;
        newest = row.time;
        rows.push(row);
        taken += 1;
        if (torn && mayBeCutOff(line)) withoutLineEnd.push(where);
      }
    }
    if (taken === 0) throw dataError(`${source} must hold bars of ${pair}, received ${otherPair ?? 'none'}`);
    if (!isSorted) sorted += 1;
  }
  return {
    rows: rows.sort((a, b) => a.time - b.time),
    volume: parser?.volume ?? 'base',
    sorted,
    skipped,
    withoutLineEnd,
  };
}

/**
 * The bar length of the existing recording. Three new bars or more also have a length of their own, which must be the
 * same.
 */
async function lengthAsBefore(
  files: Files,
  path: string,
  { rows, sources }: { readonly rows: readonly SourceRow[]; readonly sources: readonly string[] },
): Promise<number> {
  const barMs = await barLength(files, path);
  const own = rows.length < 3 ? barMs : lengthOf(rows);
  if (own === barMs) return barMs;
  throw dataError(
    `${sources.join(', ')} must hold bars of ${durationText(barMs)}, as the recording does, received bars of ${durationText(own)}`,
  );
}

/**
 * The first bar of a day of the recording. It must lie on the grid: bars could otherwise never be added between those
 * of the recording.
 */
async function firstBar(
  files: Files,
  path: string,
  format: { readonly pair: string; readonly barMs: number },
): Promise<readonly PlacedBar[]> {
  const [time] = (await readBarDay(files, path, format)).bars.time;
  return time === undefined ? [] : [{ where: path, time }];
}

/**
 * Merges the bars with those of their days on disk. Returns the days that need to be rewritten, because they gain bars
 * or because their file has lost its end mark, and the number of new bars. Writes nothing.
 *
 * @throws UsageError for a day of which bars cannot be read: rewriting it would lose them for good.
 */
async function mergeDays(
  files: Files,
  target: {
    readonly folder: string;
    readonly pair: string;
    readonly barMs: number;
    readonly rows: readonly SourceRow[];
  },
): Promise<{
  readonly added: number;
  readonly days: readonly { readonly path: string; readonly bars: readonly BarRow[] }[];
}> {
  const { folder, pair, barMs, rows } = target;
  const days: { readonly path: string; readonly bars: readonly BarRow[] }[] = [];
  let added = 0;
  for (let start = 0; start < rows.length; ) {
    const day = dayOf((rows[start] as SourceRow).time);
    let end = start;
    while (end < rows.length && dayOf((rows[end] as SourceRow).time) === day) end++;
    const path = barsPath(folder, day);
    const merged = new Map<number, BarRow>();
    let isUnended = false;
    if ((await files.stat(path)) !== undefined) {
      const { bars: old, rest } = await readBarDay(files, path, { pair, barMs });
      // A day is one batch; fewer bytes than an end mark behind it hold no bars.
      isUnended = rest !== undefined && old.count > 0 && rest.bytes < END_MARK.length;
      if (rest !== undefined && !isUnended) throw damagedBars(path, rest.at);
      for (let row = 0; row < old.count; row++) merged.set(old.time[row] as number, barRow(old, row));
    }
    const before = merged.size;
    for (const { where, ...bar } of rows.slice(start, end)) {
      const twin = merged.get(bar.time);
      if (twin !== undefined && !sameBar(twin, bar)) {
        throw dataError(
          `${where}: the bar of ${bar.time} must be the same wherever it occurs, received ${text(bar)} and ${text(twin)}`,
        );
      }
      merged.set(bar.time, bar);
    }
    if (merged.size > before || isUnended) {
      days.push({ path, bars: [...merged.values()].sort((a, b) => a.time - b.time) });
    }
    added += merged.size - before;
    start = end;
  }
  return { added, days };
}

function damagedBars(path: string, at: number): UsageError {
  return dataError(
    `${path} must be whole where bars are added to it, received damage from byte ${at} on (nothing was written; move the file elsewhere and import all bars of its day)`,
  );
}

function text({ open, high, low, close, volume }: BarRow): string {
  return `${open} ${high} ${low} ${close} (${volume})`;
}

/** Infers a market from all bars of the folder, including those of earlier imports. */
async function inferred(
  files: Files,
  { folder, pair, barMs }: { readonly folder: string; readonly pair: string; readonly barMs: number },
): Promise<ChosenMarket> {
  const guess = new MarketGuess();
  for (const { name, path } of await files.list(folder)) {
    if (parseDayFile(name)?.kind !== 'bars') continue;
    const { bars } = await readBarDay(files, path, { pair, barMs });
    for (const column of [bars.open, bars.high, bars.low, bars.close]) {
      for (const price of column) guess.addPrice(price);
    }
  }
  return inferredMarket(guess, pair);
}

async function firstLine(files: Files, source: string): Promise<string> {
  for await (const { lines } of readLines(files, source)) {
    const line = lines.map(bareLine).find((one) => one !== '');
    if (line !== undefined) return line;
  }
  return '';
}
