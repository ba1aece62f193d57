import { UsageError } from '../../model/errors.js';
import type { TradeGap } from '../../model/trade.js';
import type { Files } from '../../ports/files.js';
import { type BarFault, GridWatch } from '../rows/bar-grid.js';
import { barLength } from '../rows/bar-file.js';
import { BarHash } from './bar-hash.js';
import { DAY_MS } from '../rows/day.js';
import { gapsBetweenDays, untold } from '../rows/day-gaps.js';
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
import { type UnfinishedImport, unfinishedImports } from '../rows/unfinished-import.js';

/** A stretch in which trades or bars are missing. Times are inclusive ms. */
export interface CertifiedGap extends Omit<TradeGap, 'missing'> {
  /** Number of missing trades, or bars; `undefined` if it is not known. */
  readonly missing: number | undefined;
  /**
   * What shows the gap: a note of the recorder, ids that never came, the times of bars, or a day file that is not there or
   * has lost its end.
   */
  readonly evidence: 'recorder' | 'ids' | 'times' | 'files';
  /**
   * First and last missing id, for a gap that ids show. If several gaps are reported as one, not all ids in between are
   * missing.
   */
  readonly ids: readonly [first: number, last: number] | undefined;
}

/** A trade that occurs more than once. `repaired`: it did so in an imported file, but not in this recording. */
export interface CertifiedRepeat extends RepeatedTrade {
  readonly repaired: boolean;
}

/**
 * A stretch of misplaced trades. `repaired`: it was misplaced in an imported file, but is in order in this recording.
 */
export interface CertifiedDisplacement extends Displaced {
  readonly repaired: boolean;
}

/** What is known about the quality of one recording. */
export interface Certificate {
  readonly pair: string;
  readonly kind: RecordingKind;
  /** What a recording without trades holds instead; `undefined` if it has trades. */
  readonly besides: readonly string[] | undefined;
  readonly trades: number;
  /** Number of bars and the length of each, ms; `undefined` for a recording of trades. */
  readonly bars: number | undefined;
  readonly barMs: number | undefined;
  readonly gaps: readonly CertifiedGap[];
  /** Number of repeated trades, here or in an imported file. */
  readonly duplicates: number;
  /** The repeated trades, at most ten thousand. */
  readonly duplicateTrades: readonly CertifiedRepeat[];
  /** How often the venue's clock went back: a trade's time is before that of the trade with the preceding id. */
  readonly clockJumps: number;
  readonly jumps: readonly ClockJump[];
  /** Rows that sort before an earlier row by (time, id), not counting repeats. */
  readonly outOfOrder: number;
  /** Stretches of misplaced trades, here or in an imported file. */
  readonly reordered: readonly CertifiedDisplacement[];
  /** Rows of this recording whose id occurred before. Any of them makes the recording broken. */
  readonly storedDuplicates: number;
  /** Parts of its files that cannot be read: a torn tail of the newest day, or damage. */
  readonly unread: readonly (StreamRest & { readonly file: string })[];
  /** Folders in which an import is running or was interrupted; no backtest reads the recording. */
  readonly unfinishedImports: readonly UnfinishedImport[];
  /** Why no backtest can read the bars, empty if one can; `undefined` for a recording of trades. */
  readonly barFaults: readonly BarFault[] | undefined;
  /**
   * Whether ids are contiguous, so that they show missing trades: every one between those here, unless ids came twice.
   * Otherwise only the recorder knows about gaps.
   */
  readonly contiguousIds: boolean;
  /**
   * The longest time without a trade or bar; `from` is its beginning, `ms` its length. `undefined` with fewer than two.
   */
  readonly longestSilence: { readonly from: number; readonly ms: number } | undefined;
  /**
   * Time of the first and the last trade, ms; of bars, the first opening and the last end. `undefined` for an empty
   * recording.
   */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly bytes: number;
  /**
   * SHA-256 of the trades or bars as canonical rows (`RowHash`, `BarHash`): equal for equal rows, however they are
   * stored.
   */
  readonly hash: string;
}

/**
 * Whether a recording needs repair: a backtest cannot read all of it, or reads trades whose id came before. Gaps do not
 * count, because they are facts of the feed. A torn tail of the newest day does not count either: a writer that died or
 * is at work leaves it.
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

/** Reads recordings completely and certifies each. */
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
  /** The row that sorts last among those read so far. */
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
  // Where the venue counted anew, an id may be here from another time while its trade is missing.
  const areProof = ids.isContiguous && ids.duplicates === 0;
  return {
    pair: found.pair,
    kind: 'trades',
    besides: found.besides,
    trades,
    bars: undefined,
    barMs: undefined,
    gaps: allGaps(
      recorded.filter((gap) => !(areProof && within(gap, from, to))),
      ids.gaps,
      untold(await gapsBetweenDays(files, found.days), recorded),
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

/** Certifies bars. As their times lie on a grid, gaps are visible, but repeats and clock jumps are not. */
async function checkBars(files: Files, found: FoundRecording): Promise<Certificate> {
  const hash = new BarHash();
  const barMs = await barLengthToCheck(files, found);
  const grid = new GridWatch(barMs ?? 1);
  let bars = 0;
  /** Bars off their grid may leave a gap that is not a whole number of bars; `undefined` then. */
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

/** The bar length of the first day that can be read; bars of other lengths then show up as faults. */
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

/**
 * Reads the files of a recording that do not belong to a day, and lists what of them and of tickers and depth is
 * unreadable.
 */
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
    // Pushes one by one: spread into one call, several hundred thousand arguments overflow the stack.
    for (const gap of (await read(gapsPath(folder), () => readGaps(files, folder))) ?? []) recorded.push(gap);
    for (const fault of (await read(faultsPath(folder), () => readFaults(files, folder))) ?? [])
      faults.push(fault);
  }
  return { recorded, faults, unread };
}

function bytesOf({ days }: FoundRecording): number {
  return days.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Whether a gap lies between the first and the last trade. Contiguous ids show exactly what is missing there, while the
 * recorder may not know that trades arrived later.
 */
function within(gap: TradeGap, first: number | undefined, last: number | undefined): boolean {
  return first !== undefined && last !== undefined && gap.from >= first && gap.to <= last;
}

/** Combines gaps. Those that ids show are exact; any other counts only if none of them covers it. */
function allGaps(
  recorded: readonly TradeGap[],
  idGaps: readonly IdGap[],
  between: readonly TradeGap[],
): readonly CertifiedGap[] {
  const shown = idGaps.map(
    ({ firstId, lastId, from, to, missing }): CertifiedGap => ({
      // If the clock went back over the gap, the preceding trade has the later time.
      from: Math.min(from, to),
      to: Math.max(from, to),
      missing,
      evidence: 'ids',
      ids: [firstId, lastId],
    }),
  );
  const told = untold(recorded, shown).map(
    (gap): CertifiedGap => ({ ...gap, evidence: 'recorder', ids: undefined }),
  );
  const ofFiles = untold(between, shown).map(
    (gap): CertifiedGap => ({ ...gap, evidence: 'files', ids: undefined }),
  );
  return [...shown, ...told, ...ofFiles].sort((a, b) => a.from - b.from || a.to - b.to);
}
