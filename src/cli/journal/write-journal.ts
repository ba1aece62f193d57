/** Lets a person add records to the journal of a bot that is not running. */
import type { Books } from '../../execution/books.js';
import type { JournalRecord } from '../../model/journal-record.js';
import { booksIn } from '../../runner/open-chronicle.js';
import { lockJournal } from '../../storage/journal/journal-lock.js';
import { JournalWriter } from '../../storage/journal/journal-writer.js';
import type { Machine } from '../machine.js';

/**
 * Calls `recordsOf` once no other process can write, and resolves to the records that were written.
 *
 * @throws JournalHeld while a bot uses the journal, and what `recordsOf` throws
 */
export async function addToJournal(
  machine: Machine,
  directory: string,
  recordsOf: (
    books: Books,
    nextSequence: number,
  ) => readonly JournalRecord[] | Promise<readonly JournalRecord[]>,
): Promise<readonly JournalRecord[]> {
  const lock = await lockJournal(machine.files, machine.processes, directory);
  try {
    const scrub = (text: string) => machine.scrubber.scrub(text);
    const { journal, contents } = await JournalWriter.open({ ...machine, directory, scrub });
    try {
      const records = await recordsOf(booksIn(contents), contents.nextSequence);
      for (const record of records) journal.append(record, 'durable');
      return records;
    } finally {
      await journal.close();
    }
  } finally {
    await lock.release();
  }
}
