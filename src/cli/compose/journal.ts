/** A journal as the commands that show it read it: everything that can be read, and what cannot. */
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { damageText, JournalUnreadable } from '../../storage/journal-errors.js';
import { type JournalFolder, journalFolder } from '../../storage/journal-layout.js';
import { entryAt, type JournalEntry, walkJournal } from '../../storage/journal-reader.js';

export interface ReadablePart {
  readonly entries: readonly JournalEntry[];
  /** What is damaged or not understood, in words; empty when nothing is. */
  readonly problems: readonly string[];
}

/** @throws UsageError when there is no journal. */
export async function openJournalFolder(files: Files, directory: string): Promise<JournalFolder> {
  const folder = await journalFolder(files, directory);
  if (folder.segments.length > 0 || folder.snapshots.length > 0) return folder;
  throw new UsageError(
    'TICKWRIGHT_E_NO_JOURNAL',
    `${directory} must be the folder of a journal, received no segment of one there`,
  );
}

/** Segment by segment, oldest first. */
export async function* readableParts(
  files: Files,
  folder: JournalFolder,
): AsyncGenerator<ReadablePart, void, undefined> {
  for await (const contents of walkJournal(files, folder)) {
    const entries: JournalEntry[] = [];
    const problems = contents.damages.map(damageText);
    for (const line of contents.lines) {
      try {
        entries.push(entryAt(contents, line));
      } catch (error) {
        if (!(error instanceof JournalUnreadable)) throw error;
        problems.push(error.message);
      }
    }
    yield { entries, problems };
  }
}

/** The last records, from as few segments as hold them. */
export async function newestEntries(
  files: Files,
  folder: JournalFolder,
  least: number,
): Promise<ReadablePart> {
  for (let count = 1; ; count *= 2) {
    const segments = folder.segments.slice(-count);
    const entries: JournalEntry[] = [];
    const problems: string[] = [];
    for await (const part of readableParts(files, { ...folder, segments })) {
      entries.push(...part.entries);
      problems.push(...part.problems);
    }
    if (entries.length >= least || count >= folder.segments.length) {
      return { entries: entries.slice(Math.max(0, entries.length - least)), problems };
    }
  }
}
