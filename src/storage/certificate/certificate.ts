import { UsageError } from '../../model/errors.js';
import type { TradeGap } from '../../model/trade.js';
import type { Files } from '../../ports/files.js';
import { type BarFault, GridWatch } from '../rows/bar-grid.js';
import { barLength } from '../rows/bar-file.js';
import { BarHash } from './bar-hash.js';
import { DAY_MS } from '../rows/day.js';
import { unreadFacts } from '../facts/facts.js';
import { readFaults, type SourceFault } from './fault-file.js';
import { readGaps } from '../rows/gap-file.js';
import { faultsPath, fundingPath, gapsPath, marketHistoryPath, marketPath } from '../rows/layout.js';
import { readMarket } from '../rows/market-file.js';
import { marketsWithin, readFundingHistory, readMarketHistory } from '../facts/rare-facts.js';
import type { IdGap } from './id-gap.js';
import { type ClockJump, IdSequence, type RepeatedTrade } from './id-sequence.js';
import { type Displaced, OrderWatch } from './order-watch.js';
import { EVERYTHING, readChunks, type RecordingKind } from '../rows/day-reader.js';
import type { StreamRest } from '../rows/arrow-stream.js';
import { findRecordings, type FoundRecording, readBars } from '../recording/recording.js';
import { RowHash } from './row-hash.js';
import { TradeColumns } from '../rows/trade-columns.js';
import { unfinishedImports } from '../rows/unfinished-import.js';

/** A stretch without trades that should be there. Times are inclusive ms. */
export interface CertifiedGap extends Omit<TradeGap, 'missing'> {
  /** Trades, or bars, where that is known. */
  readonly missing: number | undefined;
  /** The recorder said so, or ids that never came show it, or times of bars. */
  readonly evidence: 'recorder' | 'ids' | 'times';
  /** First and last missing id, where ids show the gap. Fewer are missing than lie from one to the other where it is several. */
  readonly ids: readonly [first: number, last: number] | undefined;
}

/** A trade that is there more than once. `repaired`: it was so in a file that was imported, and is not here. */
export interface CertifiedRepeat extends RepeatedTrade {
  readonly repaired: boolean;
}

/** A stretch in a wrong place. `repaired`: it was so in a file that was imported, and is in its place here. */
export interface CertifiedDisplacement extends Displaced {
  readonly repaired: boolean;
}

/** What is known about the quality of one recording. */
export interface Certificate {
  readonly pair: string;
  readonly kind: RecordingKind;
  /** What there is of a recording without trades; `undefined` for one that has some. */
  readonly besides: readonly string[] | undefined;
  readonly trades: number;
  /** Bars, and how long each is, ms; `undefined` for a recording of trades. */
  readonly bars: number | undefined;
  readonly barMs: number | undefined;
  readonly gaps: readonly CertifiedGap[];
  /** Rows whose id came before, here or in a file that was imported. */
  readonly duplicates: number;
  /** Each of them, up to ten thousand. */
  readonly duplicateTrades: readonly CertifiedRepeat[];
  /** How often the venue's clock went back: a trade's time is before that of the trade with the id before. */
  readonly clockJumps: number;
  readonly jumps: readonly ClockJump[];
  /** Rows here that sort before a row above them by (time, id), and are not there twice. */
  readonly outOfOrder: number;
  /** Stretches in a wrong place, here or in a file that was imported. */
  readonly reordered: readonly CertifiedDisplacement[];
  /** Rows here whose id came before: what a broken recording has. */
  readonly storedDuplicates: number;
  /** What of its files cannot be read: torn off the newest by a writer that died or is at work, or damaged. */
  readonly unread: readonly (StreamRest & { readonly file: string })[];
  /** Folders of it with an import that goes on or was broken off: no backtest reads it. */
  readonly unfinishedImports: readonly string[];
  /** Why no backtest reads the bars; `undefined` for a recording of trades. */
  readonly barFaults: readonly BarFault[] | undefined;
  /** Missing ids can be seen, because ids are contiguous. Else only the recorder knows of gaps. */
  readonly contiguousIds: boolean;
  /** The longest time without a trade, ms; `from` is when it began. `undefined` for fewer than two trades. */
  readonly longestSilence: { readonly from: number; readonly ms: number } | undefined;
  /** Time of the first and the last trade, ms. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly bytes: number;
  /** SHA-256 of the trades as canonical rows (`RowHash`): equal for equal trades, however they are stored. */
  readonly hash: string;
}

