import type { TradeGap } from '../model/trade.js';
import type { Files } from '../ports/files.js';
import { readGaps } from './gap-file.js';
import { type IdGap, IdSequence } from './id-sequence.js';
import { findRecordings, type FoundRecording, readChunks } from './recording.js';
import { RowHash } from './row-hash.js';
import { TradeColumns } from './trade-columns.js';

/** A stretch without trades that should be there. Times are inclusive ms. */
export interface CertifiedGap extends TradeGap {
  /** The recorder said so, or ids that never came show it. */
  readonly evidence: 'recorder' | 'ids';
  /** First and last missing id, where ids show the gap. */
  readonly ids: readonly [first: number, last: number] | undefined;
}

/** What is known about the quality of one recording. */
export interface Certificate {
  readonly pair: string;
  readonly trades: number;
  readonly gaps: readonly CertifiedGap[];
  /** Trades that are there more than once. */
  readonly duplicates: number;
  /** Trades whose time is later than that of a trade with a higher id: the venue's clock went back. */
  readonly clockJumps: number;
  /** Rows that sort before the row above them by (time, id). */
  readonly outOfOrder: number;
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

/** Reads recordings from end to end and certifies each. */
export async function checkRecordings(
  files: Files,
  paths: readonly string[],
): Promise<readonly Certificate[]> {
  const certificates: Certificate[] = [];
  for (const found of await findRecordings(files, paths))
    certificates.push(await checkRecording(files, found));
  return certificates;
}

export async function checkRecording(files: Files, found: FoundRecording): Promise<Certificate> {
  const hash = new RowHash();
  const ids = new IdSequence();
  const above = new TradeColumns(1);
  let trades = 0;
  let twins = 0;
  let outOfOrder = 0;
  let from: number | undefined;
  let silence = { from: 0, ms: -1 };
  const range = { from: -Infinity, to: Infinity, unordered: 'keep' } as const;
  for await (const chunk of readChunks(files, found.days, range)) {
    hash.update(chunk);
    for (let row = 0; row < chunk.count; row++) {
      const time = chunk.time[row] as number;
      ids.next(chunk.id(row), time);
      const other = row > 0 ? chunk : above;
      const otherRow = row > 0 ? row - 1 : 0;
      if (other.count > 0) {
        const order = other.compare(otherRow, chunk, row);
        if (order > 0) outOfOrder += 1;
        if (order === 0) twins += 1;
        const quiet = time - (other.time[otherRow] as number);
        if (quiet > silence.ms) silence = { from: other.time[otherRow] as number, ms: quiet };
      }
      from ??= time;
    }
    trades += chunk.count;
    above.clear();
    above.append(chunk, chunk.count - 1, chunk.count);
  }
  const recorded = (await Promise.all(found.folders.map((folder) => readGaps(files, folder)))).flat();
  return {
    pair: found.pair,
    trades,
    gaps: allGaps(
      recorded.filter((gap) => !(ids.isContiguous && within(gap, from, above.time[0]))),
      ids.gaps,
    ),
    duplicates: ids.duplicates ?? twins,
    clockJumps: ids.clockJumps,
    outOfOrder,
    contiguousIds: ids.isContiguous,
    longestSilence: silence.ms < 0 ? undefined : silence,
    from,
    to: trades === 0 ? undefined : above.time[0],
    bytes: found.days.reduce((sum, { bytes }) => sum + bytes, 0),
    hash: hash.digest(),
  };
}

/** Between the first trade and the last: there contiguous ids tell exactly what is missing, and the recorder may not know what came later. */
function within(gap: TradeGap, first: number | undefined, last: number | undefined): boolean {
  return first !== undefined && last !== undefined && gap.from >= first && gap.to <= last;
}

/** Gaps that ids show are exact; what the recorder says counts where it tells of another stretch. */
function allGaps(recorded: readonly TradeGap[], idGaps: readonly IdGap[]): readonly CertifiedGap[] {
  const shown = idGaps.map(
    ({ firstId, lastId, from, to }): CertifiedGap => ({
      from,
      to,
      missing: lastId - firstId + 1,
      evidence: 'ids',
      ids: [firstId, lastId],
    }),
  );
  const told = recorded
    .filter((gap) => !shown.some((other) => other.from <= gap.to && gap.from <= other.to))
    .map((gap): CertifiedGap => ({ ...gap, evidence: 'recorder', ids: undefined }));
  return [...shown, ...told].sort((a, b) => a.from - b.from || a.to - b.to);
}
