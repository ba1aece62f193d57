import { UsageError } from '../../model/errors.js';
import type { JournalRecord } from '../../model/journal-record.js';
import type { Files } from '../../ports/files.js';
import { decodeJournalRecord } from './journal-decoder.js';
import { type JournalDamage, JournalDamaged, JournalUnreadable } from './journal-errors.js';
import { type JournalFolder, journalFolder, type SegmentFile } from './journal-layout.js';
import { type LinePlace, type SegmentScan, scanSegment, type TornTail } from './journal-segment.js';
import { type JournalSnapshot, readSnapshot } from './journal-snapshot.js';

export interface JournalEntry {
  readonly sequence: number;
  readonly record: JournalRecord;
}

export interface JournalContents {
  /** The newest snapshot that can be read. */
  readonly snapshot: JournalSnapshot | undefined;
  /** All records after the snapshot; without a snapshot, all records. */
  readonly records: readonly JournalEntry[];
  /** Sequence of the next record; 1 when nothing was ever written. */
  readonly nextSequence: number;
  /** Offset in the newest segment at which the next record belongs. */
  readonly end: number;
  readonly tornTail: TornTail | undefined;
  /** Newer snapshots that could not be read, with the reason. An older snapshot, or the records, replaced them. */
  readonly skippedSnapshots: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * Reads what a bot needs in order to go on. Changes nothing: the writer cuts a torn tail.
 *
 * @throws JournalDamaged when a record that was written is missing, JournalUnreadable when one is of a newer version.
 */
export async function readJournal(files: Files, directory: string): Promise<JournalContents> {
  const folder = await journalFolder(files, directory);
  const { snapshot, skippedSnapshots } = await newestSnapshot(files, folder);
  const covered = snapshot?.sequence ?? 0;
  const records: JournalEntry[] = [];
  let tornTail: TornTail | undefined;
  let nextSequence = 1;
  let end = 0;
  for (const [index, segment] of segmentsFrom(folder, covered + 1, directory).entries()) {
    if (index === 0) nextSequence = segment.first;
    const contents = await readSegment(files, segment, followerOf(folder, segment), covered);
    const [damage] = contents.damages;
    if (damage !== undefined) throw new JournalDamaged(damage);
    for (const line of contents.lines) {
      if (line.sequence > covered) records.push(entryAt(contents, line));
    }
    ({ tornTail, end, next: nextSequence } = contents);
  }
  const missing = recordsMissing(folder, directory, nextSequence);
  if (missing !== undefined) throw new JournalDamaged(missing);
  return { snapshot, records, nextSequence, end, tornTail, skippedSnapshots };
}

export interface SegmentContents extends SegmentScan {
  readonly segment: SegmentFile;
  readonly bytes: Uint8Array;
  readonly tornTail: TornTail | undefined;
}

/**
 * Yields every segment with all of its damage, oldest first; reading goes on after a damage. Segments whose records the
 * snapshot of sequence `covered` includes may be missing: a power loss may undo some removals and not others.
 */
export async function* walkJournal(
  files: Files,
  folder: JournalFolder,
  covered = folder.snapshots[0]?.sequence ?? 0,
): AsyncGenerator<SegmentContents, void, undefined> {
  for (const segment of folder.segments) {
    yield await readSegment(files, segment, followerOf(folder, segment), covered);
  }
}

/** @throws JournalUnreadable naming file, line and field. */
export function entryAt({ segment, bytes }: SegmentContents, line: LinePlace): JournalEntry {
  try {
    const text = DECODER.decode(bytes.subarray(line.json, line.jsonEnd));
    return { sequence: line.sequence, record: decodeJournalRecord(text) };
  } catch (cause) {
    if (!(cause instanceof UsageError || cause instanceof TypeError)) throw cause;
    // The segment is undamaged up to here, so line numbers follow from sequences.
    const where = `${segment.path}:${line.sequence - segment.first + 1}`;
    throw new JournalUnreadable(`${where}: ${cause.message}`, cause);
  }
}

/** The damage that the file names show: records begin too late, or end before the sequence of a snapshot. */
export function recordsMissing(
  { segments, snapshots }: JournalFolder,
  directory: string,
  nextSequence: number,
): JournalDamage | undefined {
  const newest = snapshots[0]?.sequence ?? 0;
  if (nextSequence > newest) return undefined;
  return {
    file: segments.at(-1)?.path ?? directory,
    offset: segments.at(-1)?.size ?? 0,
    sequence: nextSequence,
    reason: `records must go on to ${newest}, which a snapshot holds, received none from ${nextSequence} on`,
  };
}

const DECODER = new TextDecoder('utf-8', { fatal: true });

async function newestSnapshot(files: Files, { snapshots }: JournalFolder) {
  const skippedSnapshots: { readonly file: string; readonly reason: string }[] = [];
  for (const { path, sequence } of snapshots) {
    try {
      return { snapshot: await readSnapshot(files, path, sequence), skippedSnapshots };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      skippedSnapshots.push({ file: path, reason: error.message });
    }
  }
  return { snapshot: undefined, skippedSnapshots };
}

/** The segments that hold this record and all later ones. */
function segmentsFrom(folder: JournalFolder, sequence: number, directory: string): readonly SegmentFile[] {
  const { segments, snapshots } = folder;
  const index = segments.findLastIndex(({ first }) => first <= sequence);
  if (index !== -1) return segments.slice(index);
  if (segments.length === 0 && snapshots.length === 0) return [];
  throw new JournalDamaged({
    file: segments[0]?.path ?? directory,
    offset: 0,
    sequence,
    reason: `the first record must be ${sequence}, received ${segments[0]?.first ?? 'no segment at all'}`,
  });
}

function followerOf({ segments }: JournalFolder, segment: SegmentFile): SegmentFile | undefined {
  return segments[segments.indexOf(segment) + 1];
}

async function readSegment(
  files: Files,
  segment: SegmentFile,
  following: SegmentFile | undefined,
  covered: number,
): Promise<SegmentContents> {
  const bytes = await files.read(segment.path);
  const scan = scanSegment(segment.path, bytes, { sequence: segment.first });
  const { end, torn, next } = scan;
  if (following === undefined) {
    const tornTail = torn ? { file: segment.path, offset: end, bytes: bytes.length - end } : undefined;
    return { ...scan, segment, bytes, tornTail };
  }
  // A new segment is begun only after all records before it are on the disk, so a gap at its beginning is damage.
  const damages = [...scan.damages];
  const isRemoved = !torn && next < following.first && following.first <= covered + 1;
  if ((next !== following.first && !isRemoved) || torn) {
    damages.push({
      file: segment.path,
      offset: end,
      sequence: next,
      reason: `records must go on to ${following.first - 1}, the next segment begins after it, received no whole one from ${next} on`,
    });
  }
  return { ...scan, damages, segment, bytes, tornTail: undefined };
}

/** As many records as can be read, in spite of damage. Not fit for trading on, but for telling which orders are ours. */
export async function legibleJournal(
  files: Files,
  directory: string,
): Promise<Pick<JournalContents, 'snapshot' | 'records'>> {
  const folder = await journalFolder(files, directory);
  const { snapshot } = await newestSnapshot(files, folder);
  const records: JournalEntry[] = [];
  for (const segment of folder.segments) {
    const contents = await readSegment(files, segment, undefined, 0).catch(() => undefined);
    for (const line of contents?.lines ?? []) {
      if (line.sequence <= (snapshot?.sequence ?? 0)) continue;
      try {
        records.push(entryAt(contents as SegmentContents, line));
      } catch (error) {
        if (!(error instanceof JournalUnreadable)) throw error;
      }
    }
  }
  return { snapshot, records };
}
