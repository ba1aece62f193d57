import type { JournalRecord } from '../model/journal-record.js';
import type { BotJournal, Durability } from '../ports/bot-journal.js';
import { Books } from './books.js';

/** For bots that keep no story: tests, and sessions whose venue ends with them. */
export const NO_BOT_JOURNAL: BotJournal = { append: () => undefined, failure: undefined };

/** The journal and what it says, kept together: nothing is known that is not written, or was tried to be. */
export class Chronicle {
  readonly books: Books;
  readonly #journal: BotJournal;
  readonly #listeners = new Set<(record: JournalRecord) => void>();

  /** `books`: of the records that the journal holds already. `onRecord`: the first of those who `hear`. */
  constructor(journal: BotJournal, books: Books = new Books(), onRecord?: (record: JournalRecord) => void) {
    this.#journal = journal;
    this.books = books;
    if (onRecord !== undefined) this.#listeners.add(onRecord);
  }

  /** Each new record from now on, once it is in the books. Returns what ends that. */
  hear(listener: (record: JournalRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Why no order may be sent any more. */
  get failure(): string | undefined {
    return this.#journal.failure?.message;
  }

  /** What must not happen unless it is written down. @throws JournalFailed, and then nothing has changed */
  vow(record: JournalRecord): void {
    this.#journal.append(record, 'durable');
    this.#know(record);
  }

  /** What has happened, whether or not it can be written down: without a disk it is still to be known and acted on. */
  note(record: JournalRecord, durability: Durability = 'soon'): void {
    try {
      this.#journal.append(record, durability);
    } catch {
      // `failure` says why, and stops orders.
    }
    this.#know(record);
  }

  #know(record: JournalRecord): void {
    this.books.apply(record);
    for (const listener of this.#listeners) listener(record);
  }
}
