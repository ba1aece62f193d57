import type { JournalRecord } from '../model/journal-record.js';
import type { BotJournal, Durability } from '../ports/bot-journal.js';
import { Books } from './books.js';

/** For bots without a journal: tests, and sessions whose simulated venue ends with them. */
export const NO_BOT_JOURNAL: BotJournal = { append: () => undefined, failure: undefined };

/** Keeps the journal and the books of its records in step: a record enters the books only after the attempt to write it. */
export class Chronicle {
  readonly books: Books;
  readonly #journal: BotJournal;
  readonly #listeners = new Set<(record: JournalRecord) => void>();

  /** `books`: of the records that the journal holds already. `onRecord`: the first listener, see `hear`. */
  constructor(journal: BotJournal, books: Books = new Books(), onRecord?: (record: JournalRecord) => void) {
    this.#journal = journal;
    this.books = books;
    if (onRecord !== undefined) this.#listeners.add(onRecord);
  }

  /** Calls back with each new record, once it is in the books. Returns how to stop that. */
  hear(listener: (record: JournalRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Why the journal cannot be written, so that no order may be sent; `undefined`: it can. */
  get failure(): string | undefined {
    return this.#journal.failure?.message;
  }

  /**
   * Writes a record of what must not happen unless it is on the disk. @throws JournalFailed, and then nothing has changed
   */
  vow(record: JournalRecord): void {
    this.#journal.append(record, 'durable');
    this.#know(record);
  }

  /** Records what has happened already. If the disk fails the books still take it in, so that the bot acts on it. */
  note(record: JournalRecord, durability: Durability = 'soon'): void {
    try {
      this.#journal.append(record, durability);
    } catch {
      // `failure` tells why, and keeps orders from leaving.
    }
    this.#know(record);
  }

  #know(record: JournalRecord): void {
    this.books.apply(record);
    for (const listener of this.#listeners) listener(record);
  }
}
