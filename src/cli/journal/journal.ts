/** Reads a journal for the commands that show it: all that can be read, and what cannot. */
import { UsageError } from '../../model/errors.js';
import type { Files } from '../../ports/files.js';
import { damageText, JournalUnreadable } from '../../storage/journal/journal-errors.js';
import { type JournalFolder, journalFolder } from '../../storage/journal/journal-layout.js';
import { entryAt, type JournalEntry, walkJournal } from '../../storage/journal/journal-reader.js';

export interface ReadablePart {
  readonly entries: readonly JournalEntry[];
  /** What is damaged or not understood, in words; empty if nothing is. */
  readonly problems: readonly string[];
}

/** @throws UsageError when there is no journal. */
export async function openJournalFolder(files: Files, directory: string): Promise<JournalFolder> {
  const folder = await journalFolder(files, directory);
  if (isJournal(folder)) return folder;
  const below = await journalsBelow(files, directory, LEVELS);
  const found = below.length === 0 ? '' : `, but below it ${below.join(', ')}`;
  throw new UsageError(
    'TICKWRIGHT_E_NO_JOURNAL',
    `${directory} must be the folder of a journal, received no segment of one there${found}`,
  );
}

/** Number of folder levels between a daemon's state and the journal of a pair. */
const LEVELS = 2;

async function journalsBelow(files: Files, directory: string, levels: number): Promise<readonly string[]> {
  if (levels === 0 || (await files.stat(directory))?.kind !== 'directory') return [];
  const found: string[] = [];
  for (const { kind, path } of await files.list(directory)) {
    if (kind !== 'directory') continue;
    if (isJournal(await journalFolder(files, path))) found.push(path);
    else found.push(...(await journalsBelow(files, path, levels - 1)));
  }
  return found;
}

function isJournal({ segments, snapshots }: JournalFolder): boolean {
  return segments.length > 0 || snapshots.length > 0;
}

/** Reads segment by segment, the oldest first. */
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

/** The last records, from as few segments as possible. */
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
      // Pushes one by one: spread into one call, several hundred thousand arguments overflow the stack.
      for (const entry of part.entries) entries.push(entry);
      problems.push(...part.problems);
    }
    if (entries.length >= least || count >= folder.segments.length) {
      return { entries: entries.slice(Math.max(0, entries.length - least)), problems };
    }
  }
}
