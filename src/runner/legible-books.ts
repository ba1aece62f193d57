import { Books } from '../execution/books.js';
import type { BooksState } from '../execution/books-state.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { Files } from '../ports/files.js';
import { legibleJournal, readJournal } from '../storage/journal/journal-reader.js';
import { booksIn } from './open-chronicle.js';

export interface LegibleBooks {
  readonly books: Books;
  /** Why they may not have all that was written; `undefined`: they have. */
  readonly lack: string | undefined;
}

/** What tells whose an order is. */
const OF_ORDERS: ReadonlySet<JournalRecord['kind']> = new Set([
  'grid',
  'prep',
  'out',
  'adopt',
  'verdict',
  'end',
]);

/**
 * What a journal says to somebody who does not write it. Of one that is damaged, the orders alone, as far as they can be
 * read: a sum of fills of which some are missing is no position.
 */
export async function legibleBooks(files: Files, directory: string): Promise<LegibleBooks> {
  try {
    return { books: booksIn(await readJournal(files, directory)), lack: undefined };
  } catch (error) {
    const lack = error instanceof Error ? error.message : String(error);
    return { books: await ordersIn(files, directory).catch(() => new Books()), lack };
  }
}

async function ordersIn(files: Files, directory: string): Promise<Books> {
  const { snapshot, records } = await legibleJournal(files, directory);
  const {
    intents,
    orders,
    grids = [],
  } = (snapshot?.state ?? { intents: [], orders: [] }) as unknown as BooksState;
  const books = Books.restore({ ...new Books().state(), intents, orders, grids });
  for (const { record } of records) if (OF_ORDERS.has(record.kind)) books.apply(record);
  return books;
}