/**
 * No backtest reads it, or not all of it. Gaps are facts of the feed, and so is what a writer that died, or is at work, leaves
 * at the end of the newest day.
 */
export function isBroken({
  storedDuplicates,
  outOfOrder,
  unread,
  unfinishedImports,
  barFaults = [],
}: Certificate): boolean {
  return (
    storedDuplicates > 0 ||
    outOfOrder > 0 ||
    unfinishedImports.length > 0 ||
    barFaults.length > 0 ||
    unread.some(({ kind }) => kind === 'damaged')
  );
}

/** Reads recordings from end to end and certifies each. */
export async function checkRecordings(
  files: Files,
  paths: readonly string[],
): Promise<readonly Certificate[]> {
  const certificates: Certificate[] = [];
  for (const found of await findRecordings(files, paths, { empty: true }))
    certificates.push(await checkRecording(files, found));
  return certificates;
}

export async function checkRecording(files: Files, found: FoundRecording): Promise<Certificate> {
  return found.kind === 'bars' ? checkBars(files, found) : checkTrades(files, found);
}

async function checkTrades(files: Files, found: FoundRecording): Promise<Certificate> {
  const hash = new RowHash();
  const ids = new IdSequence();
  const order = new OrderWatch();
  /** The row that sorts behind all others so far. */
  let highest = new TradeColumns(1);
  let trades = 0;
  let from: number | undefined;
  let to: number | undefined;
  let silence = { from: 0, ms: -1 };
  const unread: Certificate['unread'][number][] = [];
  const onRest = (file: string, rest: StreamRest) => void unread.push({ file, ...rest });
  for await (const chunk of readChunks(files, found.days, { ...EVERYTHING, onRest })) {
    hash.update(chunk);
    let top: TradeColumns = highest;
    let topRow = 0;
    for (let row = 0; row < chunk.count; row++) {
      const time = chunk.time[row] as number;
      const isNew = ids.next(chunk.id(row), time);
      if (top.count > 0 && top.compare(topRow, chunk, row) >= 0) {
        if (isNew) order.misplaced(chunk.id(row), time);
        continue;
      }
      order.inPlace();
      if (top.count > 0) {
        const last = top.time[topRow] as number;
        if (time - last > silence.ms) silence = { from: last, ms: time - last };
      }
      top = chunk;
      topRow = row;
      from ??= time;
      to = time;
    }
    trades += chunk.count;
    const kept = new TradeColumns(1);
    if (top.count > 0) kept.append(top, topRow, topRow + 1);
    highest = kept;
  }
  const beside = await readBesideDays(files, found);
  const { recorded, faults } = beside;
  const repaired = faults.filter((fault) => fault.kind === 'duplicate');
  return {
    pair: found.pair,
    kind: 'trades',
    besides: found.besides,
    trades,
    bars: undefined,
    barMs: undefined,
    gaps: allGaps(
      recorded.filter((gap) => !(ids.isContiguous && within(gap, from, to))),
      ids.gaps,
    ),
    duplicates: ids.duplicates + repaired.length,
    storedDuplicates: ids.duplicates,
    duplicateTrades: [
      ...ids.repeated.map(({ id, time }) => ({ id, time, repaired: false })),
      ...repaired.map(({ id, time }) => ({ id, time, repaired: true })),
    ],
    clockJumps: ids.clockJumps,
    jumps: ids.jumps,
    outOfOrder: order.trades,
    reordered: [
      ...order.stretches.map((stretch) => ({ ...stretch, repaired: false })),
      ...faults.flatMap((fault) =>
        fault.kind === 'reordered'
          ? [
              {
                firstId: fault.firstId,
                lastId: fault.lastId,
                from: fault.from,
                to: fault.to,
                trades: fault.trades,
                repaired: true,
              },
            ]
          : [],
      ),
    ],
    unread: [...unread, ...beside.unread],
    unfinishedImports: await unfinishedImports(files, found.folders),
    barFaults: undefined,
    contiguousIds: ids.isContiguous,
    longestSilence: silence.ms < 0 ? undefined : silence,
    from,
    to,
    bytes: bytesOf(found),
    hash: hash.digest(),
  };
}

