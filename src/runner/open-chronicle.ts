import { Books, type BooksState } from '../execution/books.js';
import { Chronicle } from '../execution/chronicle.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { Clock, Timers } from '../ports/clock.js';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { JournalContents } from '../storage/journal-reader.js';
import { JournalWriter } from '../storage/journal-writer.js';

export interface ChronicleOptions {
  readonly files: Files;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly log: Log;
  /** The journal's own folder. */
  readonly directory: string;
  /** This life, unique among all of the account. */
  readonly session: string;
  /** Version of this package, and sha-256 of what decides: strategy, config, profile. */
  readonly engine: string;
  readonly hashes: Readonly<Record<string, string>>;
  /** Takes secrets out of every line. */
  readonly scrub?: (text: string) => string;
  /** Hears each new record. */
  readonly onRecord?: (record: JournalRecord) => void;
}

export interface OpenChronicle {
  readonly chronicle: Chronicle;
  close(): Promise<void>;
}

/**
 * What earlier lives wrote, and a journal that goes on from there with the start of this one.
 *
 * @throws JournalDamaged when the journal is not whole: nothing may be sent on what cannot be known.
 */
export async function openChronicle(options: ChronicleOptions): Promise<OpenChronicle> {
  const { log, clock, session, engine, hashes } = options;
  const { journal, contents } = await JournalWriter.open({
    ...options,
    onFailure: (failure) =>
      log.error('the journal cannot be written: no order leaves', { error: failure.message }),
  });
  const { tornTail } = contents;
  const books = booksIn(contents);
  if (tornTail !== undefined) log.warn('the end of the journal was torn and is cut off', { ...tornTail });
  const chronicle = new Chronicle(journal, books, options.onRecord);
  chronicle.note({ kind: 'start', session, wall: clock.wall(), engine, hashes }, 'durable');
  return { chronicle, close: () => journal.close() };
}

/** What a journal says. */
export function booksIn({ snapshot, records }: JournalContents): Books {
  const books = snapshot === undefined ? new Books() : Books.restore(snapshot.state as unknown as BooksState);
  for (const { record } of records) books.apply(record);
  return books;
}
