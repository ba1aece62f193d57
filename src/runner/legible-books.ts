import { Books } from '../execution/books.js';
import type { BooksState } from '../execution/books-state.js';
import type { JournalRecord } from '../model/journal-record.js';
import type { Files } from '../ports/files.js';
import { legibleJournal, readJournal } from '../storage/journal/journal-reader.js';
import { booksIn } from './open-chronicle.js';

export interface LegibleBooks {
  readonly books: Books;
  /** Why the books may lack records; `undefined`: they have all. */
  readonly lack: string | undefined;
}

/** The kinds of records that tell whose an order is. */
const OF_ORDERS: ReadonlySet<JournalRecord['kind']> = new Set([
  'grid',
  'prep',
  'out',
  'adopt',
  'verdict',
  'end',
]);

/**
 * The books of a journal for a reader that does not write it. From a damaged journal only its orders, as far as they can be
 * read: without every fill the position would be wrong.
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