/** Of bars only what is missing can be said: their times lie on a grid. */
async function checkBars(files: Files, found: FoundRecording): Promise<Certificate> {
  const hash = new BarHash();
  const barMs = await barLengthToCheck(files, found);
  const grid = new GridWatch(barMs ?? 1);
  let bars = 0;
  /** Bars that lie off their grid may leave room for a part of one. */
  const barsIn = (ms: number) => (barMs !== undefined && ms % barMs === 0 ? ms / barMs : undefined);
  let from: number | undefined;
  let to: number | undefined;
  let silence = { from: 0, ms: -1 };
  const gaps: CertifiedGap[] = [];
  const unread: Certificate['unread'][number][] = [];
  const onRest = (file: string, rest: StreamRest) => void unread.push({ file, ...rest });
  for await (const chunk of readBars(files, found.days, {
    pair: found.pair,
    barMs: barMs ?? DAY_MS,
    ...EVERYTHING,
    onRest,
  })) {
    hash.update(chunk);
    for (let row = 0; row < chunk.count; row++) {
      const time = chunk.time[row] as number;
      grid.next(time);
      if (to !== undefined) {
        if (time > to)
          gaps.push({ from: to, to: time, missing: barsIn(time - to), evidence: 'times', ids: undefined });
        if (time - to > silence.ms) silence = { from: to, ms: time - to };
      }
      from ??= time;
      to = chunk.end[row] as number;
    }
    bars += chunk.count;
  }
  return {
    pair: found.pair,
    kind: 'bars',
    besides: undefined,
    trades: 0,
    bars,
    barMs,
    gaps,
    duplicates: 0,
    storedDuplicates: 0,
    duplicateTrades: [],
    clockJumps: 0,
    jumps: [],
    outOfOrder: 0,
    reordered: [],
    unread: [...unread, ...(await readBesideDays(files, found)).unread],
    unfinishedImports: await unfinishedImports(files, found.folders),
    barFaults: grid.faults,
    contiguousIds: false,
    longestSilence: silence.ms < 0 ? undefined : silence,
    from,
    to,
    bytes: bytesOf(found),
    hash: hash.digest(),
  };
}

/** As the first day says that can be read: each of the others is told. */
async function barLengthToCheck(files: Files, { days }: FoundRecording): Promise<number | undefined> {
  for (const { path } of days) {
    const barMs = await barLength(files, path).catch(ifUnreadable);
    if (barMs !== undefined) return barMs;
  }
  return undefined;
}

function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error;
}

/** The files of a recording that are of no day, and what of them and of tickers and depth cannot be read. */
async function readBesideDays(files: Files, { pair, folders }: FoundRecording) {
  const unread = [...(await unreadFacts(files, { pair, folders }))];
  const read = async <T>(path: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const bytes = (await files.stat(path))?.size ?? 0;
      unread.push({ kind: 'damaged', file: path, at: 0, bytes, why: error.message });
      return undefined;
    }
  };
  const recorded: TradeGap[] = [];
  const faults: SourceFault[] = [];
  for (const folder of folders) {
    await read(marketPath(folder), () => readMarket(files, folder));
    await read(marketHistoryPath(folder), async () =>
      marketsWithin(await readMarketHistory(files, [folder]), -Infinity, Infinity),
    );
    await read(fundingPath(folder), () => readFundingHistory(files, [folder]));
    // One by one: as arguments of one call there is room for some hundred thousand.
    for (const gap of (await read(gapsPath(folder), () => readGaps(files, folder))) ?? []) recorded.push(gap);
    for (const fault of (await read(faultsPath(folder), () => readFaults(files, folder))) ?? [])
      faults.push(fault);
  }
  return { recorded, faults, unread };
}

function bytesOf({ days }: FoundRecording): number {
  return days.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Between the first trade and the last: there contiguous ids tell exactly what is missing, and the recorder may not know what came later. */
function within(gap: TradeGap, first: number | undefined, last: number | undefined): boolean {
  return first !== undefined && last !== undefined && gap.from >= first && gap.to <= last;
}

/** Gaps that ids show are exact; what the recorder says counts where it tells of another stretch. */
function allGaps(recorded: readonly TradeGap[], idGaps: readonly IdGap[]): readonly CertifiedGap[] {
  const shown = idGaps.map(
    ({ firstId, lastId, from, to, missing }): CertifiedGap => ({
      // Where the clock went back, the trade before may be the later one.
      from: Math.min(from, to),
      to: Math.max(from, to),
      missing,
      evidence: 'ids',
      ids: [firstId, lastId],
    }),
  );
  const told = recorded
    .filter((gap) => !shown.some((other) => other.from <= gap.to && gap.from <= other.to))
    .map((gap): CertifiedGap => ({ ...gap, evidence: 'recorder', ids: undefined }));
  return [...shown, ...told].sort((a, b) => a.from - b.from || a.to - b.to);
}
