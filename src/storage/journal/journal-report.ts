import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { type JournalDamage, JournalUnreadable } from './journal-errors.js';
import { type JournalFolder, journalFolder } from './journal-layout.js';
import { entryAt, recordsMissing, type SegmentContents, walkJournal } from './journal-reader.js';
import type { TornTail } from './journal-segment.js';
import { readSnapshot } from './journal-snapshot.js';

/** Everything that can be said about a journal without changing it. */
export interface JournalReport {
  readonly segments: readonly {
    readonly file: string;
    readonly first: number;
    readonly records: number;
    readonly bytes: number;
  }[];
  /** Newest first; `problem` is the reason why it cannot be read. */
  readonly snapshots: readonly {
    readonly file: string;
    readonly sequence: number;
    readonly problem: string | undefined;
  }[];
  readonly records: number;
  readonly bytes: number;
  /** `undefined` when there is no record. */
  readonly firstSequence: number | undefined;
  readonly lastSequence: number | undefined;
  readonly damages: readonly JournalDamage[];
  /** Complete records that this version does not understand, each with its file and line. */
  readonly unreadable: readonly string[];
  /** A torn tail that no writer has cut yet, or a record that is being written at this moment. */
  readonly tornTail: TornTail | undefined;
}

/** Reads the whole journal, and goes on after damage. */
export async function verifyJournal(files: Files, directory: string): Promise<JournalReport> {
  const folder = await journalFolder(files, directory);
  const snapshots = await checkSnapshots(files, folder);
  const segments: JournalReport['segments'][number][] = [];
  const covered = Math.max(
    0,
    ...snapshots.map(({ sequence, problem }) => (problem === undefined ? sequence : 0)),
  );
  const damages: JournalDamage[] = [...beginsTooLate(folder, covered)];
  const unreadable: string[] = [];
  let firstSequence: number | undefined;
  let lastSequence: number | undefined;
  let tornTail: TornTail | undefined;
  let next = 1;
  for await (const contents of walkJournal(files, folder, covered)) {
    const { segment, lines } = contents;
    segments.push({
      file: segment.path,
      first: segment.first,
      records: lines.length,
      bytes: contents.bytes.length,
    });
    damages.push(...contents.damages);
    unreadable.push(...unreadableIn(contents));
    firstSequence ??= lines[0]?.sequence;
    lastSequence = lines.at(-1)?.sequence ?? lastSequence;
    ({ tornTail, next } = contents);
  }
  const missing = recordsMissing(folder, directory, next);
  if (missing !== undefined) damages.push(missing);
  return {
    segments,
    snapshots,
    records: segments.reduce((sum, { records }) => sum + records, 0),
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    firstSequence,
    lastSequence,
    damages,
    unreadable,
    tornTail,
  };
}

function unreadableIn(contents: SegmentContents): string[] {
  return contents.lines.flatMap((line) => {
    try {
      entryAt(contents, line);
      return [];
    } catch (error) {
      if (error instanceof JournalUnreadable) return [error.message];
      throw error;
    }
  });
}

async function checkSnapshots(
  files: Files,
  { snapshots }: JournalFolder,
): Promise<JournalReport['snapshots']> {
  const checked: JournalReport['snapshots'][number][] = [];
  for (const { path, sequence } of snapshots) {
    let problem: string | undefined;
    try {
      await readSnapshot(files, path, sequence);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problem = error.message;
    }
    checked.push({ file: path, sequence, problem });
  }
  return checked;
}

/** The oldest segment begins after records that no snapshot covers either. */
function beginsTooLate({ segments }: JournalFolder, covered: number): readonly JournalDamage[] {
  const [oldest] = segments;
  if (oldest === undefined || oldest.first <= covered + 1) return [];
  const reason = `the first record must be ${covered + 1}, received ${oldest.first}`;
  return [{ file: oldest.path, offset: 0, sequence: covered + 1, reason }];
}
