/** A record that a person adds to the journal of a bot that is not running. */
import type { Books } from '../../execution/books.js';
import type { JournalRecord } from '../../model/journal-record.js';
import { booksIn } from '../../runner/open-chronicle.js';
import { lockJournal } from '../../storage/journal-lock.js';
import { JournalWriter } from '../../storage/journal-writer.js';
import type { Machine } from '../machine.js';

/**
 * `recordOf` is asked once nobody else can write; without a record nothing is written.
 *
 * @throws JournalHeld while a bot runs on it, and what `recordOf` throws
 */
export async function addToJournal(
  machine: Machine,
  directory: string,
  recordOf: (
    books: Books,
    nextSequence: number,
  ) => JournalRecord | undefined | Promise<JournalRecord | undefined>,
): Promise<JournalRecord | undefined> {
  const lock = await lockJournal(machine.files, machine.processes, directory);
  try {
    const scrub = (text: string) => machine.scrubber.scrub(text);
    const { journal, contents } = await JournalWriter.open({ ...machine, directory, scrub });
    try {
      const record = await recordOf(booksIn(contents), contents.nextSequence);
      if (record !== undefined) journal.append(record, 'durable');
      return record;
    } finally {
      await journal.close();
    }
  } finally {
    await lock.release();
  }
}
